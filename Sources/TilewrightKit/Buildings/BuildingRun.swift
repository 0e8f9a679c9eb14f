import Diagnostics
import Files

/// A run that builds buildings: their indexes are locked from its beginning to its end.
struct BuildingRun {
    private let buildings: [OpenBuilding]
    private let options: BuildingOptions
    private let inputs: BuildingInputs

    /// Locks the indexes.
    ///
    /// - Parameter index: what depends on all inputs.
    /// - Throws: a `Failure`: `outputRefused` if an index is not ours or a list cannot be written, `busy` if
    ///   another run builds one of the buildings.
    init(_ builds: [BuildingBuild], options: BuildingOptions, index: String) throws {
        inputs = BuildingInputs(builds)
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

    /// Builds all floors, and ends each building.
    ///
    /// - Returns: what became of each building.
    /// - Throws: `CancellationError`, or a `Failure` if an index cannot be written.
    func run(report: @escaping BuildingEventHandler) async throws -> [BuildingSummary] {
        do {
            let floors = buildings.flatMap(\.build.floors)
            var outcomes = try await FloorQueue(floors, resources: options.resources).run(report: report)[...]
            if let change = inputs.change() { throw change }
            return try buildings.map { building in
                let own = outcomes.prefix(building.build.floors.count)
                outcomes = outcomes.dropFirst(own.count)
                return try building.finish(Array(own), report: report)
            }
        } catch {
            // Those that were finished stay so.
            buildings.forEach { $0.discard() }
            throw error
        }
    }
}
