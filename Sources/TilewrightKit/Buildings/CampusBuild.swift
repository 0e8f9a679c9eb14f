import Platform
import Publishing
import Tilesets

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
