import Platform
import Rendering
import Tiling

/// The cut of a pyramid, and the tiles that each part owns.
struct ShardCut {
    /// The lowest zoom that parts make.
    let zoom: Int
    /// The tiles of each part.
    let shards: [Part]

    /// The tiles of a part.
    struct Part {
        /// Rectangles of tiles at the cut.
        var tiles: [TileRange]
        /// The amount of work, in tiles of the maximum zoom.
        var work: Int

        /// A part without tiles.
        static let none = Part(tiles: [], work: 0)
    }

    /// Tiles at the cut for each part: fewer could not be distributed evenly.
    private static let tilesPerShard = 16
    /// Work is measured by tiles this many zooms above the cut.
    private static let measuredZooms = 3

    /// Cuts a pyramid.
    ///
    /// - Parameters:
    ///   - count: the number of parts.
    ///   - byRows: whether parts are whole rows of tiles: if images can only be read from the top, each part
    ///     decodes the rows above it, however narrow it is.
    ///   - earlier: a job whose cut and ownership are kept; new tiles go to the parts with the least work.
    /// - Throws: `.usage` if the earlier job has another number of parts, or was cut at a zoom that does not
    ///   exist.
    init(_ pyramid: PyramidPlan, into count: Int, byRows: Bool, keeping earlier: ShardJob? = nil) throws {
        let written = Array(pyramid.levels.filter(\.isWritten).reversed())
        let level: PyramidLevel
        if let earlier {
            guard let same = written.first(where: { $0.zoom == earlier.cut }), earlier.shards.count == count
            else {
                let difference =
                    earlier.shards.count == count
                    ? "begins its shards at zoom \(earlier.cut), which is not among the zooms of this job"
                    : "has \(earlier.shards.count) shards, not \(count)"
                throw Failure(
                    .usage, "the --earlier job \(difference)",
                    remedy: "ask for the same zooms and --shards, or leave out --earlier")
            }
            level = same
        } else {
            // The lower the zoom, the fewer pixels are kept. If no zoom has enough tiles, the cut is the
            // maximum zoom. With parts of rows, decoding the rows above takes most of the time, so one row
            // per part is enough.
            let isFine: (PyramidLevel) -> Bool = {
                byRows ? $0.tileRows.count >= count : $0.tileCount >= Self.tilesPerShard * count
            }
            level = written.first(where: isFine) ?? written[written.count - 1]
        }
        zoom = level.zoom
        let measured = written.last { $0.zoom <= level.zoom + Self.measuredZooms } ?? level
        let shares = WorkShares(level, measured: measured, maximum: pyramid.options.zooms.upperBound)
        shards =
            earlier.map { shares.parts(keeping: $0.shards.map(\.tiles), byRows: byRows) }
            ?? shares.parts(count, byRows: byRows)
    }
}

/// The work below the tiles of a zoom, and its distribution.
///
/// Each tile of the zoom's window has one owner, even if no image seems to touch it: an image may touch a
/// tile of a finer zoom by too little to count at this zoom.
struct WorkShares {
    private struct Tile {
        var column: Int
        var row: Int
        var work: Int
    }

    private let zoom: Int
    private let window: PixelWindow
    /// The number of columns around the world.
    private let turn: Int
    /// The tiles, row by row, without duplicates.
    private let tiles: [Tile]

    /// Measures a level.
    ///
    /// - Parameters:
    ///   - measured: a finer level, whose tiles are counted.
    ///   - maximum: the zoom whose tiles are the unit of work.
    init(_ level: PyramidLevel, measured: PyramidLevel, maximum: Int) {
        zoom = level.zoom
        turn = level.matrix.tilesPerEdge
        let all = level.matrix.tiles(ofPixels: level.window.columns)
        let columns = all.lowerBound..<min(all.upperBound, all.lowerBound + turn)
        window = PixelWindow(columns: columns, rows: level.tileRows)
        let (zooms, share) = (measured.zoom - level.zoom, 1 << (2 * (maximum - measured.zoom)))
        var tiles: [Tile] = []
        var counts: [Int: Int] = [:]
        for row in measured.tileRows {
            for run in measured.tileColumns(inRow: row) {
                var column = run.lowerBound
                while column < run.upperBound {
                    let end = min(run.upperBound, ((column >> zooms) + 1) << zooms)
                    let tile = columns.lowerBound + ((column >> zooms) - columns.lowerBound) % columns.count
                    counts[tile, default: 0] += (end - column) * share
                    column = end
                }
            }
            let isLast = row + 1 == measured.tileRows.upperBound || (row + 1) >> zooms != row >> zooms
            guard isLast else { continue }
            tiles += counts.sorted { $0.key < $1.key }.map { Tile(column: $0, row: row >> zooms, work: $1) }
            counts.removeAll(keepingCapacity: true)
        }
        self.tiles = tiles
    }

    /// Distributes the window.
    ///
    /// - Parameter byRows: whether parts are whole rows.
    func parts(_ count: Int, byRows: Bool) -> [ShardCut.Part] {
        parts(window, tiles[...], count, byRows: byRows)
    }

    /// Parts that keep their tiles; tiles without an owner go to the parts with the least work.
    func parts(keeping owned: [[TileRange]], byRows: Bool) -> [ShardCut.Part] {
        var rest = [window]
        var parts = owned.map { limits in
            let windows = limits.map { PixelWindow(columns: Range($0.columns), rows: Range($0.rows)) }
            // Column numbers may now differ by one turn around the world.
            let copies = windows.flatMap { window in
                [-turn, 0, turn].map {
                    PixelWindow(columns: window.columns.moved(by: $0), rows: window.rows)
                }
            }
            rest = rest.flatMap { copies.reduce([$0]) { left, copy in left.flatMap { $0.without(copy) } } }
            let work = copies.reduce(0) { $0 + sum(tiles(in: $1)) }
            return ShardCut.Part(tiles: limits, work: work)
        }
        let average = max(1, sum(tiles[...]) / max(1, parts.count))
        for window in rest {
            let own = tiles(in: window)
            for added in self.parts(window, own, max(1, sum(own) / average), byRows: byRows) {
                guard let least = parts.indices.min(by: { parts[$0].work < parts[$1].work }) else { continue }
                parts[least].tiles += added.tiles
                parts[least].work += added.work
            }
        }
        return parts
    }

    /// Halves a rectangle until each part has one.
    private func parts(
        _ window: PixelWindow, _ tiles: ArraySlice<Tile>, _ count: Int, byRows: Bool
    ) -> [ShardCut.Part] {
        let whole = ShardCut.Part(
            tiles: [
                TileRange(
                    zoom: zoom, columns: ClosedRange(window.columns), rows: ClosedRange(window.rows))
            ], work: sum(tiles))
        guard count > 1, let line = line(tiles, share: (count / 2, count), byRows: byRows) else {
            return [whole] + [ShardCut.Part](repeating: .none, count: count - 1)
        }
        let (first, second) = window.cut(at: line)
        return [(first, count / 2), (second, count - count / 2)].flatMap { half, count in
            let own = tiles.filter { half.contains($0.column, $0.row) }
            return parts(half, own[...], count, byRows: byRows)
        }
    }

    /// The line before which tiles have a given share of the work, as nearly as possible; nil for a single
    /// tile.
    private func line(
        _ tiles: ArraySlice<Tile>, share: (Int, Int), byRows: Bool
    ) -> (axis: WritableKeyPath<PixelWindow, Range<Int>>, place: Int)? {
        let (columns, rows) = (tiles.map(\.column), tiles.map(\.row))
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
            let bottom = rows.max(), (left, top) != (right, bottom)
        else { return nil }
        let cutsRows = top < bottom && (byRows || bottom - top >= right - left)
        var work: [Int: Int] = [:]
        for tile in tiles { work[cutsRows ? tile.row : tile.column, default: 0] += tile.work }
        let lines = work.sorted { $0.key < $1.key }
        let goal = sum(tiles) * share.0 / share.1
        var before = lines[0].value
        var place = 1
        // Up to the line that is nearest to the goal.
        while place < lines.count - 1, before + lines[place].value / 2 < goal {
            before += lines[place].value
            place += 1
        }
        return (cutsRows ? \.rows : \.columns, lines[place].key)
    }

    private func tiles(in window: PixelWindow) -> ArraySlice<Tile> {
        tiles.filter { window.contains($0.column, $0.row) }[...]
    }

    private func sum(_ tiles: ArraySlice<Tile>) -> Int { tiles.reduce(0) { $0 + $1.work } }
}

extension PixelWindow {
    fileprivate func contains(_ column: Int, _ row: Int) -> Bool {
        columns.contains(column) && rows.contains(row)
    }

    /// The parts of the rectangle before a row or column, and from it on.
    fileprivate func cut(
        at line: (axis: WritableKeyPath<PixelWindow, Range<Int>>, place: Int)
    ) -> (PixelWindow, PixelWindow) {
        var (first, second) = (self, self)
        first[keyPath: line.axis] = self[keyPath: line.axis].lowerBound..<line.place
        second[keyPath: line.axis] = line.place..<self[keyPath: line.axis].upperBound
        return (first, second)
    }

    /// The rest of the rectangle outside another one: up to four rectangles.
    fileprivate func without(_ other: PixelWindow) -> [PixelWindow] {
        let common = intersection(other)
        if common.isEmpty { return [self] }
        return [
            PixelWindow(columns: columns, rows: rows.lowerBound..<common.rows.lowerBound),
            PixelWindow(columns: columns, rows: common.rows.upperBound..<rows.upperBound),
            PixelWindow(columns: columns.lowerBound..<common.columns.lowerBound, rows: common.rows),
            PixelWindow(columns: common.columns.upperBound..<columns.upperBound, rows: common.rows),
        ].filter { !$0.isEmpty }
    }
}
