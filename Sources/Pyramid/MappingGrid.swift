internal import Georeferencing
internal import Raster
internal import Resampling
internal import Tiling

/// Source positions of the pixels of the finest zoom.
///
/// An exact coordinate transform is evaluated at the corners of cells of at most 64 pixels, anchored
/// to the world; positions between are interpolated linearly. A cell is cut into four until that
/// errs by less than `tolerance` at its middle and the middles of its edges.
struct MappingGrid: Sendable {
    /// Pixels along the edge of a cell: small enough for one Jacobian, and for the source window of
    /// a cell to stay in a cache.
    static let cellSize = 64

    /// By how much interpolation may err: in source pixels, or in pixels of the result where those
    /// are larger.
    static let tolerance = 1.0 / 32

    private let mapping: ImageMapping
    private let matrix: TileMatrix
    private let method: ResamplingMethod
    private let sourceSize: (width: Double, height: Double)

    init(_ layer: ImageLayer, matrix: TileMatrix, method: ResamplingMethod) {
        mapping = layer.mapping
        self.matrix = matrix
        self.method = method
        sourceSize = (Double(layer.info.width), Double(layer.info.height))
    }

    /// The positions of a part of a cell.
    func positions(of part: PixelWindow) -> SourcePositions {
        var positions = SourcePositions(
            width: part.width, height: part.height,
            columns: Array(repeating: .nan, count: part.width * part.height),
            rows: Array(repeating: .nan, count: part.width * part.height),
            jacobian: jacobian(of: part))
        visit(Self.cell(around: part), reach: reach(at: positions.jacobian)) { nodes in
            nodes.interpolate(over: part, into: &positions)
        }
        return positions
    }

    /// The source rows that the kernels of a part of a cell can touch, or nil where they touch none.
    func sourceRows(of part: PixelWindow) -> ClosedRange<Int>? {
        var bounds: ClosedRange<Double>?
        let jacobian = jacobian(of: part)
        visit(Self.cell(around: part), reach: reach(at: jacobian)) { nodes in
            guard let rows = nodes.rows else { return }
            bounds =
                bounds.map {
                    min($0.lowerBound, rows.lowerBound)...max($0.upperBound, rows.upperBound)
                } ?? rows
        }
        guard let bounds, abs(bounds.lowerBound) < 1e9, abs(bounds.upperBound) < 1e9 else {
            return bounds.map { _ in Int(Int32.min)...Int(Int32.max) }
        }
        let reach = Warper.reach(of: method, at: jacobian).rows
        return Int(bounds.lowerBound.rounded(.down)) - reach - 1...Int(
            bounds.upperBound.rounded(.up)) + reach + 1
    }

    /// The cells that a window touches, each cut down to the window.
    static func parts(of window: PixelWindow) -> [PixelWindow] {
        let rows =
            floorDivide(
                window.rows.lowerBound, cellSize)...floorDivide(
                window.rows.upperBound - 1, cellSize)
        let columns =
            floorDivide(
                window.columns.lowerBound, cellSize)...floorDivide(
                window.columns.upperBound - 1, cellSize)
        return rows.flatMap { row in
            columns.map { column in
                cell(column: column, row: row).intersection(window)
            }
        }
    }

    private static func cell(column: Int, row: Int) -> PixelWindow {
        PixelWindow(
            columns: column * cellSize..<(column + 1) * cellSize,
            rows: row * cellSize..<(row + 1) * cellSize)
    }

    private static func cell(around part: PixelWindow) -> PixelWindow {
        cell(
            column: floorDivide(part.columns.lowerBound, cellSize),
            row: floorDivide(part.rows.lowerBound, cellSize))
    }

    /// The Jacobian of the whole cell around a part, rounded so that neighbours share weights,
    /// and finite in what its kernels span.
    private func jacobian(of part: PixelWindow) -> Jacobian {
        let nodes = nodes(of: Self.cell(around: part))
        guard let jacobian = nodes.jacobian else {
            return Jacobian(columnPerX: 1, columnPerY: 0, rowPerX: 0, rowPerY: 1)
        }
        // An affine mapping has one Jacobian; its rounding only removes noise.
        let bits = if case .general = mapping.shape { 5 } else { 20 }
        return jacobian.rounded(bits: bits).limited(for: method)
    }

    /// Source pixels that a kernel reaches from its position, along the farther axis.
    private func reach(at jacobian: Jacobian) -> Double {
        let reach = Warper.reach(of: method, at: jacobian)
        return Double(max(reach.columns, reach.rows))
    }

    /// Calls with the smallest cells that interpolation needs.
    private func visit(_ cell: PixelWindow, reach: Double, _ body: (GridNodes) -> Void) {
        let nodes = nodes(of: cell)
        let tolerance = Self.tolerance * max(1, nodes.cellSize)
        if cell.width == 1 || isLinear || nodes.interpolationError < tolerance
            || nodes.misses(width: sourceSize.width, height: sourceSize.height, by: reach)
        {
            body(nodes)
            return
        }
        let (middleX, middleY) = (
            cell.columns.lowerBound + cell.width / 2, cell.rows.lowerBound + cell.height / 2
        )
        for rows in [cell.rows.lowerBound..<middleY, middleY..<cell.rows.upperBound] {
            for columns in [cell.columns.lowerBound..<middleX, middleX..<cell.columns.upperBound] {
                visit(PixelWindow(columns: columns, rows: rows), reach: reach, body)
            }
        }
    }

    /// Whether interpolation is exact anyway.
    private var isLinear: Bool {
        if case .affine = mapping.shape { return true }
        return false
    }

    private func nodes(of cell: PixelWindow) -> GridNodes {
        let (left, top) = (Double(cell.columns.lowerBound), Double(cell.rows.lowerBound))
        let half = Double(cell.width) / 2
        var points: [Point] = []
        points.reserveCapacity(9)
        for row in 0..<3 {
            for column in 0..<3 {
                let pixel = Point(x: left + Double(column) * half, y: top + Double(row) * half)
                points.append(matrix.mercator(ofPixel: pixel))
            }
        }
        mapping.imagePoints(ofMercator: &points)
        return GridNodes(cell: cell, points: points)
    }
}
