import Pyramid
import Tiling

/// Where a pyramid is cut, and which part owns what.
struct ShardCut {
    /// The lowest zoom that parts make.
    let zoom: Int
    /// What each part owns, and how much work that is.
    let shards: [ShardJob.Shard]

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
    init(_ pyramid: PyramidPlan, into count: Int, byRows: Bool) {
        let written = Array(pyramid.levels.filter(\.isWritten).reversed())
        let wanted = Self.tilesPerShard * count
        // The maximum if it has fewer.
        let level = written.first { $0.tileCount >= wanted } ?? written[written.count - 1]
        zoom = level.zoom
        let measured = written.last { $0.zoom <= level.zoom + Self.measuredZooms } ?? level
        shards = WorkShares(level, measured: measured, maximum: pyramid.options.zooms.upperBound)
            .parts(count, byRows: byRows)
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
    func parts(_ count: Int, byRows: Bool) -> [ShardJob.Shard] {
        parts(PixelWindow(columns: columns, rows: rows), count, byRows: byRows)
    }

    /// Halves a rectangle until there is one for each part.
    private func parts(_ whole: PixelWindow, _ count: Int, byRows: Bool) -> [ShardJob.Shard] {
        let window = trimmed(whole)
        if count == 1 || window.isEmpty {
            let all = window.isEmpty ? [] : [shard(window)]
            return all
                + [ShardJob.Shard](repeating: ShardJob.Shard(tiles: nil, work: 0), count: count - all.count)
        }
        let halves = halves(window, share: (count / 2, count), byRows: byRows)
        guard let halves else {
            // A single tile is not cut.
            return [shard(window)]
                + [ShardJob.Shard](repeating: ShardJob.Shard(tiles: nil, work: 0), count: count - 1)
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

    private func shard(_ window: PixelWindow) -> ShardJob.Shard {
        ShardJob.Shard(
            tiles: TileMatrixLimits(
                zoom: zoom, columns: ClosedRange(window.columns), rows: ClosedRange(window.rows)),
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
