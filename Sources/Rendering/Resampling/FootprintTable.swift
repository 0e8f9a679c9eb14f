import CKernels
import Synchronization
import Tiling

/// The exact average over a pixel of a turned or sheared result: the share of its parallelogram in each
/// source pixel, for every phase of its centre.
struct FootprintTable {
    private let phaseBits: Int
    private let weights: [Int16]
    private let columns: Int
    private let rows: Int
    private let left: Int
    private let top: Int

    /// Computes the weights for a Jacobian.
    init(_ jacobian: Jacobian, _ precision: FootprintPrecision = .exact) {
        phaseBits = precision.phaseBits(of: jacobian)
        let (reachX, reachY) = (
            Int(jacobian.columnReach.rounded(.up)), Int(jacobian.rowReach.rounded(.up))
        )
        let (left, top) = (-reachX, -reachY)
        let columns = FixedWeights.paddedTaps(2 * reachX + 1)
        let rows = 2 * reachY + 1
        (self.left, self.top, self.columns, self.rows) = (left, top, columns, rows)
        let window = PixelWindow(columns: left..<left + columns, rows: top..<top + rows)
        weights =
            switch precision {
            case .exact: Self.weights(jacobian.thickened, window, phases: 1 << phaseBits)
            case .scanned:
                ScannedFootprint(jacobian.thickened).weights(window, phases: 1 << phaseBits)
            }
    }

    private static func weights(
        _ jacobian: Jacobian, _ window: PixelWindow, phases: Int
    ) -> [Int16] {
        var weights: [Int16] = []
        weights.reserveCapacity(phases * phases * window.width * window.height)
        for y in 0..<phases {
            for x in 0..<phases {
                let pixel = ConvexPolygon(
                    jacobian.corners(around: (Double(x) / Double(phases), Double(y) / Double(phases))))
                weights += FixedWeights.rounded(
                    pixel.shares(columns: window.columns, rows: window.rows))
            }
        }
        return weights
    }

    /// Bytes of the weights of a shape: for each phase of its centre along both axes, the pixels that it can
    /// touch.
    static func bytes(_ jacobian: Jacobian) -> Int {
        let phases = 1 << FootprintPrecision.exact.phaseBits(of: jacobian)
        let columns = FixedWeights.paddedTaps(2 * Int(jacobian.columnReach.rounded(.up)) + 1)
        let rows = 2 * Int(jacobian.rowReach.rounded(.up)) + 1
        return phases * phases * columns * rows * MemoryLayout<Int16>.size
    }

    /// Calls `body` with the table in the format of the core.
    func withFootprint<Result>(_ body: (cr_footprint) -> Result) -> Result {
        weights.withUnsafeBufferPointer {
            body(
                cr_footprint(
                    weights: $0.baseAddress, phase_bits: Int32(phaseBits), columns: Int32(columns),
                    rows: Int32(rows), left: Int32(left), top: Int32(top)))
        }
    }
}

/// The precision of the weights of a footprint, whose computation takes time for each shape.
package enum FootprintPrecision: Sendable {
    /// Exact to the last bit: for tiles, which are made once.
    case exact
    /// Exact to a few thousandths, but a hundred times as fast: for views and for images of the whole Earth,
    /// in which each cell may have another shape.
    case scanned

    /// The bits of a phase along each axis.
    ///
    /// With 64 phases, a centre is accurate to 1/128 of a source pixel, an error of 2 in 255 at a hard edge.
    /// A larger footprint has the same relative accuracy with fewer phases.
    func phaseBits(of jacobian: Jacobian) -> Int {
        let reach = max(jacobian.columnReach, jacobian.rowReach)
        return switch self {
        case .exact: reach < 1 ? 6 : reach < 4 ? 5 : reach < 16 ? 4 : 3
        case .scanned: reach < 1 ? 6 : reach < 1.5 ? 4 : reach < 8 ? 3 : 2
        }
    }

    /// The bits to which the Jacobian of a cell is rounded, if it differs from cell to cell.
    package var jacobianBits: Int {
        switch self {
        case .exact: 5
        case .scanned: 3
        }
    }
}

extension Jacobian {
    /// The corners of the result's pixel in the source, around a position, in order.
    func corners(around position: (x: Double, y: Double)) -> [(x: Double, y: Double)] {
        [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { (dx, dy) in
            (
                position.x + columnPerX * dx + columnPerY * dy,
                position.y + rowPerX * dx + rowPerY * dy
            )
        }
    }
    /// The Jacobian or, if the pixel is a line in the source, that of a rectangle along the line, a millionth
    /// of a source pixel thick: its shares are the line's, and can be told from zero.
    fileprivate var thickened: Jacobian {
        let thickness = 1e-6
        let (right, down) = ((columnPerX, rowPerX), (columnPerY, rowPerY))
        func length(_ way: (Double, Double)) -> Double {
            (way.0 * way.0 + way.1 * way.1).squareRoot()
        }
        let area = abs(columnPerX * rowPerY - columnPerY * rowPerX)
        var along = length(right) > length(down) ? right : down
        if area >= thickness * max(length(along), thickness) { return self }
        // A point is a line without a direction.
        if length(along) < thickness { along = (thickness, 0) }
        let across = thickness / length(along)
        return Jacobian(
            columnPerX: along.0, columnPerY: -along.1 * across, rowPerX: along.1,
            rowPerY: along.0 * across)
    }
}

/// The computed footprint tables, shared by all workers: a table that one worker computes is needed by
/// others, too.
package final class FootprintTables: Sendable {
    /// Their precision.
    let precision: FootprintPrecision
    private let tables = Mutex<[Jacobian: FootprintTable]>([:])

    /// The number of tables that are kept before all are dropped; a mapping of a building needs a few.
    private static let keptTables = 256

    /// Starts without tables.
    package init(_ precision: FootprintPrecision) { self.precision = precision }

    /// The table of a Jacobian. Two workers that need the same table at the same time may both compute it.
    func table(_ jacobian: Jacobian) -> FootprintTable {
        if let table = tables.withLock({ $0[jacobian] }) { return table }
        let table = FootprintTable(jacobian, precision)
        tables.withLock { tables in
            if tables.count >= Self.keptTables { tables.removeAll() }
            tables[jacobian] = table
        }
        return table
    }
}

/// A convex polygon that is clipped by axis-parallel lines, to find the part of one pixel that another pixel
/// covers.
struct ConvexPolygon {
    /// The corners in order around it.
    private var corners: [(x: Double, y: Double)]

    init(_ corners: [(x: Double, y: Double)]) {
        self.corners = corners
    }

    /// Its area: half the sum of the cross products of neighbouring corners (the shoelace formula).
    private var area: Double {
        guard var previous = corners.last else { return 0 }
        var twice = 0.0
        for corner in corners {
            twice += previous.x * corner.y - corner.x * previous.y
            previous = corner
        }
        return abs(twice) / 2
    }

    /// The share of the polygon in each pixel of a window, row by row; their sum is 1.
    func shares(columns: Range<Int>, rows: Range<Int>) -> [Double] {
        var shares: [Double] = []
        shares.reserveCapacity(columns.count * rows.count)
        for row in rows {
            let strip = clipped(rows: Double(row)...Double(row + 1))
            let (west, east) = strip.extent
            for column in columns {
                let pixel = Double(column)...Double(column + 1)
                // Most pixels of the window are outside, which is cheap to find out.
                let isBeside = east < pixel.lowerBound || pixel.upperBound < west
                shares.append(isBeside ? 0 : strip.clipped(columns: pixel).area)
            }
        }
        let sum = shares.reduce(0, +)
        return sum > 0 ? shares.map { $0 / sum } : shares
    }

    /// Its first and its last column; an empty interval if it has no corners.
    private var extent: (west: Double, east: Double) {
        corners.reduce((.infinity, -.infinity)) { (min($0.0, $1.x), max($0.1, $1.x)) }
    }

    /// The part between two columns.
    private func clipped(columns: ClosedRange<Double>) -> ConvexPolygon {
        keeping { $0.x - columns.lowerBound }.keeping { columns.upperBound - $0.x }
    }

    /// The part between two rows.
    private func clipped(rows: ClosedRange<Double>) -> ConvexPolygon {
        keeping { $0.y - rows.lowerBound }.keeping { rows.upperBound - $0.y }
    }

    /// The part in which a linear function is not negative (Sutherland and Hodgman, 1974).
    private func keeping(_ inside: ((x: Double, y: Double)) -> Double) -> ConvexPolygon {
        guard var previous = corners.last else { return self }
        var kept: [(x: Double, y: Double)] = []
        kept.reserveCapacity(corners.count + 1)
        var before = inside(previous)
        for corner in corners {
            let after = inside(corner)
            if (before < 0) != (after < 0) {
                let t = before / (before - after)
                kept.append(
                    (
                        previous.x + t * (corner.x - previous.x),
                        previous.y + t * (corner.y - previous.y)
                    ))
            }
            if after >= 0 { kept.append(corner) }
            (previous, before) = (corner, after)
        }
        return ConvexPolygon(kept)
    }
}
