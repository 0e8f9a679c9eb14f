import Diagnostics
import Pyramid
import Synchronization

/// Builds floors side by side: as many at a time as there are jobs, as far as the memory holds them.
///
/// All of them share the jobs: while one floor is hashed or published, which one core does, the others render.
struct FloorQueue {
    private let floors: [FloorBuild]
    private let resources: BuildResources

    /// Takes floors, which begin in their order.
    init(_ floors: [FloorBuild], resources: BuildResources) {
        (self.floors, self.resources) = (floors, resources)
    }

    /// Builds all floors.
    ///
    /// - Returns: what became of each.
    /// - Throws: `CancellationError` if the task was cancelled; floors that are not finished go on from there.
    func run(report: @escaping BuildingEventHandler) async throws -> [Result<BuildSummary, Failure>] {
        let permits = JobPermits(resources.effectiveJobs)
        let lock = Mutex(())
        let tell: BuildingEventHandler = { event in lock.withLock { _ in report(event) } }
        var outcomes: [Int: Result<BuildSummary, Failure>] = [:]
        try await withThrowingTaskGroup(of: (Int, Result<BuildSummary, Failure>).self) { group in
            var waiting = floors.indices[...]
            var running: Set<Int> = []
            while !waiting.isEmpty || !running.isEmpty {
                while let next = waiting.first, fits(next, beside: running) {
                    waiting.removeFirst()
                    running.insert(next)
                    let floor = floors[next]
                    group.addTask { (next, try await Self.build(floor, sharing: permits, report: tell)) }
                }
                guard let (index, outcome) = try await group.next() else { break }
                running.remove(index)
                outcomes[index] = outcome
            }
        }
        return floors.indices.map { outcomes[$0].certain("each floor came to an end") }
    }

    /// Whether there is a job and memory for a floor; one by itself always runs.
    private func fits(_ floor: Int, beside running: Set<Int>) -> Bool {
        if running.isEmpty { return true }
        let bytes = running.reduce(floors[floor].bytes) { $0 + floors[$1].bytes }
        return running.count < resources.effectiveJobs && bytes <= resources.memory
    }

    private static func build(
        _ floor: FloorBuild, sharing permits: JobPermits, report: @escaping BuildingEventHandler
    ) async throws -> Result<BuildSummary, Failure> {
        do {
            var build = try floor.build.get()
            build.permits = permits
            build.announce = floor.announce
            let summary = try await build.run { report(.floor(floor.name, $0)) }
            report(.built(floor.name, summary))
            return .success(summary)
        } catch let failure as Failure {
            report(.failed(floor.name, failure))
            return .failure(failure)
        }
    }
}
