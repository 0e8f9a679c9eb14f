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
/// Each floor has the bytes of a build by itself. It is published whole or not at all, and what fails on one
/// floor does not keep the others from being built.
public struct BuildingBuild: Sendable {
    /// What was asked for.
    public let request: BuildingRequest
    /// How it is built.
    public let options: BuildingOptions
    /// What is not an error, and what the user should know: a line each.
    public let warnings: [String]

    let floors: [FloorBuild]
    /// The building's name, if others are built in the same run.
    let name: String?
    /// The index that was there when the build was prepared.
    let found: FoundIndex?

    /// Prepares a build: looks at all images, finds their places, and plans. A floor with which something is
    /// wrong fails when it is built, and not now.
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
        let placed = request.floors.map { PlacedFloor($0, resources: options.resources, fits: fits) }
        // What is wrong with a floor is kept for later, but not that nothing was looked at.
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

    /// Builds the floors, removes those that nobody asks for any more, and writes the index.
    ///
    /// - Parameter report: takes progress and warnings.
    /// - Throws: a `Failure`: `outputRefused` if the index there is not ours, `busy` if another run builds the
    ///   building, `inputOutput` if the index cannot be written; `CancellationError` if the task was cancelled.
    ///   What keeps a floor from being built is in the summary.
    public func run(report: @escaping BuildingEventHandler = { _ in }) async throws -> BuildingSummary {
        try await BuildingRun([self], options: options, index: request.indexPath).run(report: report)[0]
    }
}

/// An index that was read.
struct FoundIndex: Sendable {
    /// The file.
    let bytes: [UInt8]
    /// What it says; nil if it is none of ours.
    let index: BuildingIndex?

    /// - Throws: a `Failure` if it cannot be read, or names what is not in the folder.
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

    /// The path of the index.
    var indexPath: String { folder.path(of: BuildingIndex.fileName) }

    /// The folders and archives of the floors, and the index.
    var outputs: [String] {
        var seen: Set<String> = []
        return floors.map(\.build.output.path).filter { seen.insert($0).inserted } + [indexPath]
    }

    /// A name for people.
    var effectiveName: String { name ?? folder.fileName }

    /// Refuses what contradicts itself.
    ///
    /// - Throws: `.usage`.
    func check() throws(Failure) {
        let names = floors.map(\.floor)
        if names.isEmpty { throw Failure(.usage, "a building needs at least one floor") }
        if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw Failure(.usage, "two floors have the name '\(name)'", remedy: "give each a name of its own")
        }
        for floor in floors {
            let output = floor.build.output
            let place = output.container.isArchive ? output.path.parentDirectory : output.path
            guard OutputFile.areSame(place, folder) else {
                throw Failure(
                    .usage,
                    "floor '\(floor.floor)' goes to '\(output.path)', and the building to '\(folder)'",
                    remedy: "let all floors of a building go to one folder")
            }
        }
    }
}

extension BuildingOptions {
    /// Refuses what contradicts itself.
    ///
    /// - Parameter floors: the names of all floors that there are.
    /// - Throws: `.usage`.
    func check(_ floors: [FloorName]) throws(Failure) {
        try resources.check()
        if let name = only?.first(where: { name in !floors.contains { $0.isMeant(by: name) } }) {
            throw Failure(
                .usage, "--only names a floor '\(name)', and there is none",
                remedy: "the floors are \(floors.map { "'\($0.choice)'" }.joined(separator: ", "))")
        }
    }

    /// Whether a floor is to be built.
    func names(_ floor: String, of building: String?) -> Bool {
        guard let only else { return true }
        return only.contains { FloorName(building: building, floor: floor).isMeant(by: $0) }
    }
}
