/// How far the source must be decoded, and which of its rows are still needed, as the stages of the
/// finest level pass.
struct SourceSchedule: Sendable {
    /// Rows that the source's band must hold.
    let capacity: Int

    /// Per stage of the list: the first source row that it or a later one needs; the image's height
    /// behind the last that needs any.
    private let oldestNeeded: [Int]

    init(stages: [Stage], sourceHeight: Int) {
        var oldest = sourceHeight
        var oldestNeeded = Array(repeating: sourceHeight, count: stages.count + 1)
        for index in stages.indices.reversed() {
            let rows = stages[index].sourceRows
            if !rows.isEmpty { oldest = min(oldest, rows.lowerBound) }
            oldestNeeded[index] = oldest
        }
        self.oldestNeeded = oldestNeeded
        // While a stage runs, the rows of the next two may come in.
        var capacity = SourceDecoder.rowsPerTask
        let sampling = stages.indices.filter { !stages[$0].sourceRows.isEmpty }
        for (place, index) in sampling.enumerated() {
            let ahead = sampling[place...].prefix(2).map { stages[$0].sourceRows.upperBound }
            let newest = ahead.max() ?? 0
            capacity = max(capacity, newest - oldestNeeded[index] + SourceDecoder.rowsPerTask)
        }
        self.capacity = min(capacity, sourceHeight)
    }

    /// The row up to which (exclusive) rows may be decoded while a stage is the first that is not
    /// complete.
    func limit(firstOpenStage: Int) -> Int { oldestNeeded[firstOpenStage] + capacity }
}
