/// A dense system of linear equations, for several right-hand sides at once.
struct LinearSystem {
    /// Unknowns, and equations.
    let count: Int
    /// The matrix, row by row.
    var matrix: [Double]

    /// A system of zeros.
    init(count: Int) {
        self.count = count
        matrix = Array(repeating: 0, count: count * count)
    }

    /// Solves the system by elimination with row pivoting, in `count` cubed times 2/3 operations for
    /// few right-hand sides and four times as many for as many sides as unknowns.
    ///
    /// - Parameters:
    ///   - sides: the right-hand sides, `count` rows of `width` numbers.
    ///   - width: how many there are.
    /// - Returns: the solutions in the same order, or nil if the system is singular.
    consuming func solve(_ sides: [Double], width: Int) -> [Double]? {
        var (matrix, result) = (matrix, sides)
        let count = self.count
        let isRegular = matrix.withUnsafeMutableBufferPointer { a in
            result.withUnsafeMutableBufferPointer { b in
                let rows = Rows(a: a, b: b, count: count, width: width)
                guard rows.eliminate() else { return false }
                rows.substitute()
                return true
            }
        }
        return isRegular ? result : nil
    }
}

/// The rows of a system on its way to a solution.
private struct Rows {
    let a: UnsafeMutableBufferPointer<Double>
    let b: UnsafeMutableBufferPointer<Double>
    let count: Int
    let width: Int

    /// Makes the matrix triangular; false if a pivot is but a rounding error.
    func eliminate() -> Bool {
        let largest = a.reduce(0) { max($0, abs($1)) }
        for step in 0..<count {
            let pivot = (step..<count).max { abs(a[$0 * count + step]) < abs(a[$1 * count + step]) }
            guard let pivot, abs(a[pivot * count + step]) > 1e-14 * largest else { return false }
            swap(step, pivot)
            for row in step + 1..<count {
                let factor = a[row * count + step] / a[step * count + step]
                if factor == 0 { continue }
                Rows.subtract(factor, a, from: row * count, step * count, step + 1..<count)
                Rows.subtract(factor, b, from: row * width, step * width, 0..<width)
            }
        }
        return true
    }

    /// Solves the triangular system, from the last unknown up.
    func substitute() {
        for row in (0..<count).reversed() {
            for known in row + 1..<count {
                Rows.subtract(
                    a[row * count + known], b, from: row * width, known * width, 0..<width)
            }
            for side in 0..<width { b[row * width + side] /= a[row * count + row] }
        }
    }

    private func swap(_ one: Int, _ other: Int) {
        if one == other { return }
        for column in 0..<count { a.swapAt(one * count + column, other * count + column) }
        for side in 0..<width { b.swapAt(one * width + side, other * width + side) }
    }

    /// Takes a multiple of a part of a row from the same part of another one.
    private static func subtract(
        _ factor: Double, _ rows: UnsafeMutableBufferPointer<Double>, from target: Int,
        _ source: Int, _ part: Range<Int>
    ) {
        guard let base = rows.baseAddress else { return }
        let (to, from) = (base + target, base + source)
        for index in part { to[index] -= factor * from[index] }
    }
}
