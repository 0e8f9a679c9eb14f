import ArgumentParser
import CommandSupport
import Platform
import TilewrightKit
import Tilesets

/// What is reported during a run.
struct ReportOptions: ParsableArguments {
    @OptionGroup var progress: ProgressOptions

    @Flag(name: .shortAndLong, help: "Also print the plan and the source of the position.")
    var verbose = false

    /// Whether only results and errors are printed.
    var quiet: Bool { progress.quiet }
    /// How progress is shown.
    var style: ProgressStyle { progress.style }

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose cannot be combined") }
    }
}

/// How progress is shown.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// A bar on a terminal, or lines if the terminal cannot show a bar; nothing if there is no terminal.
    case auto
    /// Always a bar.
    case bar
    /// Plain lines at intervals, for screen readers and logs.
    case lines
    /// Lines of JSON at intervals.
    case json
    /// Nothing.
    case none
}

/// What is reported during a run, by commands that have little to report.
struct ProgressOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How progress is shown on standard error.", valueName: "auto|bar|lines|json|none"))
    var progress: ProgressStyle = .auto

    @Flag(name: .shortAndLong, help: "Print only results and errors.")
    var quiet = false

    /// How progress is shown.
    var style: ProgressStyle { quiet ? .none : progress }
}

/// Shows the progress of a run at intervals.
final class ProgressReporter {
    /// A phase of the run.
    enum Phase: String {
        case tiles
        /// Colours are counted, for a palette.
        case colors = "reading colours"
        case checking = "checking tiles"
        case copying = "copying tiles"
        case comparing = "comparing tiles"
        /// Objects are put into a store, and removed from it.
        case publishing
        /// Parts of one picture.
        case drawing
        /// A CAD drawing is read, and its page is drawn; in hundredths.
        case readingCAD = "reading the drawing"
        case drawingCAD = "drawing its page"
    }

    private let shape: Shape?
    private let total: Int
    private let phase: Phase
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?
    private var rate = ProgressRate()

    private enum Shape {
        case bar, lines, json

        /// The time between two reports: short enough to look alive, long enough to cost nothing. Lines may
        /// be read aloud by a screen reader, so they come less often.
        var interval: Duration { self == .lines ? .seconds(10) : .milliseconds(100) }
    }

    init(style: ProgressStyle, total: Int, phase: Phase = .tiles) {
        shape =
            switch style {
            case .auto: Console.canRedraw ? .bar : Console.isTerminal ? .lines : nil
            case .bar: .bar
            case .lines: .lines
            case .json: .json
            case .none: nil
            }
        self.total = total
        self.phase = phase
        // Skips the first line, which would only say that no tile is done.
        if shape == .lines { last = start }
    }

    /// Reports the number of finished tiles.
    func report(_ done: Int) {
        guard let shape else { return }
        let now = ContinuousClock.now
        if let last, now - last < shape.interval, done < total { return }
        last = now
        if shape == .json { return Console.tell(.progress, json(done)) }
        rate.note(done, after: (now - start).seconds)
        let line = ProgressLine(
            phase.rawValue, done: done, total: total, rate: rate.perSecond,
            left: done < total ? rate.left(of: total) : nil)
        if shape == .bar {
            Console.showStatus(line.text(columns: Console.columns))
        } else {
            Console.say(line.plain)
        }
    }

    /// The members of a line of `progress.schema.json`.
    private func json(_ done: Int) -> String {
        let name: String? =
            switch phase {
            case .colors: "colours"
            case .readingCAD: "reading"
            case .drawingCAD: "drawing"
            default: nil
            }
        let first = name.map { "\"phase\":\"\($0)\"," } ?? ""
        let unit = [.drawing, .readingCAD, .drawingCAD].contains(phase) ? "parts" : "tiles"
        return "\(first)\"\(unit)Done\":\(done),\"\(unit)Total\":\(total)"
    }

    /// Clears the bar.
    ///
    /// - Parameter next: the name of the next phase, if its length is unknown.
    func finish(before next: String? = nil) {
        guard shape == .bar, last != nil else { return }
        if let next, next.count < Console.columns { Console.showStatus(next) } else { Console.clearStatus() }
    }
}

/// Shows the events of a build: a bar or lines for its progress, and its warnings.
final class BuildReporter {
    private let style: ProgressStyle
    private let quiet: Bool
    private var progress: ProgressReporter?
    private var isMakingTiles = false

    /// If `quiet` is set, the reporter shows nothing, not even warnings.
    init(_ style: ProgressStyle, quiet: Bool) { (self.style, self.quiet) = (style, quiet) }

    /// Shows an event.
    func take(_ event: BuildEvent) {
        switch event {
        case .began(let phase, let tileCount):
            isMakingTiles = phase == .tiles
            progress = ProgressReporter(
                style: style, total: tileCount, phase: isMakingTiles ? .tiles : .colors)
        case .progressed(let tilesDone): progress?.report(tilesDone)
        // After all tiles are made, they are moved to their places; an archive gets its name.
        case .ended: isMakingTiles ? progress?.finish(before: "writing") : progress?.finish()
        case .warning(let warning): RunRecord.warn(warning, isQuiet: quiet)
        }
    }

    /// The warning for TileJSON with relative addresses (TileJSON 3.0.0, 3.2).
    static func relativeAddresses(remedy: String) -> Warning {
        Warning(
            "relative-addresses",
            "the addresses in TileJSON are relative, but the specification requires absolute ones: \(remedy)"
        )
    }
}

extension [TilesetSummary] {
    /// The last line of a run, about all tilesets that it made.
    ///
    /// - Parameter elapsed: nil for a part of a run.
    func closingLine(empty: Int, elapsed: Duration? = nil) -> String {
        func sum(_ count: (TilesetSummary) -> Int) -> Int { reduce(0) { $0 + count($1) } }
        return [
            "\(sum(\.written).counted("tile")) written", "\(sum(\.unchanged)) unchanged",
            "\(sum(\.removed.count)) removed", "\(empty) skipped", sum(\.bytes).byteText,
            elapsed.map { "\($0.seconds.text(decimals: 1)) s" },
        ].compactMap(\.self).joined(separator: ", ")
    }
}

/// Shows the progress of a building's build: one bar for all floors, and a line for each floor that changed.
final class BuildingReporter: @unchecked Sendable {
    // Unchecked: events come one at a time, but the compiler cannot see it.

    private let options: ReportOptions
    private let hasRelativeAddresses: Bool
    private let progress: ProgressReporter
    private let start = ContinuousClock.now
    /// The floors in reports, before they are built.
    private let outputs: [FloorName: RunOutput]
    /// The number of finished tiles of each floor.
    private var done: [FloorName: Int] = [:]
    /// Floors whose colours are being counted, before their tiles are made.
    private var counted: Set<FloorName> = []

    init(_ options: ReportOptions, _ work: ManifestBuild) {
        self.options = options
        hasRelativeAddresses = work.plans.contains { $0.request.build.output.hasRelativeAddresses }
        progress = ProgressReporter(style: options.style, total: work.tileCount)
        outputs = Dictionary(work.plans.map { ($0.name, $0.output) }) { first, _ in first }
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
        case .floor(let name, .warning(let warning)):
            if !options.quiet { progress.finish() }
            RunRecord.warn(warning.of(name), isQuiet: options.quiet)
        case .floor: break
        case .built(let name, let summary):
            done[name] = summary.tileCount + summary.skippedCount
            let output = note(name) { $0.done(summary) }
            if summary.changes.isEmpty, !options.verbose, !EventLine.areWanted { break }
            say(
                "\(name): " + [summary.changes].closingLine(empty: summary.skippedCount), about: output)
        case .failed(let name, let failure):
            // Errors are printed even with --quiet.
            progress.finish()
            let output = note(name) { $0.failed(failure) }
            if EventLine.areWanted { Console.tell(.floor, output) } else { Console.error(failure.of(name)) }
        case .removed(let name):
            let output = note(name) { place in
                var output = place
                output.state = .removed
                return output
            }
            say("\(name): removed", about: output)
        }
    }

    /// Notes what became of a floor; one that the manifest no longer names is at the place of the others.
    private func note(_ name: FloorName, _ change: (RunOutput) -> RunOutput) -> RunOutput {
        let place = outputs.first { $0.key.building == name.building }?.value.path ?? ""
        let output = change(outputs[name] ?? RunOutput(place, floor: name.floor, of: name.building))
        RunRecord.note(output)
        return output
    }

    private func say(_ line: String, about output: RunOutput) {
        if options.quiet { return }
        progress.finish()
        Console.say(line, as: .floor, output)
    }

    /// Prints the sums of all floors.
    ///
    /// - Throws: an error of the first failure's kind, if floors failed. The failures are already printed.
    func finish(_ buildings: [BuildingSummary]) throws {
        progress.finish()
        let floors = buildings.flatMap(\.floors)
        let built = floors.compactMap { try? $0.outcome.get() }
        if hasRelativeAddresses, !built.allSatisfy(\.changes.isEmpty) {
            RunRecord.warn(
                BuildReporter.relativeAddresses(remedy: "add 'url' to the manifest"),
                isQuiet: options.quiet)
        }
        if !options.quiet {
            let line = built.map(\.changes).closingLine(
                empty: built.reduce(0) { $0 + $1.skippedCount }, elapsed: start.duration(to: .now))
            Console.say(
                "\(built.count.counted("floor")): \(line)", as: .result,
                RunOutput(sumOf: built, in: buildings[0].folder))
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
