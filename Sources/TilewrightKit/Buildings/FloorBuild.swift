import Platform
import Publishing
import Tiling

/// The build of a floor, or its error.
struct FloorBuild: Sendable {
    /// The floor's name.
    let name: FloorName
    /// The request.
    let request: FloorRequest
    /// Receives the run's changes before they are published.
    var announce: (@Sendable (TilesetNews) throws -> Void)?
    /// The floor's tileset, ready to be built, or the error.
    let build: Result<TilesetBuild, Failure>

    /// Prepares a floor of a building.
    ///
    /// - Parameters:
    ///   - zoom: the zooms of the building.
    ///   - building: the building's name, if others are built in the same run.
    ///   - isKnown: whether the same manifest has built the floor before: the floor may have other images
    ///     now.
    init(_ placed: PlacedFloor, zoom: ZoomRange, options: BuildingOptions, building: String?, isKnown: Bool) {
        request = placed.request
        name = FloorName(building: building, floor: placed.request.floor)
        var request = placed.request.build
        request.pyramid.zoom = zoom
        request.resources = options.resources
        request.output.force = options.force
        request.output.fsync = options.fsync
        build = .ofFloor {
            if request.output.container.isArchive { try Self.checkIsNoLink(request.output.path) }
            let images = try placed.images.get()
            var build = try TilesetBuild(request, deferringRows: true) { _ in images }
            build.replacesOthers = isKnown
            return build
        }
    }

    /// Refuses an archive that is a link: no user typed its name, and the link may have come with the folder.
    private static func checkIsNoLink(_ path: String) throws {
        let (folder, name) = path.splitPath
        guard try Directory.open(folder)?.status(of: name)?.kind == .link else { return }
        throw Failure(
            .outputRefused, cannot: "write '\(path)'", "it is a symbolic link",
            remedy: "remove the link: the archive takes its place")
    }

    /// Warnings, a line each.
    var warnings: [Warning] { (try? build.get())?.warnings.map { $0.of(name) } ?? [] }

    /// The files that it reads.
    var inputs: [String] {
        (try? build.get())?.dependencies ?? request.build.images.map(\.path) + request.build.pyramid.files
    }
}

/// A floor with its images, which were looked at, or their error.
typealias PlacedFloor = (request: FloorRequest, images: Result<PlacedImages, Failure>)

extension Result where Failure == Platform.Failure {
    /// The result of a step of a floor's build, or the error.
    static func ofFloor(_ body: () throws -> Success) -> Self {
        do { return .success(try body()) } catch let failure as Platform.Failure {
            return .failure(failure)
        } catch {
            return .failure(Platform.Failure(.inputOutput, "\(error)"))
        }
    }

    /// The error, if there is one.
    var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

/// A floor to build, and its plan or error.
public struct FloorPlan: Sendable {
    /// The floor's name.
    public let name: FloorName
    /// The request.
    public let request: FloorRequest
    /// Zooms, tiles and memory, or the error.
    public let plan: Result<TilesetPlan, Failure>

    /// The plan.
    ///
    /// - Throws: the error; its message begins with the floor's name.
    public func required() throws(Failure) -> TilesetPlan { try plan.mapError { $0.of(name) }.get() }
}

/// The plans of a manifest's floors, without building them.
public struct FloorPlans: Sendable {
    /// The floors, in the manifest's order.
    public let all: [FloorPlan]
    /// Warnings for the user, a line each.
    public let warnings: [Warning]

    /// Looks at the images of all floors, since the floors share their zooms, and plans.
    ///
    /// - Parameters:
    ///   - manifest: the manifest with the floors.
    ///   - floor: the floor to plan, as `Manifest.floor(_:)` takes it; nil for all.
    ///   - resources: what may be used of the machine.
    /// - Throws: a `Failure` that says what is wrong with the manifest, `.usage` if there is no such floor.
    ///   The error of a floor is in its plan.
    public init(
        _ manifest: Manifest, floor: String? = nil, resources: BuildResources = BuildResources()
    ) throws {
        let chosen = try floor.map { try manifest.floor($0).name }
        var options = BuildingOptions()
        options.resources = resources
        options.only = chosen.map { [$0.choice] }
        let build = try ManifestBuild(manifest, options: options)
        all = build.plans
        warnings = chosen == nil ? build.warnings : all.choiceWarnings
    }
}

extension [FloorPlan] {
    /// The error of the first floor that cannot be built; nil if all can.
    public var failure: Failure? { lazy.compactMap { $0.plan.failure?.of($0.name) }.first }

    /// Warnings about the choice of a floor.
    fileprivate var choiceWarnings: [Warning] {
        compactMap { try? $0.plan.get() }.flatMap { $0.images.flatMap(\.warnings) + $0.warnings }
    }
}

extension Failure {
    /// The same failure, with the floor's name before its message.
    package func of(_ floor: FloorName) -> Failure {
        Failure(kind, "\(floor): \(message)", remedy: remedy)
    }
}

extension Warning {
    /// The same warning, with the floor's name before its text.
    package func of(_ floor: FloorName) -> Warning { Warning(name, "\(floor): \(text)") }
}

/// The zooms of the floors of a building: one range for all floors that do not ask for their own, so that
/// sharpness stays the same when floors are switched.
struct BuildingZooms {
    /// The zooms that each floor should request.
    let requests: [ZoomRange]
    /// Warnings about floors that differ from the others.
    let warnings: [Warning]

    /// Finds the zooms. The open ends of a range follow from all floors that ask for this range: the highest
    /// zoom from the finest floor, the lowest from the largest. A floor whose images cannot be read counts as
    /// the last run built it, so that the other floors do not change because of it.
    init(_ floors: [PlacedFloor], earlier: BuildingIndex?) {
        let asked = floors.map(\.request.build.pyramid)
        let alike = Dictionary(grouping: floors.indices) { asked[$0].zoom }
        var requests = asked.map(\.zoom)
        for (zoom, indices) in alike where zoom.minimum == nil || zoom.maximum == nil {
            let ranges = indices.compactMap { Self.zooms(of: floors[$0], earlier: earlier) }
            guard let lowest = ranges.map(\.lowerBound).min(), let highest = ranges.map(\.upperBound).max()
            else { continue }
            for index in indices { requests[index] = ZoomRange(lowest...highest) }
        }
        self.requests = requests
        warnings = Self.warnings(floors.map(\.request), requests)
    }

    private static func zooms(of floor: PlacedFloor, earlier: BuildingIndex?) -> ClosedRange<Int>? {
        let pyramid = floor.request.build.pyramid
        if case .success(let images) = floor.images, let zooms = try? pyramid.zooms(of: images.all) {
            return zooms
        }
        return earlier?.floors.first { $0.floor == floor.request.floor }?.zooms
    }

    private static func warnings(_ floors: [FloorRequest], _ zooms: [ZoomRange]) -> [Warning] {
        func differing<Value: Hashable>(_ values: [Value]) -> (index: Int, usual: Value)? {
            let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
            // The first of the most frequent zooms.
            guard counts.count > 1, let most = counts.values.max(),
                let usual = values.first(where: { counts[$0] == most }),
                let index = values.firstIndex(where: { $0 != usual })
            else { return nil }
            return (index, usual)
        }
        var warnings: [Warning] = []
        if let (index, usual) = differing(zooms) {
            warnings.append(
                Warning(
                    "zooms-differ",
                    "floor '\(floors[index].floor)' has the zooms \(zooms[index].text), but others have "
                        + "\(usual.text): sharpness changes when floors are switched"))
        }
        if let (index, usual) = differing(floors.map(\.build.pyramid.tileSize)) {
            let own = floors[index].build.pyramid.tileSize
            warnings.append(
                Warning(
                    "tile-sizes-differ",
                    "floor '\(floors[index].floor)' has tiles of \(own.rawValue) pixels, but others of "
                        + "\(usual.rawValue): many clients use one size for all floors"))
        }
        return warnings
    }
}

extension ZoomRange {
    /// The range as options write it.
    fileprivate var text: String {
        let ends = [minimum, maximum].map { $0.map(String.init) ?? "" }
        return ends[0] == ends[1] ? ends[0] : ends.joined(separator: "-")
    }
}
