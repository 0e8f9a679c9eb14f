package import Tiling

/// One zoom of a plan.
package struct PyramidLevel: Sendable {
    /// The zoom's tile matrix.
    package let matrix: TileMatrix
    /// The pixels of the matrix that exist; all others are transparent. Columns go on counting
    /// beyond the antimeridian.
    package let window: PixelWindow
    /// The cells that the footprint of each layer touches.
    package let coverages: [CellCoverage]
    /// Whether tiles of this zoom are written; a zoom that is finer than asked for only feeds the
    /// others.
    package let isWritten: Bool

    private var cellsPerTile: Int { matrix.tileSize / CellCoverage.cellSize }

    /// The rows of tiles that the zoom has.
    package var tileRows: Range<Int> { matrix.tiles(ofPixels: window.rows) }

    /// The columns of tiles that the window has; some may stand twice, see `isWrapped`.
    var tileColumns: Range<Int> { matrix.tiles(ofPixels: window.columns) }

    /// Whether the image comes around the world to a tile in which it also begins.
    var isWrapped: Bool { tileColumns.count > matrix.tilesPerEdge }

    /// The columns of tiles that the footprints touch in a row of tiles, from the west, none of them
    /// twice.
    package func tileColumns(inRow row: Int) -> [Range<Int>] {
        let touched = RangeSet(
            coverages.lazy.map {
                $0.tileColumns(inRow: row, cellsPerTile: cellsPerTile).clamped(to: tileColumns)
            })
        guard let first = touched.ranges.first?.lowerBound else { return [] }
        let turn = first..<first + matrix.tilesPerEdge
        return touched.ranges.map { $0.clamped(to: turn) }.filter { !$0.isEmpty }
    }

    /// Rows of tiles up to which tiles are counted, which takes tens of milliseconds.
    private static let countedRows = 1 << 18

    /// Rows of tiles that stand for all, where there are more.
    private static let sampledRows = 1 << 14

    /// How many tiles the footprint touches.
    ///
    /// Exact up to 2^18 rows of tiles. Beyond, where no one builds them any more, it is estimated
    /// from evenly spaced rows. An `Int` holds the tiles of every zoom; their pixels it may not.
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

    /// The pixels of a row of cells that any footprint touches, within some columns, from the west.
    func covered(inCellRow row: Int, of columns: Range<Int>) -> [Range<Int>] {
        Array(
            RangeSet(
                coverages.indices.lazy.map { covered(byLayer: $0, inCellRow: row, of: columns) }
            ).ranges)
    }

    /// The pixels of a row of cells that the footprint of a layer touches, within some columns.
    func covered(byLayer layer: Int, inCellRow row: Int, of columns: Range<Int>) -> Range<Int> {
        let cells = coverages[layer].columns(inRow: row)
        let size = CellCoverage.cellSize
        return (cells.lowerBound * size..<cells.upperBound * size).clamped(to: columns)
    }
}

extension Range<Int> {
    /// The shortest range that holds both.
    func hull(with other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }

    /// What some ranges within leave of it; they are sorted and do not touch.
    func gaps(between ranges: [Range<Int>]) -> [Range<Int>] {
        let starts = [lowerBound] + ranges.map(\.upperBound)
        let ends = ranges.map(\.lowerBound) + [upperBound]
        return zip(starts, ends).map { $0..<$1 }.filter { !$0.isEmpty }
    }
}
