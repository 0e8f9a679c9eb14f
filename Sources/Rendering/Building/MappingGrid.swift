import Georeferencing
import Raster
import Tiling

/// Source positions of the pixels of a grid. One per worker.
///
/// Positions are interpolated linearly between the corners of cells of at most 64 pixels, anchored to the
/// world. A cell is cut into four until the error at its middle and at the middles of its edges is less than
/// `tolerance`. `MappingPatches` has the positions of these points.
final class MappingGrid {
    /// Pixels along the edge of a cell: small enough for one Jacobian, and for a cell's window of the source
    /// to stay in a cache.
    static let cellSize = MappingPatches.smallestSize

    /// The largest error of interpolation: in source pixels, or in pixels of the result if those are larger.
    static let tolerance = 2 * MappingPatches.tolerance

    private let isLinear: Bool
    private let patches: MappingPatches
    private let method: ResamplingMethod
    private let footprints: FootprintPrecision
    private let limb: CutMask?
    /// Whether neighbouring pixels may be far apart in the source.
    private let hasSeams: Bool
    private let columns: ClosedRange<Double>
    private let rows: ClosedRange<Double>
    /// Rows of a cell that share a Jacobian: a power of two.
    private let rowsPerPart: Int
    private let kernels: Kernels
    private let positions = SourcePositions(
        width: 0, height: 0, columns: [], rows: [],
        jacobian: Jacobian(columnPerX: 1, columnPerY: 0, rowPerX: 0, rowPerY: 1))

    init(
        _ layer: ImageLayer, onto grid: PixelGrid, method: ResamplingMethod,
        footprints: FootprintPrecision, kernels: Kernels = .best
    ) {
        self.kernels = kernels
        isLinear = layer.mapping.isLinear(onto: grid)
        patches = MappingPatches(layer.mapping, onto: grid)
        self.method = method
        self.footprints = footprints
        limb = layer.limb
        hasSeams = layer.mapping.earth != nil
        rowsPerPart = grid.rowsOfOneShape(from: 0, atMost: Self.cellSize)
        // Around the world, no column is beyond the image.
        columns =
            layer.mapping.columnsPerTurn == nil
            ? 0...Double(layer.info.width) : -.infinity...(.infinity)
        rows = 0...Double(layer.info.height)
    }

    /// The positions of a part of a cell. They are valid until the next call.
    func positions(of part: PixelWindow) -> SourcePositions {
        let nodes = patches.nodes(of: Self.cell(around: part))
        positions.begin(width: part.width, height: part.height, jacobian: jacobian(of: part, nodes))
        // The visited cells cover the part, so that each position is written.
        visit(nodes, reach: reach(at: positions.jacobian)) { nodes in
            nodes.interpolate(over: part, into: positions, with: kernels)
        }
        return positions
    }

    /// The source rows that the kernels of a part of a cell can touch; nil if they touch none.
    func sourceRows(of part: PixelWindow) -> Range<Int>? {
        let (points, reach) = places(of: part)
        let rows = points.map(\.y).filter { !$0.isNaN }
        guard let first = rows.min(), let last = rows.max() else { return nil }
        guard abs(first) < 1e9, abs(last) < 1e9 else { return Int(Int32.min)..<Int(Int32.max) }
        return Self.pixels(first, last, reach: reach.rows)
    }

    /// The pixels of the source that the kernels of a part of a cell can touch, which may be beyond the
    /// source; nil if unknown.
    func sourceWindow(of part: PixelWindow) -> PixelWindow? {
        let (points, reach) = places(of: part)
        let (columns, rows) = (points.map(\.x), points.map(\.y))
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
            let bottom = rows.max(),
            // False for nan.
            points.allSatisfy({ abs($0.x) < 1e9 && abs($0.y) < 1e9 })
        else { return nil }
        return PixelWindow(
            columns: Self.pixels(left, right, reach: reach.columns),
            rows: Self.pixels(top, bottom, reach: reach.rows))
    }

    /// The places between which positions of a part of a cell are interpolated, and the reach of its kernels.
    private func places(of part: PixelWindow) -> (points: [Point], reach: (columns: Int, rows: Int)) {
        let nodes = patches.nodes(of: Self.cell(around: part))
        let jacobian = jacobian(of: part, nodes)
        var points: [Point] = []
        visit(nodes, reach: reach(at: jacobian)) { points += $0.points }
        return (points, Warper.reach(of: method, at: jacobian))
    }

    private static func pixels(_ first: Double, _ last: Double, reach: Int) -> Range<Int> {
        Int(first.rounded(.down)) - reach - 1..<Int(last.rounded(.up)) + reach + 1
    }

    /// The cells that a window touches, each clipped to the window and divided into rows that share a
    /// Jacobian.
    func parts(of window: PixelWindow) -> [PixelWindow] {
        let columns = window.columns.cut(every: Self.cellSize)
        return window.rows.cut(every: rowsPerPart).flatMap { rows in
            columns.map { PixelWindow(columns: $0, rows: rows) }
        }
    }

    /// The columns of the cells that some columns touch.
    static func wholeCells(_ columns: Range<Int>) -> Range<Int> {
        columns.cells(of: cellSize).multiplied(by: cellSize)
    }

    private static func cell(around part: PixelWindow) -> PixelWindow {
        PixelWindow(columns: wholeCells(part.columns), rows: wholeCells(part.rows))
    }

    /// The Jacobian of a whole cell, or of the rows of it that share one. It is rounded so that neighbours
    /// share weights, and limited so that kernels are finite.
    private func jacobian(of part: PixelWindow, _ cell: GridNodes) -> Jacobian {
        let exact =
            rowsPerPart < Self.cellSize
            ? patches.jacobian(atRow: part.rows.lowerBound, of: cell.cell, rows: rowsPerPart)
            : hasSeams && !cell.isSmooth ? cell.piecewiseJacobian : cell.jacobian
        guard let jacobian = exact else {
            return Jacobian(columnPerX: 1, columnPerY: 0, rowPerX: 0, rowPerY: 1)
        }
        // An affine mapping has one Jacobian; its rounding only removes noise.
        return jacobian.rounded(bits: isLinear ? 20 : footprints.jacobianBits).limited(for: method)
    }

    /// The reach of a kernel from its position in source pixels, along the longer axis.
    private func reach(at jacobian: Jacobian) -> Double {
        let reach = Warper.reach(of: method, at: jacobian)
        return Double(max(reach.columns, reach.rows))
    }

    /// Calls `body` with the largest cells for which interpolation is accurate enough.
    private func visit(_ nodes: GridNodes, reach: Double, _ body: (GridNodes) -> Void) {
        let tolerance = Self.tolerance * max(1, nodes.cellSize)
        if nodes.cell.width == 1 || isLinear && nodes.isComplete
            || nodes.interpolationError < tolerance
            || nodes.misses(columns: columns, rows: rows, by: reach) && !isCutByLimb(nodes)
        {
            body(limb == nil ? nodes : nodes.centred)
            return
        }
        for quarter in nodes.cell.quarters {
            visit(patches.nodes(of: quarter), reach: reach, body)
        }
    }

    /// Whether something may be visible between nodes without a source.
    private func isCutByLimb(_ nodes: GridNodes) -> Bool {
        guard let limb, !nodes.isComplete else { return false }
        return limb.crosses(nodes.cell)
    }
}

extension ImageMapping {
    /// Whether interpolation between pixels of a grid is exact.
    fileprivate func isLinear(onto grid: PixelGrid) -> Bool {
        if grid.isUpright { return if case .affine = shape { true } else { false } }
        return grid.isAffine && isAffine
    }
}

extension GridNodes {
    /// Writes the positions of the cell's pixel centres inside `part`.
    ///
    /// - Parameter part: the window of `positions`.
    func interpolate(over part: PixelWindow, into positions: SourcePositions, with kernels: Kernels) {
        let pixels = cell.intersection(part)
        guard !pixels.isEmpty else { return }
        if cell.width == 1 {
            store(points[4], at: pixels, of: part, into: positions)
            return
        }
        let corners = [points[0], points[2], points[6], points[8]]
        positions.columns.withUnsafeMutableBufferPointer {
            interpolate(corners.map(\.x), over: pixels, of: part, into: $0, with: kernels)
        }
        positions.rows.withUnsafeMutableBufferPointer {
            interpolate(corners.map(\.y), over: pixels, of: part, into: $0, with: kernels)
        }
    }

    /// Interpolates one coordinate, given at the corners, along each row between the cell's left and right
    /// edge.
    private func interpolate(
        _ corners: [Double], over pixels: PixelWindow, of part: PixelWindow,
        into result: UnsafeMutableBufferPointer<Double>, with kernels: Kernels
    ) {
        let size = Double(cell.width)
        let first = Double(pixels.columns.lowerBound - cell.columns.lowerBound) + 0.5
        for row in pixels.rows {
            let y = (Double(row - cell.rows.lowerBound) + 0.5) / size
            let left = corners[0] + (corners[2] - corners[0]) * y
            let right = corners[1] + (corners[3] - corners[1]) * y
            let step = (right - left) / size
            let start =
                (row - part.rows.lowerBound) * part.width + pixels.columns.lowerBound
                - part.columns.lowerBound
            let line = UnsafeMutableBufferPointer(rebasing: result[start..<start + pixels.width])
            kernels.interpolate(from: left, step: step, first: first, into: line)
        }
    }

    private func store(
        _ point: Point, at pixel: PixelWindow, of part: PixelWindow,
        into positions: SourcePositions
    ) {
        let row = pixel.rows.lowerBound - part.rows.lowerBound
        let index = row * part.width + pixel.columns.lowerBound - part.columns.lowerBound
        positions.columns[index] = point.x
        positions.rows[index] = point.y
    }
}
