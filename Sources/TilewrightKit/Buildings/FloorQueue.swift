import Platform
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
        let images = floors.flatMap { (try? $0.build.get().plan.images) ?? [] }
        let (jobs, memory) = (
            FairSemaphore(resources.effectiveJobs), FairSemaphore(resources.pixelMemory(of: images))
        )
        let lock = Mutex(())
        let tell: BuildingEventHandler = { event in lock.withLock { _ in report(event) } }
        var outcomes: [Int: Result<BuildSummary, Failure>] = [:]
        try await withThrowingTaskGroup(of: (Int, Result<BuildSummary, Failure>).self) { group in
            var waiting = floors.indices[...]
            func start() {
                guard let next = waiting.popFirst() else { return }
                let floor = floors[next]
                group.addTask {
                    (next, try await Self.build(floor, jobs: jobs, memory: memory, report: tell))
                }
            }
            for _ in 0..<resources.effectiveJobs { start() }
            while let (index, outcome) = try await group.next() {
                outcomes[index] = outcome
                start()
            }
        }
        return floors.indices.map { outcomes[$0].unwrapped("each floor came to an end") }
    }

    private static func build(
        _ floor: FloorBuild, jobs: FairSemaphore, memory: FairSemaphore,
        report: @escaping BuildingEventHandler
    ) async throws -> Result<BuildSummary, Failure> {
        do {
            var build = try floor.build.get()
            (build.semaphore, build.memory) = (jobs, memory)
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
