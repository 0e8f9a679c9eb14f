import ArgumentParser
import CommandSupport
import Platform
import TilewrightKit
import Tilesets

/// What is reported during a run.
struct ReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How progress is shown on standard error.", valueName: "auto|bar|lines|json|none"))
    var progress: ProgressStyle = .auto

    @Flag(name: .shortAndLong, help: "Print only results and errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Also print the plan and the source of the position.")
    var verbose = false

    /// How progress is shown.
    var style: ProgressStyle { quiet ? .none : progress }

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
        /// Parts of one picture.
        case drawing
    }

    private let shape: Shape?
    private let total: Int
    private let phase: Phase
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
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
        start = clock.now
        // Skips the first line, which would only say that no tile is done.
        if shape == .lines { last = start }
    }

    /// Reports the number of finished tiles.
    func report(_ done: Int) {
        guard let shape else { return }
        let now = clock.now
        if let last, now - last < shape.interval, done < total { return }
        last = now
        if shape == .json { return Console.say(json(done)) }
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

    /// A line of `progress.schema.json`.
    private func json(_ done: Int) -> String {
        let first = phase == .colors ? "\"phase\":\"colours\"," : ""
        let unit = phase == .drawing ? "parts" : "tiles"
        return "{\(first)\"\(unit)Done\":\(done),\"\(unit)Total\":\(total)}"
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
        case .warning(let line): if !quiet { Console.warn(line) }
        }
    }

    /// The warning for TileJSON with relative addresses (TileJSON 3.0.0, 3.2).
    static func relativeAddresses(remedy: String) -> String {
        "the addresses in TileJSON are relative, but the specification requires absolute ones: \(remedy)"
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
