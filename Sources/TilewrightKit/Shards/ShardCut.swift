import Diagnostics
import Pyramid
import Tiling

/// Where a pyramid is cut, and which part owns what.
struct ShardCut {
    /// The lowest zoom that parts make.
    let zoom: Int
    /// What each part owns.
    let shards: [Part]

    /// What a part owns.
    struct Part {
        /// Rectangles of tiles at the cut.
        var tiles: [TileMatrixLimits]
        /// How much work that is, in tiles of the maximum zoom.
        var work: Int

        /// Nothing.
        static let none = Part(tiles: [], work: 0)
    }

    /// Tiles at the cut for each part: fewer could not be shared out evenly.
    private static let tilesPerShard = 16
    /// Zooms beyond the cut by whose tiles work is measured.
    private static let measuredZooms = 3

    /// Cuts a pyramid.
    ///
    /// - Parameters:
    ///   - count: how many parts.
    ///   - byRows: whether parts are whole rows of tiles: images that can only be read from the top cost each part the
    ///     rows above it, and as much for a narrow part as for a wide one.
    ///   - earlier: a job whose cut and ownership are kept; what it does not own goes to those with the least work.
    /// - Throws: `.usage` if the earlier job has another number of parts, or was cut at a zoom that there is not.
    init(_ pyramid: PyramidPlan, into count: Int, byRows: Bool, keeping earlier: ShardJob? = nil) throws {
        let written = Array(pyramid.levels.filter(\.isWritten).reversed())
        let level: PyramidLevel
        if let earlier {
            guard let same = written.first(where: { $0.zoom == earlier.cut }), earlier.shards.count == count
            else { throw Self.mismatch(earlier, count) }
            level = same
        } else {
            // The maximum if it has fewer.
            level = written.first { $0.tileCount >= Self.tilesPerShard * count } ?? written[written.count - 1]
        }
        zoom = level.zoom
        let measured = written.last { $0.zoom <= level.zoom + Self.measuredZooms } ?? level
        let shares = WorkShares(level, measured: measured, maximum: pyramid.options.zooms.upperBound)
        shards =
            earlier.map { shares.parts(keeping: $0.shards.map(\.tiles)) }
            ?? shares.parts(count, byRows: byRows)
    }

    private static func mismatch(_ job: ShardJob, _ count: Int) -> Failure {
        let difference =
            job.shards.count == count
            ? "is cut at zoom \(job.cut), which is not built now"
            : "has \(job.shards.count) shards, and not \(count)"
        return Failure(
            .usage, "the job of --earlier \(difference)",
            remedy: "ask for the same zooms and --shards, or leave out --earlier")
    }
}

/// The tiles of a zoom, and how much work lies below each.
private struct WorkShares {
    private let zoom: Int
    private let columns: Range<Int>
    private let rows: Range<Int>
    /// Row by row.
    private let work: [Int]
    /// Tiles of the maximum zoom for each tile that was counted, as a power of four.
    private let finerZooms: Int

    /// Measures a level.
    ///
    /// - Parameter measured: a finer level, whose tiles are counted.
    init(_ level: PyramidLevel, measured: PyramidLevel, maximum: Int) {
        zoom = level.zoom
        let all = level.matrix.tiles(ofPixels: level.window.columns)
        columns = all.lowerBound..<min(all.upperBound, all.lowerBound + level.matrix.tilesPerEdge)
        rows = level.tileRows
        var work = [Int](repeating: 0, count: columns.count * rows.count)
        finerZooms = maximum - measured.zoom
        let zooms = measured.zoom - level.zoom
        for row in measured.tileRows {
            let start = ((row >> zooms) - rows.lowerBound) * columns.count
            for run in measured.tileColumns(inRow: row) {
                var column = run.lowerBound
                while column < run.upperBound {
                    let tile = column >> zooms
                    let end = min(run.upperBound, (tile + 1) << zooms)
                    let place = (tile - columns.lowerBound) % columns.count
                    work[start + place] += end - column
                    column = end
                }
            }
        }
        self.work = work
    }

    /// Shares the tiles out.
    func parts(_ count: Int, byRows: Bool) -> [ShardCut.Part] {
        parts(PixelWindow(columns: columns, rows: rows), count, byRows: byRows)
    }

    /// Parts that keep what they own; what nobody owns goes to those with the least work.
    func parts(keeping owned: [[TileMatrixLimits]]) -> [ShardCut.Part] {
        var rest = work
        var parts = owned.map { tiles in
            let own = tiles.map { limits in
                places(of: limits).reduce(0) { sum, place in
                    defer { rest[place] = 0 }
                    return sum + rest[place]
                }
            }
            return ShardCut.Part(tiles: tiles, work: own.reduce(0, +) << (2 * finerZooms))
        }
        for row in rows {
            let start = (row - rows.lowerBound) * columns.count
            var column = 0
            while let first = (column..<columns.count).first(where: { rest[start + $0] > 0 }) {
                let end = (first..<columns.count).first { rest[start + $0] == 0 } ?? columns.count
                let run = PixelWindow(
                    columns: columns.lowerBound + first..<columns.lowerBound + end, rows: row..<row + 1)
                let least = parts.indices.min { parts[$0].work < parts[$1].work } ?? 0
                let added = shard(run)
                parts[least].tiles += added.tiles
                parts[least].work += added.work
                column = end
            }
        }
        return parts
    }

    /// Where the work of a rectangle's tiles stands.
    private func places(of limits: TileMatrixLimits) -> [Int] {
        Range(limits.rows).clamped(to: rows).flatMap { row in
            Range(limits.columns).clamped(to: columns).map {
                (row - rows.lowerBound) * columns.count + $0 - columns.lowerBound
            }
        }
    }

    /// Halves a rectangle until there is one for each part.
    private func parts(_ whole: PixelWindow, _ count: Int, byRows: Bool) -> [ShardCut.Part] {
        let window = trimmed(whole)
        if count == 1 || window.isEmpty {
            let all = window.isEmpty ? [] : [shard(window)]
            return all
                + [ShardCut.Part](repeating: .none, count: count - all.count)
        }
        let halves = halves(window, share: (count / 2, count), byRows: byRows)
        guard let halves else {
            // A single tile is not cut.
            return [shard(window)]
                + [ShardCut.Part](repeating: .none, count: count - 1)
        }
        return parts(halves.0, count / 2, byRows: byRows) + parts(halves.1, count - count / 2, byRows: byRows)
    }

    /// Two parts of a rectangle, of which the first has a share of the work, as nearly as lines of tiles allow; nil if
    /// it cannot be cut.
    private func halves(
        _ window: PixelWindow, share: (Int, Int), byRows: Bool
    ) -> (PixelWindow, PixelWindow)? {
        let cutsRows = window.height > 1 && (byRows || window.height >= window.width || window.width == 1)
        if !cutsRows && window.width == 1 { return nil }
        let lines = cutsRows ? window.rows : window.columns
        func part(_ lines: Range<Int>) -> PixelWindow {
            cutsRows
                ? PixelWindow(columns: window.columns, rows: lines)
                : PixelWindow(columns: lines, rows: window.rows)
        }
        let goal = sum(window) * share.0 / share.1
        var (line, before) = (lines.lowerBound, 0)
        repeat {
            let next = before + sum(part(line..<line + 1))
            // The nearer of the two sides of the line.
            if line > lines.lowerBound, next > goal, next - goal > goal - before { break }
            (line, before) = (line + 1, next)
        } while line < lines.upperBound - 1 && before < goal
        return (part(lines.lowerBound..<line), part(line..<lines.upperBound))
    }

    private func shard(_ window: PixelWindow) -> ShardCut.Part {
        ShardCut.Part(
            tiles: [
                TileMatrixLimits(
                    zoom: zoom, columns: ClosedRange(window.columns), rows: ClosedRange(window.rows))
            ],
            work: sum(window) << (2 * finerZooms))
    }

    private func sum(_ window: PixelWindow) -> Int {
        window.rows.reduce(0) { sum, row in
            let start = (row - rows.lowerBound) * columns.count - columns.lowerBound
            return sum + window.columns.reduce(0) { $0 + work[start + $1] }
        }
    }

    /// The least rectangle around the tiles of a rectangle in which there is work.
    private func trimmed(_ window: PixelWindow) -> PixelWindow {
        func trimmed(_ lines: Range<Int>, _ part: (Int) -> PixelWindow) -> Range<Int> {
            guard let first = lines.first(where: { sum(part($0)) > 0 }),
                let last = lines.last(where: { sum(part($0)) > 0 })
            else { return lines.lowerBound..<lines.lowerBound }
            return first..<last + 1
        }
        let rows = trimmed(window.rows) { PixelWindow(columns: window.columns, rows: $0..<$0 + 1) }
        let columns = trimmed(window.columns) { PixelWindow(columns: $0..<$0 + 1, rows: rows) }
        return PixelWindow(columns: columns, rows: rows)
    }
}
