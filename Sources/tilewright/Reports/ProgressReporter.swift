import CommandSupport
import Diagnostics
/// Shows how far a run has got, now and then.
final class ProgressReporter {
    private let shape: Shape?
    private let total: Int
    private let phase: String?
    private let unit: String
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant?

    private enum Shape { case bar, json }

    /// Time between two reports: often enough to look alive, seldom enough to cost nothing.
    private static let interval = Duration.milliseconds(100)

    /// - Parameters:
    ///   - phase: what is done to the tiles, if that is not writing them.
    ///   - unit: what is counted.
    init(style: ProgressStyle, total: Int, phase: String? = nil, unit: String = "tile") {
        shape =
            switch style {
            case .auto: Console.isTerminal ? .bar : nil
            case .bar: .bar
            case .json: .json
            case .none: nil
            }
        self.total = total
        self.phase = phase
        self.unit = unit
        start = clock.now
    }

    /// Takes note of the number of tiles that are done.
    func report(_ done: Int) {
        guard let shape else { return }
        let now = clock.now
        if let last, now - last < Self.interval, done < total { return }
        last = now
        switch shape {
        case .bar: Console.show("\r" + bar(done, elapsed: now - start) + "\u{1B}[K")
        case .json: Console.say(json(done))
        }
    }

    private func json(_ done: Int) -> String {
        let first = phase.map { "\"phase\":\"\($0)\"," } ?? ""
        return "{\(first)\"\(unit)sDone\":\(done),\"\(unit)sTotal\":\(total)}"
    }

    /// Clears the bar.
    func finish() {
        if shape == .bar, last != nil { Console.show("\r\u{1B}[K") }
    }

    private func bar(_ done: Int, elapsed: Duration) -> String {
        // The total of a zoom with very many tiles is an estimate, which a build can exceed.
        let share = Double(done) / Double(max(total, done, 1))
        let width = 30
        let filled = Int(share * Double(width))
        let bar =
            String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        let left = share > 0 ? elapsed.seconds * (1 - share) / share : 0
        let name = phase.map { "\($0) " } ?? ""
        return
            "\(name)[\(bar)] \(done) of \(total.counted(unit)), \(left.text(decimals: 0)) s left"
    }
}
