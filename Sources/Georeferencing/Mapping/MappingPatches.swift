package import Tiling

/// The source positions of a grid's pixels: exact ones or, if the error is at most `tolerance`, those of a
/// biquadratic function through a few exact ones.
///
/// A coordinate transform takes about a microsecond, under a lock. The world is therefore cut into squares of
/// `largestSize` pixels. In each, 25 positions are exact; the biquadratic function through nine of them is
/// compared with the others. If it misses one, or if one has no source, the square is cut into four, down to
/// `smallestSize`. Squares are anchored to the world, and so are their positions.
package final class MappingPatches {
    /// Pixels along the edge of the largest squares. Larger squares would save little: their 25 positions
    /// take a hundredth of the time of the work on their pixels.
    package static let largestSize = 1024

    /// Pixels along the edge of the squares in which every position is exact: small enough for one Jacobian, and for
    /// their window of the source to stay in a cache.
    package static let smallestSize = 64

    /// The largest error of a patch: in source pixels, or in pixels of the result if those are larger.
    /// Whoever interpolates between them may add an error of twice this. The sum is below 1/16.
    package static let tolerance = 1.0 / 64

    /// A square, or its quarters.
    private indirect enum Patch {
        /// The nodes of the function that replaces the mapping.
        case smooth(GridNodes)
        /// The quarters: top left, top right, bottom left, bottom right.
        case quarters([Patch])
        /// Too small to be cut.
        case exact
    }

    private let mapping: ImageMapping
    private let grid: PixelGrid
    /// Whether exact positions are almost free.
    private let isCheap: Bool
    /// Whether the image continues beyond the world's northern or southern edge, where tiles end.
    private let leavesWorld: Bool
    /// By their squares.
    private var patches: [PixelWindow: Patch] = [:]

    /// The number of squares that are kept before all are dropped: a row of them across four million pixels.
    /// A square takes half a kilobyte if it is not cut.
    package static let keptPatches = 4096

    package init(_ mapping: ImageMapping, onto grid: PixelGrid) {
        self.mapping = mapping
        self.grid = grid
        isCheap = if grid.isUpright, case .separable = mapping.shape { false } else { mapping.isAffine }
        leavesWorld = !grid.isUpright && mapping.leavesWorld
    }

    /// The nodes of a cell: a square anchored to the world, whose edge is a power of two pixels and at most
    /// `smallestSize`.
    package func nodes(of cell: PixelWindow) -> GridNodes {
        if isCheap { return exactNodes(of: cell) }
        let size = Self.largestSize
        var square = PixelWindow(
            columns: cell.columns.cells(of: size).multiplied(by: size),
            rows: cell.rows.cells(of: size).multiplied(by: size))
        var patch = patch(of: square)
        while true {
            switch patch {
            case .smooth(let nodes): return nodes.nodes(of: cell)
            case .exact: return exactNodes(of: cell)
            case .quarters(let quarters):
                let index = square.quarters.firstIndex { $0.contains(cell) } ?? 0
                (patch, square) = (quarters[index], square.quarters[index])
            }
        }
    }

    /// The change of positions in the middle of a group of `rows` rows of a cell; nil if unknown.
    ///
    /// - Parameter row: any row of the group, whose first row is a multiple of `rows`.
    package func jacobian(atRow row: Int, of cell: PixelWindow, rows: Int) -> Jacobian? {
        let x = Double(cell.columns.lowerBound + cell.columns.upperBound) / 2
        let y = (Double(floorDivide(row, rows)) + 0.5) * Double(rows)
        let points = exact([
            Point(x: x - 0.5, y: y), Point(x: x + 0.5, y: y), Point(x: x, y: y - 0.5),
            Point(x: x, y: y + 0.5),
        ])
        return Jacobian(right: points[1] - points[0], down: points[3] - points[2])
    }

    private func patch(of square: PixelWindow) -> Patch {
        if let patch = patches[square] { return patch }
        if patches.count >= Self.keptPatches { patches.removeAll(keepingCapacity: true) }
        let patch = makePatch(square)
        patches[square] = patch
        return patch
    }

    private func makePatch(_ square: PixelWindow) -> Patch {
        if square.width == Self.smallestSize { return .exact }
        if spansTurns(square) { return .quarters(square.quarters.map(makePatch)) }
        let points = positions(in: square, steps: 4)
        let isNode = { (index: Int) in index / 5 % 2 == 0 && index % 5 % 2 == 0 }
        let nodes = GridNodes(
            cell: square, points: points.indices.filter(isNode).map { points[$0] })
        let tolerance = Self.tolerance * max(1, nodes.cellSize)
        let isSmooth = points.indices.allSatisfy { index in
            let point = nodes.point(x: Double(index % 5) / 4, y: Double(index / 5) / 4)
            let (x, y) = (abs(point.x - points[index].x), abs(point.y - points[index].y))
            // False if one is nan.
            return x <= tolerance && y <= tolerance
        }
        return isSmooth ? .smooth(nodes) : .quarters(square.quarters.map(makePatch))
    }

    /// Whether the square is so wide that positions are half a turn of the world or more apart: columns are
    /// only unique to within half a turn.
    private func spansTurns(_ square: PixelWindow) -> Bool {
        guard mapping.columnsPerTurn != nil else { return false }
        let corners = square.corners.map(grid.mercator(ofPixel:))
        return corners[0].distance(to: corners[1]) >= 2 * WebMercator.world
    }

    private func exactNodes(of cell: PixelWindow) -> GridNodes {
        GridNodes(cell: cell, points: positions(in: cell, steps: 2))
    }

    /// Exact positions on a lattice across a square, its edges included, row by row.
    private func positions(in square: PixelWindow, steps: Int) -> [Point] {
        let (left, top) = (Double(square.columns.lowerBound), Double(square.rows.lowerBound))
        let step = Double(square.width) / Double(steps)
        var points: [Point] = []
        points.reserveCapacity((steps + 1) * (steps + 1))
        for row in 0...steps {
            for column in 0...steps {
                points.append(Point(x: left + Double(column) * step, y: top + Double(row) * step))
            }
        }
        return exact(points)
    }

    /// The exact positions of points of the grid.
    private func exact(_ pixels: [Point]) -> [Point] {
        var points = pixels.map(grid.mercator(ofPixel:))
        if leavesWorld {
            for index in points.indices where abs(points[index].y) > WebMercator.halfWorld {
                points[index] = .nowhere
            }
        }
        mapping.imagePoints(ofMercator: &points)
        if let turn = mapping.columnsPerTurn {
            let turn = Double(turn)
            // A view may show the world several times; a position is looked for near the image.
            if grid.isUpright {
                points.continueAround(turn, from: points[0].x)
            } else {
                points.bringIntoTurn(turn)
            }
        }
        return points
    }
}

extension PixelWindow {
    /// The quarters of a square of an even number of pixels: top left, top right, bottom left, bottom
    /// right.
    package var quarters: [PixelWindow] {
        let (middleX, middleY) = (columns.lowerBound + width / 2, rows.lowerBound + height / 2)
        return [rows.lowerBound..<middleY, middleY..<rows.upperBound].flatMap { rows in
            [columns.lowerBound..<middleX, middleX..<columns.upperBound].map { columns in
                PixelWindow(columns: columns, rows: rows)
            }
        }
    }

    /// Whether another window lies inside.
    fileprivate func contains(_ other: PixelWindow) -> Bool { intersection(other) == other }
}

extension ImageMapping {
    /// Whether a corner is beyond the world's northern or southern edge, by more than a rounding error.
    fileprivate var leavesWorld: Bool {
        var corners = box.corners
        mercatorPoints(ofImage: &corners)
        return corners.contains { !(abs($0.y) <= WebMercator.halfWorld + 1e-3) }
    }
}

extension [Point] {
    /// Shifts points by whole turns of columns: the first existing point into the first turn, the others to
    /// within half a turn of it.
    fileprivate mutating func bringIntoTurn(_ turn: Double) {
        guard let first = first(where: \.x.isFinite)?.x else { return }
        continueAround(turn, from: first - turn * (first / turn).rounded(.down))
    }

    /// Shifts points by whole turns of columns to within half a turn of a column: if that is the first
    /// point's, a cell across the edge of a world is one piece.
    fileprivate mutating func continueAround(_ turn: Double, from column: Double) {
        for index in indices { self[index].x = self[index].x.nearest(to: column, modulo: turn) }
    }
}
