internal import CKernels

/// The exact average over a pixel of a turned or sheared result: the share of its parallelogram
/// that each source pixel covers, for every phase of its centre.
struct FootprintTable {
    private let phaseBits: Int
    private let weights: [Int16]
    private let columns: Int
    private let rows: Int
    private let left: Int
    private let top: Int

    /// Computes the weights for a Jacobian.
    init(_ jacobian: Jacobian) {
        phaseBits = Self.phaseBits(of: jacobian)
        let (reachX, reachY) = (
            Int(jacobian.columnReach.rounded(.up)), Int(jacobian.rowReach.rounded(.up))
        )
        let (left, top) = (-reachX, -reachY)
        let columns = FixedWeights.paddedTaps(2 * reachX + 1)
        let rows = 2 * reachY + 1
        var weights: [Int16] = []
        let phases = 1 << Self.phaseBits(of: jacobian)
        weights.reserveCapacity(phases * phases * rows * columns)
        for y in 0..<phases {
            for x in 0..<phases {
                let pixel = Self.parallelogram(
                    jacobian, x: Double(x) / Double(phases), y: Double(y) / Double(phases))
                weights += FixedWeights.rounded(
                    pixel.shares(columns: left..<left + columns, rows: top..<top + rows))
            }
        }
        self.weights = weights
        (self.left, self.top, self.columns, self.rows) = (left, top, columns, rows)
    }

    /// Bits of a phase along each axis.
    ///
    /// 64 phases put a centre right to 1/128 of a source pixel, an error of 2 in 255 at a hard
    /// edge. A larger footprint is as exact, in relation to itself, with fewer.
    static func phaseBits(of jacobian: Jacobian) -> Int {
        let reach = max(jacobian.columnReach, jacobian.rowReach)
        return reach < 1 ? 6 : reach < 4 ? 5 : reach < 16 ? 4 : 3
    }

    /// The pixel of the result, in the source, around a position.
    private static func parallelogram(_ jacobian: Jacobian, x: Double, y: Double) -> ConvexPolygon {
        let j = jacobian.thickened
        return ConvexPolygon(
            [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { (dx, dy) in
                (x + j.columnPerX * dx + j.columnPerY * dy, y + j.rowPerX * dx + j.rowPerY * dy)
            })
    }

    /// Calls with the table as the core takes it.
    func withFootprint<Result>(_ body: (cr_footprint) -> Result) -> Result {
        weights.withUnsafeBufferPointer {
            body(
                cr_footprint(
                    weights: $0.baseAddress, phase_bits: Int32(phaseBits), columns: Int32(columns),
                    rows: Int32(rows), left: Int32(left), top: Int32(top)))
        }
    }
}

extension Jacobian {
    /// The same; or, if the pixel is a line in the source, a rectangle along it that is a millionth
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
        // A point is a line of no direction.
        if length(along) < thickness { along = (thickness, 0) }
        let across = thickness / length(along)
        return Jacobian(
            columnPerX: along.0, columnPerY: -along.1 * across, rowPerX: along.1,
            rowPerY: along.0 * across)
    }
}
