internal import Georeferencing
internal import Resampling
internal import Tiling

/// Which source rows the rows of the finest level need: the exact answer of the weights or of the
/// grid that will be used to render them.
enum SourceNeeds {
    case weights(AxisWeights)
    case grid(MappingGrid, PyramidLevel)

    /// The source rows, as far as they exist; empty where none is touched.
    func rows(for window: Range<Int>, sourceHeight: Int) -> Range<Int> {
        switch self {
        case .weights(let weights):
            var rows: Range<Int>?
            for row in window {
                let needed = weights.sourcePixels(of: row).clamped(to: 0..<sourceHeight)
                if !needed.isEmpty { rows = Self.union(rows, needed) }
            }
            return rows ?? 0..<0
        case .grid(let grid, let level):
            var rows: Range<Int>?
            let cellRow = floorDivide(window.lowerBound, CellCoverage.cellSize)
            let columns = level.covered(inCellRow: cellRow, of: level.window.columns)
            if columns.isEmpty { return 0..<0 }
            for part in MappingGrid.parts(of: PixelWindow(columns: columns, rows: window)) {
                guard let needed = grid.sourceRows(of: part) else { continue }
                let inside = (needed.lowerBound..<needed.upperBound + 1).clamped(
                    to: 0..<sourceHeight)
                if !inside.isEmpty { rows = Self.union(rows, inside) }
            }
            return rows ?? 0..<0
        }
    }

    private static func union(_ first: Range<Int>?, _ second: Range<Int>) -> Range<Int> {
        guard let first else { return second }
        return min(first.lowerBound, second.lowerBound)..<max(first.upperBound, second.upperBound)
    }
}
