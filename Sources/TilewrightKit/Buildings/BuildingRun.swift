import Platform

/// A run that builds buildings: their indexes are locked from its beginning to its end.
struct BuildingRun {
    private let buildings: [OpenBuilding]
    private let options: BuildingOptions
    private let inputs: BuildingInputs
    /// The path of the index that depends on all inputs.
    private let index: String

    /// Locks the indexes.
    ///
    /// - Parameter index: what depends on all inputs.
    /// - Throws: a `Failure`: `outputRefused` if an index is not ours or a list cannot be written, `busy` if
    ///   another run builds one of the buildings.
    init(_ builds: [BuildingBuild], options: BuildingOptions, index: String) throws {
        inputs = BuildingInputs(builds)
        self.index = index
        try OutputLists(changes: options.changes, depfile: options.depfile).check(
            inputs: inputs.paths, outputs: builds.flatMap(\.request.outputs) + [index])
        try Self.check(builds, index: index, sparing: ReadFiles(inputs.paths))
        if let depfile = options.depfile {
            let dependencies = inputs.dependencies(of: index)
            try dependencies.check()
            try OutputFile.write(dependencies.text.utf8, to: depfile)
        }
        var buildings: [OpenBuilding] = []
        do {
            for build in builds { buildings.append(try OpenBuilding(build)) }
        } catch {
            buildings.forEach { $0.discard() }
            throw error
        }
        (self.buildings, self.options) = (buildings, options)
    }

    /// Refuses to write over what is read for any of the floors, or to remove it.
    private static func check(_ builds: [BuildingBuild], index: String, sparing files: ReadFiles) throws {
        for path in builds.map(\.request.indexPath) + [index] { try files.check(file: path) }
        for floor in builds.flatMap(\.floors) {
            if case .success(let build) = floor.build { try build.check(sparing: files) }
        }
    }

    /// Builds all floors, and ends each building.
    ///
    /// - Parameters:
    ///   - report: takes progress and warnings.
    ///   - end: what is done when all are ended, before the list of changes is.
    /// - Returns: what became of each building.
    /// - Throws: `CancellationError`, or a `Failure` if an index cannot be written.
    func run(
        report: @escaping BuildingEventHandler,
        atEnd end: (BuildingChanges, [BuildingSummary]) throws -> Void = { _, _ in }
    ) async throws -> [BuildingSummary] {
        let changes = try BuildingChanges(options.changes, maxTiles: options.resources.maxTiles)
        do {
            var floors: [FloorBuild] = []
            for building in buildings {
                floors += building.floors(
                    tellingTo: changes, from: floors.count, below: folder(of: building))
            }
            var outcomes = try await FloorQueue(floors, resources: options.resources).run(report: report)[...]
            if let change = inputs.change() { throw change }
            let summaries = try buildings.map { building in
                let own = outcomes.prefix(building.build.floors.count)
                outcomes = outcomes.dropFirst(own.count)
                return try building.finish(
                    Array(own), tellingTo: changes, from: own.startIndex, below: folder(of: building),
                    report: report)
            }
            try end(changes, summaries)
            try changes.finish()
            return summaries
        } catch {
            // Those that were finished stay so.
            buildings.forEach { $0.discard() }
            throw error
        }
    }

    /// What stands before the relative addresses of a building in the list; nil for nothing.
    private func folder(of building: OpenBuilding) -> String? {
        let way = RelativePath.components(from: index.parentDirectory, to: building.build.request.folder)
        return way.isEmpty ? nil : way.map { TilesetMetadata.escaped($0) }.joined(separator: "/")
    }
}
