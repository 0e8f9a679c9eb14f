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

/// The build of several buildings as one job, with an index of them.
public struct CampusBuild: Sendable {
    /// What was asked for.
    public let request: CampusRequest
    /// How it is built.
    public let options: BuildingOptions
    /// What is not an error, and what the user should know: a line each.
    public var warnings: [String] {
        buildings.flatMap(\.warnings)
            + request.buildings.filter { !OutputFile.isInside($0.folder, request.folder) }.map {
                "'\($0.folder)' is not below '\(request.folder)': commands that read the folder and not the manifest "
                    + "do not look there"
            }
    }

    let buildings: [BuildingBuild]

    /// Prepares a build, as `BuildingBuild` does.
    ///
    /// - Throws: a `Failure` that says what is wrong with the request.
    public init(_ request: CampusRequest, options: BuildingOptions = BuildingOptions()) throws {
        try request.check()
        try options.check(Manifest.campus(request).floors.map(\.name))
        (self.request, self.options) = (request, options)
        buildings = try request.buildings.map {
            try BuildingBuild($0, options: options, isOneOfSeveral: true)
        }
    }

    /// Builds all floors of all buildings, and writes the indexes.
    ///
    /// - Parameter report: takes progress and warnings.
    /// - Returns: what became of each building, and whether `campus.json` changed.
    /// - Throws: as `BuildingBuild.run`.
    public func run(
        report: @escaping BuildingEventHandler = { _ in }
    ) async throws -> (buildings: [BuildingSummary], indexChanged: Bool) {
        let index = try IndexFile(
            request.indexPath, force: options.force, isOurs: BuildingIndex.isOurs)
        do {
            let run = try BuildingRun(buildings, options: options, index: request.indexPath)
            var changed = false
            let summaries = try await run.run(report: report) { changes, summaries in
                let news = request.index(of: summaries.map(\.index))
                let (bytes, isEmpty) = (news.bytes, news.buildings.isEmpty)
                if index.isNews(bytes, isEmpty: isEmpty) {
                    try changes.take(
                        index: CampusIndex.fileName, isNew: index.earlier == nil, below: nil)
                }
                changed = try index.finish(bytes, isEmpty: isEmpty, fsync: options.fsync)
            }
            return (summaries, changed)
        } catch {
            index.discard()
            throw error
        }
    }
}

extension CampusRequest {
    var indexPath: String { folder.path(of: CampusIndex.fileName) }

    /// A name for people.
    var effectiveName: String { name ?? folder.fileName }

    /// Refuses what contradicts itself.
    ///
    /// - Throws: `.usage`.
    func check() throws(Failure) {
        if buildings.isEmpty { throw Failure(.usage, "a campus needs at least one building") }
        for (index, building) in buildings.enumerated() {
            let before = buildings[..<index]
            if before.contains(where: { OutputFile.areSame($0.folder, building.folder) }) {
                throw Failure(
                    .usage, "two buildings go to '\(building.folder)'",
                    remedy: "give each an output of its own")
            }
            if before.contains(where: { $0.effectiveName == building.effectiveName }) {
                throw Failure(
                    .usage, "two buildings have the name '\(building.effectiveName)'",
                    remedy: "give each a name of its own")
            }
        }
    }

    /// The index of buildings, without those that have none or no floor.
    ///
    /// - Parameter indexes: those of the buildings, in their order.
    func index(of indexes: [BuildingIndex?]) -> CampusIndex {
        let entries = zip(buildings, indexes).compactMap { building, index in
            let way = RelativePath.components(from: folder, to: building.indexPath)
            return index.flatMap { CampusIndex.Building($0, path: way.joined(separator: "/")) }
        }
        return CampusIndex(name: effectiveName, buildings: entries)
    }
}

/// The build of what a manifest asks for: a building, or a campus.
public enum BuildingWork: Sendable {
    /// One building.
    case building(BuildingBuild)
    /// Several.
    case campus(CampusBuild)

    /// Prepares the build.
    ///
    /// - Throws: a `Failure` that says what is wrong with the request.
    public init(_ manifest: Manifest, options: BuildingOptions = BuildingOptions()) throws {
        self =
            switch manifest {
            case .building(let request): .building(try BuildingBuild(request, options: options))
            case .campus(let request): .campus(try CampusBuild(request, options: options))
            }
    }

    /// What is not an error, and what the user should know: a line each.
    public var warnings: [String] {
        switch self {
        case .building(let build): build.warnings
        case .campus(let build): build.warnings
        }
    }

    /// The plans of the floors that are to be built, or what is wrong with them.
    public var plans: [FloorPlan] {
        switch self {
        case .building(let build): build.plans
        case .campus(let build): build.plans
        }
    }

    /// The number of tiles that the floors have at most.
    public var tileCount: Int {
        plans.reduce(0) { $0 + ((try? $1.plan.get())?.tileCount ?? 0) }
    }

    /// Builds all floors; see `BuildingBuild.run`.
    ///
    /// - Returns: what became of each building.
    public func run(report: @escaping BuildingEventHandler = { _ in }) async throws -> [BuildingSummary] {
        switch self {
        case .building(let build): [try await build.run(report: report)]
        case .campus(let build): try await build.run(report: report).buildings
        }
    }
}

extension BuildingBuild {
    /// The plans of the floors that are to be built, or what is wrong with them.
    public var plans: [FloorPlan] {
        floors.map { FloorPlan(name: $0.name, request: $0.request, plan: $0.build.map(\.plan)) }
    }
}

extension CampusBuild {
    /// The plans of the floors that are to be built, or what is wrong with them.
    public var plans: [FloorPlan] { buildings.flatMap(\.plans) }
}

/// A floor of one building, or of one of several.
public struct FloorName: Hashable, Sendable, CustomStringConvertible {
    /// The building's name; nil if there is only one.
    public let building: String?
    /// The floor's name.
    public let floor: String

    /// As errors name it: `floor '1'`, or `floor '1' of 'Tower'`.
    public var description: String { "floor '\(floor)'" + (building.map { " of '\($0)'" } ?? "") }
}

/// What the build of a building tells while it runs.
public enum BuildingEvent: Sendable {
    /// What the build of a floor tells; floors are built side by side.
    case floor(FloorName, BuildEvent)
    /// A floor is done.
    case built(FloorName, BuildSummary)
    /// A floor could not be built, and is as it was.
    case failed(FloorName, Failure)
    /// A floor that nobody asks for any more was removed.
    case removed(FloorName)
}

/// Takes the events of a building's build, one at a time, on whatever task has news.
public typealias BuildingEventHandler = @Sendable (BuildingEvent) -> Void

/// What the build of a building has done.
public struct BuildingSummary: Sendable {
    /// What became of a floor.
    public struct Floor: Sendable {
        /// The floor's name.
        public let name: FloorName
        /// What was done, or why it was not.
        public let outcome: Result<BuildSummary, Failure>
    }

    /// What became of a floor that nobody asked for any more.
    public struct Removal: Sendable {
        /// The floor's name.
        public let name: FloorName
        /// Why it is still there; nil if it is gone.
        public let failure: Failure?
    }

    /// The folder of the building.
    public let folder: String
    /// The floors that were to be built, as they were asked for.
    public let floors: [Floor]
    /// The floors that nobody asked for any more.
    public let removals: [Removal]
    /// Whether `building.json` is new or changed.
    public let indexChanged: Bool
    /// What `building.json` says.
    let index: BuildingIndex

    /// What kept the first floor that failed from being built or removed; nil if all is as it was asked for.
    public var failure: Failure? {
        floors.lazy.compactMap { floor in
            if case .failure(let failure) = floor.outcome { failure } else { nil }
        }.first ?? removals.lazy.compactMap(\.failure).first
    }
}
