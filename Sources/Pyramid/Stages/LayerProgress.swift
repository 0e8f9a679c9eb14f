/// How far a layer's image has come into memory. Plain state: it starts nothing itself.
struct LayerProgress {
    /// How an image is read.
    struct Reading: Hashable, Sendable {
        /// The rows that are read, the first one first; none of an image that nothing needs.
        var rows: Range<Int>
        /// Rows that a task decodes; all of them if opening the image is all there is to do.
        var rowsPerTask: Int
        /// Tasks that may decode it at a time.
        var tasksAtOnce: Int
    }

    private let reading: Reading
    /// Up to here all rows that are read have come in.
    private(set) var decoded: Int
    private var handedOut: Int
    private var running = 0
    /// Runs that came in before earlier ones: their ends by their beginnings.
    private var ahead: [Int: Int] = [:]

    init(_ reading: Reading) {
        self.reading = reading
        (decoded, handedOut) = (reading.rows.lowerBound, reading.rows.lowerBound)
    }

    /// Whether all rows have come in.
    var isComplete: Bool { decoded == reading.rows.upperBound }

    /// Whether there is nothing left to hand out.
    var isHandedOut: Bool { handedOut == reading.rows.upperBound }

    /// A task that can start now, if any; the caller reports when it is done.
    ///
    /// - Parameter limit: the row up to which rows may be decoded.
    mutating func start(limit: Int) -> Range<Int>? {
        guard let rows = next(limit: limit) else { return nil }
        handedOut = rows.upperBound
        running += 1
        return rows
    }

    /// Whether a task can start now.
    func canStart(limit: Int) -> Bool { next(limit: limit) != nil }

    private func next(limit: Int) -> Range<Int>? {
        guard running < reading.tasksAtOnce, !isHandedOut else { return nil }
        let end = min(handedOut + reading.rowsPerTask, reading.rows.upperBound)
        // A full run, or the last one: tasks for short runs would cost more than they do.
        return end <= limit ? handedOut..<end : nil
    }

    /// Takes note that rows are in memory.
    mutating func finish(_ rows: Range<Int>) {
        running -= 1
        ahead[rows.lowerBound] = rows.upperBound
        while let end = ahead.removeValue(forKey: decoded) { decoded = end }
    }
}
