import Platform
import Publishing
import Synchronization
import Tilesets

/// The build of a project while people watch it: one at a time. Safe to share.
package final class ProjectBuild: Sendable {
    /// The state of the build, or of a floor.
    private enum Phase: String, Encodable { case idle, waiting, running, done, unchanged, failed, cancelled }

    private struct Floor: Encodable {
        let floor: String
        let label: String
        var state = Phase.waiting
        var done = 0
        var total = 0
        var problem: String?
    }

    private struct Progress: Encodable {
        var state = Phase.idle
        var floors: [Floor] = []
        var warnings: [String] = []
    }

    private struct State {
        var progress = Progress()
        var task: Task<Void, Never>?
    }

    private let project: PlanProject
    private let state = Mutex(State())

    /// Prepares builds of a project.
    package init(_ project: PlanProject) { self.project = project }

    /// The progress as JSON.
    package func progress() throws -> String { try PlanProject.json(state.withLock { $0.progress }) }

    private var isRunning: Bool { state.withLock { $0.progress.state == .running } }

    /// Starts a build, unless one is running.
    ///
    /// - Throws: a `Failure` if the manifest cannot be read.
    package func start() throws {
        let manifest = try manifest()
        let floors = manifest.floors.sorted { $0.request.ordinal < $1.request.ordinal }
            .map { Floor(floor: $0.name.floor, label: $0.request.effectiveLabel) }
        state.withLock { state in
            guard state.progress.state != .running else { return }
            state.progress = Progress(state: .running, floors: floors)
            state.task = Task.detached { [self] in await run(manifest) }
        }
    }

    /// The manifest, whose tiles are not outside of the user's folders.
    private func manifest() throws -> Manifest {
        let manifest = try Manifest(contentsOf: project.manifest)
        for path in manifest.buildings.flatMap(\.outputs) {
            try project.checkMayWrite(
                path, remedy: "build in the terminal: tilewright \(ShellWord.quoted(project.manifest))")
        }
        return manifest
    }

    /// Ends the build without a result. Floors that are done stay.
    package func cancel() async {
        let task = state.withLock { $0.task }
        task?.cancel()
        await task?.value
    }

    private func run(_ manifest: Manifest) async {
        var end = Phase.done
        do {
            let build = try ManifestBuild(manifest)
            note(build.warnings.map(\.text))
            let summaries = try await build.run { [self] in take($0) }
            if summaries.contains(where: { $0.failure != nil }) { end = .failed }
        } catch is CancellationError {
            end = .cancelled
        } catch {
            end = .failed
            note([(error as? Failure)?.line ?? "internal error, please report it: \(error)"])
        }
        state.withLock { state in
            state.progress.state = end
            for index in state.progress.floors.indices where end == .cancelled {
                let isOpen = [.waiting, .running].contains(state.progress.floors[index].state)
                if isOpen { state.progress.floors[index].state = .cancelled }
            }
        }
    }

    private func note(_ lines: [String]) {
        state.withLock { $0.progress.warnings = ($0.progress.warnings + lines).uniqued }
    }

    private func take(_ event: BuildingEvent) {
        switch event {
        case .floor(let name, .began(_, let count)):
            change(name) { ($0.state, $0.done, $0.total) = (.running, 0, count) }
        case .floor(let name, .progressed(let done)): change(name) { $0.done = done }
        case .floor(_, .warning(let warning)): note([warning.text])
        case .built(let name, let summary):
            change(name) {
                $0.state = summary.changes.isEmpty ? .unchanged : .done
                ($0.done, $0.total) = (summary.tileCount, summary.tileCount)
            }
        case .failed(let name, let failure):
            change(name) { ($0.state, $0.problem) = (.failed, failure.line) }
        case .floor(_, .ended), .removed: break
        }
    }

    private func change(_ name: FloorName, _ change: (inout Floor) -> Void) {
        state.withLock { state in
            guard let index = state.progress.floors.firstIndex(where: { $0.floor == name.floor }) else {
                return
            }
            change(&state.progress.floors[index])
        }
    }
}

// Before and after a build

extension ProjectBuild {
    private struct Estimate: Encodable {
        struct Line: Encodable {
            let floor: String
            let label: String
            let tiles: Int
            let bytes: Int
            let zooms: [Int]
        }
        var lines: [Line] = []
        var seconds = 0.0
        /// Why nothing can be built.
        var problem: String?
        /// The errors of floors, by name.
        var problems: [String: String] = [:]
    }

    /// What a build would cost, as JSON: measured on some tiles, which takes up to a second for each floor,
    /// and the time to read its image.
    ///
    /// - Throws: `CancellationError`.
    package func estimate() async throws -> String {
        var estimate = Estimate()
        do {
            let build = try ManifestBuild(manifest())
            for plan in build.plans.sorted(by: { $0.request.ordinal < $1.request.ordinal }) {
                do { try await add(plan, plan.plan.get(), to: &estimate) } catch let failure as Failure {
                    estimate.problems[plan.name.floor] = failure.line
                }
            }
        } catch let failure as Failure { estimate.problem = failure.line }
        return try PlanProject.json(estimate)
    }

    private func add(_ floor: FloorPlan, _ plan: TilesetPlan, to estimate: inout Estimate) async throws {
        let cost = try await plan.sampledEstimate()
        let zooms = plan.levels.map(\.zoom)
        estimate.lines.append(
            Estimate.Line(
                floor: floor.name.floor, label: floor.request.effectiveLabel, tiles: cost.tiles,
                bytes: cost.bytes, zooms: [zooms.first ?? 0, zooms.last ?? 0]))
        estimate.seconds += cost.seconds
    }

    /// Removes what was built: the tiles of all floors, and nothing else.
    ///
    /// - Throws: a `Failure` if a build is running, or if something cannot be removed.
    package func remove() throws {
        if isRunning { throw Failure(.busy, "the floors are being built", remedy: "stop the build first") }
        if FileStatus(at: project.manifest) == nil { return }
        let paths = try manifest().floors.map(\.request.build.output.path).uniqued
        for path in paths where FileStatus(at: path) != nil {
            try TilesetRemoval(path).run()
        }
        state.withLock { $0.progress = Progress() }
    }
}

extension Failure {
    /// The error in one line, with the way out.
    package var line: String { message + (remedy.map { "; \($0)" } ?? "") }
}
