import Platform
import Publishing
import Tilesets

/// The build of a building: all floors as one job, under one budget of cores and memory.
///
/// ```swift
/// var ground = BuildRequest(ImageRequest("ground.png"), output: OutputRequest("tiles"))
/// ground.output.floor = "0"
/// ground.output.template = "L{floor}_{z}_{x}_{y}.{ext}"
/// let building = BuildingRequest([FloorRequest(ordinal: 0, build: ground)], in: "tiles")
/// let summary = try await BuildingBuild(building).run()
/// ```
///
/// Each floor gets the same bytes as if it were built alone. It is published whole or not at all, and an
/// error on one floor does not stop the others.
public struct BuildingBuild: Sendable {
    /// The request.
    public let request: BuildingRequest
    /// How the building is built.
    public let options: BuildingOptions
    /// Warnings for the user, a line each.
    public let warnings: [Warning]

    let floors: [FloorBuild]
    /// The building's name, if others are built in the same run.
    let name: String?
    /// The index that was there when the build was prepared.
    let found: FoundIndex?

    /// Prepares a build: looks at all images, finds their places, and plans. A floor with an error fails only
    /// when it is built.
    ///
    /// - Throws: a `Failure` that says what is wrong with the request.
    public init(_ request: BuildingRequest, options: BuildingOptions = BuildingOptions()) throws {
        try options.check(request.floors.map { FloorName(building: nil, floor: $0.floor) })
        try self.init(request, options: options, isOneOfSeveral: false)
    }

    init(_ request: BuildingRequest, options: BuildingOptions, isOneOfSeveral: Bool) throws {
        try request.check()
        (self.request, self.options) = (request, options)
        let name = isOneOfSeveral ? request.effectiveName : nil
        self.name = name
        found = options.force ? nil : try FoundIndex(request.indexPath)
        let earlier = found?.index
        let fits = SharedFits()
        let placed: [PlacedFloor] = request.floors.map { floor in
            (
                floor,
                .ofFloor { try PlacedImages(floor.build.images, resources: options.resources, fits: fits) }
            )
        }
        // Errors of floors are kept for later, but cancellation ends the preparation.
        try Task.checkCancellation()
        let zooms = BuildingZooms(placed, earlier: earlier)
        floors = zip(placed, zooms.requests).filter { placed, _ in
            options.names(placed.request.floor, of: name)
        }.map { placed, zoom in
            FloorBuild(
                placed, zoom: zoom, options: options, building: name,
                isKnown: request.hasBuilt(placed.request.floor, accordingTo: earlier))
        }
        warnings = zooms.warnings + floors.flatMap(\.warnings)
    }

    /// Builds the floors, removes what the building no longer has (see `BuildingSummary/Removal`), and writes
    /// the index.
    ///
    /// - Parameter report: takes progress and warnings.
    /// - Throws: a `Failure`: `outputRefused` if an index exists that tilewright did not make, `busy` if
    ///   another run builds the building, `inputOutput` if the index cannot be written; `CancellationError`
    ///   if the task was cancelled. The errors of floors are in the summary.
    public func run(report: @escaping BuildingEventHandler = { _ in }) async throws -> BuildingSummary {
        try await BuildingRun([self], options: options, index: request.indexPath).run(report: report)[0]
    }
}

/// An index that was read.
struct FoundIndex: Sendable {
    /// The bytes of the file.
    let bytes: [UInt8]
    /// Its contents; nil if tilewright did not write it.
    let index: BuildingIndex?

    /// - Throws: a `Failure` if it cannot be read, or names a file outside its folder.
    init?(_ path: String) throws {
        guard let bytes = try IndexFile.read(path) else { return nil }
        self.bytes = bytes
        index = try BuildingIndex(parsing: bytes, path: path)
    }
}

extension BuildingRequest {
    /// Whether an index says that the same manifest has built a floor.
    fileprivate func hasBuilt(_ floor: String, accordingTo index: BuildingIndex?) -> Bool {
        guard let index, let manifest = index.manifest, manifest == manifests.first?.fileName else {
            return false
        }
        return index.floors.contains { $0.floor == floor }
    }
}

/// The build of a manifest: one building, or several as one job with an index of all.
public struct ManifestBuild: Sendable {
    private let buildings: [BuildingBuild]
    /// The request, if there are several buildings.
    private let campus: CampusRequest?
    private let options: BuildingOptions

    /// Prepares a build, as `BuildingBuild` does.
    ///
    /// - Throws: a `Failure` that says what is wrong with the request.
    public init(_ manifest: Manifest, options: BuildingOptions = BuildingOptions()) throws {
        self.options = options
        switch manifest {
        case .building(let request):
            buildings = [try BuildingBuild(request, options: options)]
            campus = nil
        case .campus(let request):
            try request.check()
            try options.check(manifest.floors.map(\.name))
            buildings = try request.buildings.map {
                try BuildingBuild($0, options: options, isOneOfSeveral: true)
            }
            campus = request
        }
    }

    /// Warnings for the user, a line each.
    public var warnings: [Warning] {
        let outside = campus.map { campus in
            campus.buildings.filter { !OutputFile.isInside($0.folder, campus.folder) }.map {
                Warning(
                    "building-elsewhere",
                    "'\($0.folder)' is not inside '\(campus.folder)': commands that are given "
                        + "'\(campus.folder)' instead of the manifest will not find it")
            }
        }
        return buildings.flatMap(\.warnings) + (outside ?? [])
    }

    /// The plans of the floors to build, or the errors of the floors.
    public var plans: [FloorPlan] {
        buildings.flatMap(\.floors).map {
            FloorPlan(name: $0.name, request: $0.request, plan: $0.build.map(\.plan))
        }
    }

    /// The maximum number of tiles that the floors can have.
    public var tileCount: Int {
        plans.reduce(0) { $0 + ((try? $1.plan.get())?.tileCount ?? 0) }
    }

    /// Builds all floors, and writes the indexes; see `BuildingBuild.run`.
    ///
    /// - Returns: the result of each building.
    public func run(report: @escaping BuildingEventHandler = { _ in }) async throws -> [BuildingSummary] {
        guard let campus else { return [try await buildings[0].run(report: report)] }
        let index = try IndexFile(campus.indexPath, force: options.force, isOurs: BuildingIndex.isOurs)
        do {
            let run = try BuildingRun(buildings, options: options, index: campus.indexPath)
            return try await run.run(report: report) { changes, summaries in
                let news = campus.index(of: summaries.map(\.index))
                _ = try changes.replace(
                    index, with: news.bytes, isEmpty: news.buildings.isEmpty, named: CampusIndex.fileName,
                    below: nil, fsync: options.fsync)
            }
        } catch {
            index.discard()
            throw error
        }
    }
}

/// The name of a floor of one building, or of one of several.
public struct FloorName: Hashable, Sendable, CustomStringConvertible {
    /// The building's name; nil if there is only one.
    public let building: String?
    /// The floor's name.
    public let floor: String

    /// The name in messages: `floor '1'`, or `floor '1' of 'Tower'`.
    public var description: String { "floor '\(floor)'" + (building.map { " of '\($0)'" } ?? "") }
}

/// The events of a building's build while it runs.
public enum BuildingEvent: Sendable {
    /// An event of a floor's build; several floors are built at the same time.
    case floor(FloorName, BuildEvent)
    /// A floor is done.
    case built(FloorName, BuildSummary)
    /// A floor could not be built, and is as it was.
    case failed(FloorName, Failure)
    /// A floor that the request no longer has was removed, or the former archive of a floor.
    case removed(FloorName)
}

/// Receives the events of a building's build, one at a time, on the task that reports the event.
public typealias BuildingEventHandler = @Sendable (BuildingEvent) -> Void

/// The result of a building's build.
public struct BuildingSummary: Sendable {
    /// The result of a floor.
    public struct Floor: Sendable {
        /// The floor's name.
        public let name: FloorName
        /// The result of the build, or the error.
        public let outcome: Result<BuildSummary, Failure>
    }

    /// The removal of a floor that the request no longer has, or of a floor's former archive.
    public struct Removal: Sendable {
        /// The floor's name.
        public let name: FloorName
        /// The reason why the removal failed; nil if it succeeded.
        public let failure: Failure?
    }

    /// The folder of the building.
    public let folder: String
    /// The floors that were to be built, in the request's order.
    public let floors: [Floor]
    /// The removals of floors that the request no longer has, and of floors' former archives.
    public let removals: [Removal]
    /// Whether `building.json` is new or changed.
    public let indexChanged: Bool
    /// The contents of `building.json`.
    let index: BuildingIndex

    /// The error of the first floor that could not be built or removed; nil if there is none.
    public var failure: Failure? {
        (floors.compactMap(\.outcome.failure) + removals.compactMap(\.failure)).first
    }
}
