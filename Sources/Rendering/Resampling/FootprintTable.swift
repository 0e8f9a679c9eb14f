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
                let center = Point(x: Double(x) / Double(phases), y: Double(y) / Double(phases))
                weights += FixedWeights.rounded(jacobian.corners(around: center).shares(of: window))
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
    func corners(around position: Point) -> [Point] {
        [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { (dx, dy) in
            Point(
                x: position.x + columnPerX * dx + columnPerY * dy, y: position.y + rowPerX * dx + rowPerY * dy
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

extension [Point] {
    /// The share of a convex polygon in each pixel of a window, row by row; their sum is 1.
    func shares(of window: PixelWindow) -> [Double] {
        var shares: [Double] = []
        shares.reserveCapacity(window.width * window.height)
        for row in window.rows {
            let strip = clipped { $0.y - Double(row) }.clipped { Double(row + 1) - $0.y }
            let (west, east) = strip.reduce((.infinity, -.infinity)) {
                (Swift.min($0.0, $1.x), Swift.max($0.1, $1.x))
            }
            for column in window.columns {
                let (left, right) = (Double(column), Double(column + 1))
                // Most pixels of the window are outside, which is cheap to find out.
                let isBeside = east < left || right < west
                shares.append(isBeside ? 0 : strip.clipped { $0.x - left }.clipped { right - $0.x }.area)
            }
        }
        let sum = shares.reduce(0, +)
        return sum > 0 ? shares.map { $0 / sum } : shares
    }
}
