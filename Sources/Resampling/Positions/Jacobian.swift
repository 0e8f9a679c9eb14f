/// How the source position changes with the pixel of the result: source pixels per pixel.
package struct Jacobian: Hashable, Sendable {
    /// Source columns per step right.
    package var columnPerX: Double
    /// Source columns per step down.
    package var columnPerY: Double
    /// Source rows per step right.
    package var rowPerX: Double
    /// Source rows per step down.
    package var rowPerY: Double

    /// Makes a Jacobian from its four derivatives.
    package init(columnPerX: Double, columnPerY: Double, rowPerX: Double, rowPerY: Double) {
        self.columnPerX = columnPerX
        self.columnPerY = columnPerY
        self.rowPerX = rowPerX
        self.rowPerY = rowPerY
    }

    /// How much a kernel along source rows must widen to cover the result's pixel; at least 1.
    package var columnScale: Double { max(1, Self.length(columnPerX, columnPerY)) }

    /// How much a kernel down source columns must widen; at least 1.
    package var rowScale: Double { max(1, Self.length(rowPerX, rowPerY)) }

    /// Half the width of the box around the result's pixel in the source.
    package var columnReach: Double { (abs(columnPerX) + abs(columnPerY)) / 2 }

    /// Half the height of that box.
    package var rowReach: Double { (abs(rowPerX) + abs(rowPerY)) / 2 }

    /// The derivatives of columns, and those of rows, rounded to a multiple of the larger's power of
    /// two over `2^bits`; each on their own, so that pixels a hundred times as long as wide keep both.
    ///
    /// Weights are computed once per distinct Jacobian. Rounding it makes neighbours share them,
    /// and keeps the last bits of a coordinate transform from choosing weights.
    package func rounded(bits: Int) -> Jacobian {
        func rounded(_ x: Double, _ y: Double) -> (Double, Double) {
            let largest = max(abs(x), abs(y))
            guard largest > 0, largest.isFinite else { return (x, y) }
            let step = Double(sign: .plus, exponent: largest.exponent - bits, significand: 1)
            return ((x / step).rounded() * step, (y / step).rounded() * step)
        }
        let (columns, rows) = (rounded(columnPerX, columnPerY), rounded(rowPerX, rowPerY))
        return Jacobian(
            columnPerX: columns.0, columnPerY: columns.1, rowPerX: rows.0, rowPerY: rows.1)
    }

    /// The derivatives, limited so that no kernel is wider than is worth its time and memory.
    ///
    /// Elsewhere than at the edge of an extreme perspective, only methods that copy pixels shrink by
    /// more than a few. A weighted sum spans at most 64 pixels then: a table of `area` takes 2 MB.
    /// The box of `mode` spans at most 2048: 50 MB of counts.
    package func limited(for method: ResamplingMethod) -> Jacobian {
        let limit = method.copiesPixels ? 1024.0 : 64
        func cut(_ value: Double) -> Double { min(max(value, -limit), limit) }
        return Jacobian(
            columnPerX: cut(columnPerX), columnPerY: cut(columnPerY), rowPerX: cut(rowPerX),
            rowPerY: cut(rowPerY))
    }

    private static func length(_ a: Double, _ b: Double) -> Double {
        (a * a + b * b).squareRoot()
    }
}
