import Tiling

/// The schedule of a layer's image, as the stages of the finest level proceed: when it is open, how far it
/// must be decoded, and which of its rows are still needed.
struct LayerSchedule: Sendable {
    /// A stage that needs the image, and the rows that it needs.
    private struct Need {
        var stage: Int
        var rows: Range<Int>
        /// The oldest row that this stage or a later one needs.
        var oldest: Int
    }

    /// The number of rows that a ring for the image must hold.
    let capacity: Int
    /// The image may be opened once this stage is the first incomplete one.
    let opening: Int

    private let needs: [Need]
    private let end: Int

    /// Makes the schedules of all layers.
    ///
    /// - Parameters:
    ///   - rows: the rows of each layer's image that are read.
    ///   - rowsAhead: the number of rows of each image that may be decoded ahead at a time.
    static func schedules(
        of rows: [Range<Int>], stages: [Stage], rowsAhead: [Int]
    ) -> [LayerSchedule] {
        let sampling = stages.indices.filter { !stages[$0].sources.isEmpty }
        var needs = [[Need]](repeating: [], count: rows.count)
        var openings = rows.map { _ in 0 }
        for (place, index) in sampling.enumerated() {
            for source in stages[index].sources {
                // While two stages run, the images of the next one may be read.
                if needs[source.layer].isEmpty {
                    openings[source.layer] = sampling[max(0, place - 2)]
                }
                needs[source.layer].append(
                    Need(stage: index, rows: source.rows, oldest: source.rows.lowerBound))
            }
        }
        return rows.indices.map { layer in
            LayerSchedule(
                needs: needs[layer], opening: openings[layer], rows: rows[layer],
                rowsAhead: rowsAhead[layer])
        }
    }

    private init(needs: [Need], opening: Int, rows: Range<Int>, rowsAhead: Int) {
        var needs = needs
        var oldest = rows.upperBound
        for index in needs.indices.reversed() {
            oldest = min(oldest, needs[index].rows.lowerBound)
            needs[index].oldest = oldest
        }
        // Two stages run at once: the first incomplete one, and the next.
        var capacity = rowsAhead
        for (index, need) in needs.enumerated() {
            let newest = needs[index...].prefix(2).map(\.rows.upperBound).reduce(0, max)
            capacity = max(capacity, newest - need.oldest + rowsAhead)
        }
        self.needs = needs
        self.opening = opening
        end = rows.upperBound
        self.capacity = min(capacity, rows.count)
    }

    /// The last stage that needs the image; if no stage does, the stage at which it is opened.
    var last: Int { needs.last?.stage ?? opening }

    /// The row up to which (exclusive) rows may be decoded while a stage is the first incomplete one.
    func limit(firstOpenStage: Int) -> Int {
        let next = needs.sortedFirstIndex { $0.stage >= firstOpenStage }
        return (next < needs.count ? needs[next].oldest : end) + capacity
    }

    /// The first stage, from a given one on, that needs rows that are not decoded yet; nil if there is none.
    func nextStage(from firstOpenStage: Int, decoded: Int) -> Int? {
        needs[needs.sortedFirstIndex { $0.stage >= firstOpenStage }...]
            .first { $0.rows.upperBound > decoded }?.stage
    }
}
