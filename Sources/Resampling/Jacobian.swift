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

    /// The derivatives rounded to a multiple of the largest's power of two over `2^bits`.
    ///
    /// Weights are computed once per distinct Jacobian. Rounding it makes neighbours share them,
    /// and keeps the last bits of a coordinate transform from choosing weights.
    package func rounded(bits: Int) -> Jacobian {
        let largest = max(abs(columnPerX), abs(columnPerY), abs(rowPerX), abs(rowPerY))
        guard largest > 0, largest.isFinite else { return self }
        let step = Double(sign: .plus, exponent: largest.exponent - bits, significand: 1)
        func round(_ value: Double) -> Double { (value / step).rounded() * step }
        return Jacobian(
            columnPerX: round(columnPerX), columnPerY: round(columnPerY),
            rowPerX: round(rowPerX), rowPerY: round(rowPerY))
    }

    private static func length(_ a: Double, _ b: Double) -> Double {
        (a * a + b * b).squareRoot()
    }
}
