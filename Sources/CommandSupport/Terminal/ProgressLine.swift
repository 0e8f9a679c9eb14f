import Platform

/// How far a run has got, in one line that fits a terminal: the narrower it is, the less stands there.
package struct ProgressLine {
    /// What is done, as `tiles`.
    package var phase: String
    /// How many are done.
    package var done: Int
    /// How many there are; an estimate for very many tiles, which a build can exceed.
    package var total: Int
    /// How many are done in a second, if that is known.
    package var rate: Double?
    /// Seconds that are left, if that can be told.
    package var left: Double?

    package init(_ phase: String, done: Int, total: Int, rate: Double? = nil, left: Double? = nil) {
        (self.phase, self.done, self.total, self.rate, self.left) = (phase, done, total, rate, left)
    }

    private static let bars = 10...30
    /// So that the bar keeps its length: room for `12 h 59 min left` and `9999/s`.
    private static let widestLeft = 16
    private static let widestRate = 6

    /// The line for a terminal.
    ///
    /// - Parameter columns: the width of the terminal. The last column stays free, since some terminals begin a
    ///   new line there.
    package func text(columns: Int) -> String {
        let most = max(0, columns - 1)
        let counts = Self.phrases([percent, count])
        let fixed = "\(phase) []  \(counts)".count + 4 + Self.widestRate + Self.widestLeft
        let bar = min(most - fixed, Self.bars.upperBound)
        if bar >= Self.bars.lowerBound {
            return Self.phrases(["\(phase) \(drawn(bar))", counts, rateText, leftText])
        }
        let forms = [
            [phase, percent, count, rateText, leftText], [phase, percent, count, leftText],
            [phase, percent, leftText], [percent, leftText], [percent],
        ].map(Self.phrases)
        return forms.first { $0.count <= most } ?? ""
    }

    /// The line for those who read line by line.
    package var plain: String {
        let parts = ["\(done) of \(total)", rateText, leftText].compactMap(\.self)
        return "\(phase): \(percent.drop { $0 == " " }), \(parts.joined(separator: ", "))"
    }

    private static func phrases(_ parts: [String?]) -> String {
        parts.compactMap(\.self).joined(separator: "  ")
    }

    /// From 0 to 1.
    private var share: Double { Double(done) / Double(max(total, done, 1)) }

    private var percent: String { "\(Int(share * 100)) %".aligned(right: 5) }

    private var count: String { "\("\(done)".aligned(right: "\(total)".count)) of \(total)" }

    private var rateText: String? {
        guard let rate, rate > 0 else { return nil }
        if rate < 1 { return "\((rate * 60).text(decimals: 0))/min" }
        return "\(rate.text(decimals: rate < 10 ? 1 : 0))/s"
    }

    private var leftText: String? {
        guard let left, left < 1e6 else { return nil }
        let seconds = Int(left.rounded(.up))
        if seconds < 90 { return "\(seconds) s left" }
        let minutes = (seconds + 30) / 60
        return minutes < 90 ? "\(minutes) min left" : "\(minutes / 60) h \(minutes % 60) min left"
    }

    private func drawn(_ width: Int) -> String {
        let filled = Int(share * Double(width))
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
            + "]"
    }
}

/// How fast a run goes, by its last seconds.
package struct ProgressRate {
    private var samples: [(seconds: Double, done: Int)] = []

    /// Seconds that are looked at: the first tiles of a run may come from the last one, or be empty.
    private static let window = 10.0
    /// Seconds before anything is said.
    private static let patience = 1.0
    /// How much faster one half of the window may be than the other one if both are to say what follows.
    private static let steadiness = 2.0

    package init() {}

    /// Takes note of how many are done.
    ///
    /// - Parameter seconds: since the beginning.
    package mutating func note(_ done: Int, after seconds: Double) {
        samples.append((seconds, done))
        // One sample stands before the window, so that it covers all of it.
        while samples.count > 2, seconds - samples[1].seconds >= Self.window { samples.removeFirst() }
    }

    /// How many are done in a second; nil in the first second.
    package var perSecond: Double? {
        guard let first = samples.first, let last = samples.last,
            last.seconds - first.seconds >= Self.patience
        else { return nil }
        return Double(last.done - first.done) / (last.seconds - first.seconds)
    }

    /// Seconds until all are done; nil if the run is not steady enough to tell.
    package func left(of total: Int) -> Double? {
        guard let rate = perSecond, rate > 0, let first = samples.first, let last = samples.last else {
            return nil
        }
        let middle = (first.seconds + last.seconds) / 2
        let half = samples.last { $0.seconds <= middle } ?? first
        guard half.seconds > first.seconds else { return nil }
        let before = Double(half.done - first.done) / (half.seconds - first.seconds)
        let after = Double(last.done - half.done) / (last.seconds - half.seconds)
        guard max(before, after) <= Self.steadiness * min(before, after) else { return nil }
        return Double(max(0, total - last.done)) / rate
    }
}
