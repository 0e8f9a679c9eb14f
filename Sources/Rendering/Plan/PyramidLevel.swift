package import Tiling

/// One zoom of a plan, or a view.
package struct PyramidLevel: Sendable {
    /// The pixels.
    package let grid: PixelGrid
    /// The zoom; 0 for a view.
    package let zoom: Int
    /// Pixels along a tile's edge.
    package let tileSize: Int
    /// The pixels of the grid that exist; all others are transparent. Columns continue beyond the
    /// antimeridian.
    package let window: PixelWindow
    /// The cells that the footprint of each layer touches.
    package let coverages: [CellCoverage]
    /// The part inside the cutline; nil for all.
    var cut: LevelCut?
    /// Whether tiles of this zoom are written. A zoom finer than the requested ones is only rendered to be
    /// halved.
    package internal(set) var isWritten: Bool
    /// The pixels that are rendered: all of the window, unless the plan is confined.
    var part: LevelPart
    /// The tiles that are written if a footprint touches them: all tiles of the window, unless the plan is
    /// confined.
    var tiles: LevelPart

    /// Makes a zoom of which everything is rendered.
    init(
        matrix: TileMatrix, window: PixelWindow, coverages: [CellCoverage], cut: LevelCut?, isWritten: Bool
    ) {
        (grid, zoom, tileSize) = (matrix.grid, matrix.zoom, matrix.tileSize)
        (self.window, self.isWritten) = (window, isWritten)
        (self.coverages, self.cut) = (coverages, cut)
        part = LevelPart(window)
        tiles = LevelPart(
            PixelWindow(
                columns: matrix.tiles(ofPixels: window.columns),
                rows: matrix.tiles(ofPixels: window.rows)))
    }

    /// Makes the level of a view. It has no tiles, but its work is divided as if it had.
    init(grid: PixelGrid, window: PixelWindow, coverages: [CellCoverage], cut: LevelCut?) {
        (self.grid, zoom, tileSize) = (grid, 0, CellCoverage.cellSize)
        (self.window, isWritten) = (window, false)
        (self.coverages, self.cut) = (coverages, cut)
        part = LevelPart(window)
        tiles = .none
    }

    /// The tile matrix of a zoom.
    package var matrix: TileMatrix { TileMatrix(zoom: zoom, tileSize: tileSize) }

    private var cellsPerTile: Int { tileSize / CellCoverage.cellSize }

    /// The rows of tiles that are written.
    package var tileRows: Range<Int> { tiles.rows }

    /// The columns of tiles in the window; some may occur twice, see `isWrapped`.
    var tileColumns: Range<Int> { matrix.tiles(ofPixels: window.columns) }

    /// The columns of tiles that are rendered, each once: the part may lead around the world and end in the
    /// tile in which it begins.
    var renderedTiles: Range<Int> {
        let tiles = matrix.tiles(ofPixels: part.hull.columns)
        return grid.columnsPerTurn == nil
            ? tiles : tiles.lowerBound..<min(tiles.upperBound, tiles.lowerBound + matrix.tilesPerEdge)
    }

    /// Whether the rendered part leads around the world, so that kernels continue at its other end.
    var isTurn: Bool { part.hull.width == grid.columnsPerTurn }

    /// The rendered columns among some columns, which may be beyond an end of the world: then those a turn
    /// further on.
    func pieces(of columns: Range<Int>) -> [LevelPiece] {
        let turns = grid.columnsPerTurn.map { [-$0, 0, $0] } ?? [0]
        return turns.flatMap { turn in
            part.columns(within: columns.moved(by: turn)).map { LevelPiece(columns: $0, moved: turn) }
        }
    }

    /// Whether all pixels of a window are rendered.
    func covers(_ window: PixelWindow) -> Bool {
        let columns = pieces(of: window.columns).reduce(0) { $0 + $1.columns.count }
        return columns == window.width && window.rows.clamped(to: part.rows) == window.rows
    }

    /// The columns of tiles to write that the footprints touch in a row of tiles, among those of a unit.
    ///
    /// - Parameter columns: the pixels of the unit.
    func tileColumns(inRow row: Int, of columns: Range<Int>) -> [Int] {
        guard isWritten, tileRows.contains(row) else { return [] }
        let wanted = matrix.tiles(ofPixels: columns)
        let end = renderedTiles.upperBound
        return tileColumns(inRow: row).flatMap { $0 }.map { $0 < end ? $0 : $0 - matrix.tilesPerEdge }
            .filter(wanted.contains)
    }

    /// The columns of tiles to write that the footprints touch in a row of tiles, from the west, each once.
    package func tileColumns(inRow row: Int) -> [Range<Int>] {
        var touched = coverages.map {
            $0.tileColumns(inRow: row, cellsPerTile: cellsPerTile).clamped(to: tileColumns)
        }.union
        if let cut {
            let left = RangeSet(touched).intersection(cut.columns(inRow: row, ofSquares: tileSize))
            touched = Array(left.ranges)
        }
        guard let first = touched.first?.lowerBound else { return [] }
        let turn = first..<first + matrix.tilesPerEdge
        return touched.flatMap { tiles.columns(within: $0.clamped(to: turn)) }
    }

    /// The visible columns in some rows of pixels, all in one row of cells, within some columns, from the
    /// west.
    func covered(inRows rows: Range<Int>, of columns: Range<Int>) -> [Range<Int>] {
        let touched = coverages.pixels(inRows: rows, of: columns)
        guard let cut else { return touched }
        let size = CellCoverage.cellSize
        let cells = cut.columns(inRow: floorDivide(rows.lowerBound, size), ofSquares: size)
        let pixels = RangeSet(cells.ranges.map { $0.multiplied(by: size) })
        return Array(RangeSet(touched).intersection(pixels).ranges)
    }

    /// The maximum number of rows of tiles for an exact count, which takes tens of milliseconds.
    private static let countedRows = 1 << 18

    /// The rows of tiles that are sampled if there are more.
    private static let sampledRows = 1 << 14

    /// The number of tiles to write that the footprints touch.
    ///
    /// It is exact up to 2^18 rows of tiles, and estimated from evenly spaced rows beyond that. An `Int` can
    /// hold the number of tiles of every zoom, but not the number of their pixels.
    package var tileCount: Int {
        guard isWritten else { return 0 }
        if tileRows.count <= Self.countedRows {
            return tileRows.reduce(0) { $0 + tileCount(inRow: $1) }
        }
        let spacing = Double(tileRows.count) / Double(Self.sampledRows)
        let sum = (0..<Self.sampledRows).reduce(0.0) { sum, index in
            let row = tileRows.lowerBound + Int((Double(index) + 0.5) * spacing)
            return sum + Double(tileCount(inRow: row))
        }
        return Int(sum * spacing)
    }

    private func tileCount(inRow row: Int) -> Int {
        tileColumns(inRow: row).reduce(0) { $0 + $1.count }
    }
}

extension Range<Int> {
    /// The parts of the range between some ranges inside it, which are sorted and do not touch.
    func gaps(between ranges: [Range<Int>]) -> [Range<Int>] {
        let starts = [lowerBound] + ranges.map(\.upperBound)
        let ends = ranges.map(\.lowerBound) + [upperBound]
        return zip(starts, ends).map { $0..<$1 }.filter { !$0.isEmpty }
    }
}

/// Some rendered columns of a level, which stand for columns with other numbers.
struct LevelPiece: Hashable, Sendable {
    /// The columns.
    let columns: Range<Int>
    /// How far east they are of the columns that they stand for: no or whole turns around the world.
    let moved: Int

    /// The window that rows of the piece stand for.
    func window(_ rows: Range<Int>) -> PixelWindow {
        PixelWindow(columns: columns.moved(by: -moved), rows: rows)
    }

    /// A band of the level, with the numbers of the columns that it stands for.
    func of(_ band: LevelBand) -> LevelBand { moved == 0 ? band : band.shifted(columns: -moved) }
}

/// A part of a level, in its pixels or in its tiles: rows, and runs of columns. There are several runs only
/// if the level leads around the world and the part is at both of its ends.
struct LevelPart: Hashable, Sendable {
    /// The runs of columns from the west; they do not touch.
    let columns: [Range<Int>]
    /// The rows.
    let rows: Range<Int>

    /// An empty part.
    static let none = LevelPart(columns: [], rows: 0..<0)

    /// Makes a part of runs of columns in any order.
    init(columns: some Sequence<Range<Int>>, rows: Range<Int>) {
        self.columns = rows.isEmpty ? [] : Array(columns).union
        self.rows = self.columns.isEmpty ? 0..<0 : rows
    }

    /// Makes a part of a window.
    init(_ window: PixelWindow) {
        self.init(columns: [window.columns], rows: window.rows)
    }

    /// Whether the part is empty.
    var isEmpty: Bool { columns.isEmpty }

    /// From the first run of columns to the last, including the gaps.
    var hull: PixelWindow {
        PixelWindow(
            columns: (columns.first?.lowerBound ?? 0)..<(columns.last?.upperBound ?? 0), rows: rows)
    }

    /// The columns of the part within some columns, from the west.
    func columns(within other: Range<Int>) -> [Range<Int>] {
        columns.lazy.map { $0.clamped(to: other) }.filter { !$0.isEmpty }
    }

    /// The union of both parts, including the rows between them.
    func union(_ other: LevelPart) -> LevelPart {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return LevelPart(columns: columns + other.columns, rows: rows.hull(with: other.rows))
    }
}
