import CommandSupport
import Platform
import Tilesets
import TilewrightKit

/// Shows the progress of a building's build: one bar for all floors, and a line for each floor that changed.
final class BuildingReporter: @unchecked Sendable {
    // Unchecked: events come one at a time, but the compiler cannot see it.

    private let options: ReportOptions
    private let hasRelativeAddresses: Bool
    private let progress: ProgressReporter
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    /// The number of finished tiles of each floor.
    private var done: [FloorName: Int] = [:]
    /// Floors whose colours are being counted, before their tiles are made.
    private var counted: Set<FloorName> = []

    init(_ options: ReportOptions, _ work: ManifestBuild) {
        self.options = options
        hasRelativeAddresses = work.plans.contains { $0.request.build.output.hasRelativeAddresses }
        progress = ProgressReporter(style: options.style, total: work.tileCount)
        start = clock.now
    }

    /// Shows an event.
    func take(_ event: BuildingEvent) {
        switch event {
        case .floor(let name, .began(.colors, _)): counted.insert(name)
        case .floor(let name, .began(.tiles, _)): counted.remove(name)
        case .floor(let name, .progressed(let tilesDone)):
            if counted.contains(name) { break }
            done[name] = tilesDone
            progress.report(done.values.reduce(0, +))
        case .floor(let name, .warning(let line)): say { Console.warn("\(name): \(line)") }
        case .floor: break
        case .built(let name, let summary):
            done[name] = summary.tileCount + summary.skippedCount
            if summary.changes.isEmpty && !options.verbose { break }
            say { Console.say("\(name): " + [summary.changes].closingLine(empty: summary.skippedCount)) }
        case .failed(let name, let failure):
            // Errors are printed even with --quiet.
            progress.finish()
            Console.error(failure.of(name))
        case .removed(let name): say { Console.say("\(name): removed") }
        }
    }

    private func say(_ body: () -> Void) {
        if options.quiet { return }
        progress.finish()
        body()
    }

    /// Prints the sums of all floors.
    ///
    /// - Throws: an error of the first failure's kind, if floors failed. The failures are already printed.
    func finish(_ buildings: [BuildingSummary]) throws {
        progress.finish()
        let floors = buildings.flatMap(\.floors)
        let built = floors.compactMap { try? $0.outcome.get() }
        if !options.quiet {
            let line = built.map(\.changes).closingLine(
                empty: built.reduce(0) { $0 + $1.skippedCount }, elapsed: clock.now - start)
            if hasRelativeAddresses, !built.allSatisfy(\.changes.isEmpty) {
                Console.warn(BuildReporter.relativeAddresses(remedy: "add 'url' to the manifest"))
            }
            Console.say("\(built.count.counted("floor")): \(line)")
        }
        guard let first = buildings.lazy.compactMap(\.failure).first else { return }
        let failed =
            floors.filter { if case .failure = $0.outcome { true } else { false } }.map(\.name)
            + buildings.flatMap(\.removals).filter { $0.failure != nil }.map(\.name)
        throw Failure(
            first.kind,
            "\(failed.count.counted("floor")) could not be built or removed: "
                + failed.map(\.description).joined(separator: ", "),
            remedy: (built.isEmpty ? "" : "the others are done; ")
                + "run the same command again when that is fixed")
    }
}
