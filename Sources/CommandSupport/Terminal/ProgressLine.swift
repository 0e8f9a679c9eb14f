import Platform

/// The progress of a run in one line. In a narrow terminal, the line is shorter.
package struct ProgressLine {
    /// The name of the phase, such as `tiles`.
    package var phase: String
    /// The number that are done.
    package var done: Int
    /// The total number. For very many tiles it is an estimate, which a build can exceed.
    package var total: Int
    /// The number that are done per second, if known.
    package var rate: Double?
    /// The remaining seconds, if known.
    package var left: Double?

    package init(_ phase: String, done: Int, total: Int, rate: Double? = nil, left: Double? = nil) {
        (self.phase, self.done, self.total, self.rate, self.left) = (phase, done, total, rate, left)
    }

    private static let bars = 10...30
    /// Room for `12 h 59 min left` and `9999/s`, so that the bar keeps its length.
    private static let widestLeft = 16
    private static let widestRate = 6

    /// The line for a terminal.
    ///
    /// - Parameter columns: the width of the terminal. The last column stays free, since some terminals begin
    ///   a new line there.
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

    /// The line without a bar, for screen readers and logs.
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

/// The speed of a run, measured over its last seconds.
package struct ProgressRate {
    private var samples: [(seconds: Double, done: Int)] = []

    /// The seconds that are measured. Earlier tiles do not count: the first tiles of a run may be reused from
    /// the previous run, or be empty.
    private static let window = 10.0
    /// The seconds before the first result.
    private static let patience = 1.0
    /// The largest ratio of the speeds in the two halves of the window at which the remaining time is shown.
    private static let steadiness = 2.0

    package init() {}

    /// Records the number of finished tiles.
    ///
    /// - Parameter seconds: the time since the start.
    package mutating func note(_ done: Int, after seconds: Double) {
        samples.append((seconds, done))
        // One sample before the window is kept, so that the samples cover the whole window.
        while samples.count > 2, seconds - samples[1].seconds >= Self.window { samples.removeFirst() }
    }

    /// The number of tiles per second; nil in the first second.
    package var perSecond: Double? {
        guard let first = samples.first, let last = samples.last,
            last.seconds - first.seconds >= Self.patience
        else { return nil }
        return Double(last.done - first.done) / (last.seconds - first.seconds)
    }

    /// The seconds until all tiles are done; nil if the speed changes too much for an estimate.
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
