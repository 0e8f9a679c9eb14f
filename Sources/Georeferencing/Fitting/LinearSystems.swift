/// A small overdetermined system of linear equations with several right-hand sides, solved in the least
/// squares sense: Householder QR with column pivoting.
struct LeastSquares {
    /// The columns of the matrix, then those of the right-hand sides, one after the other.
    private var numbers: [Double]
    private let equations: Int
    private let unknowns: Int
    private let sides: Int

    /// A system of zeros.
    ///
    /// - Parameter equations: at least as many as unknowns.
    init(equations: Int, unknowns: Int, sides: Int) {
        (self.equations, self.unknowns, self.sides) = (equations, unknowns, sides)
        numbers = Array(repeating: 0, count: equations * (unknowns + sides))
    }

    /// Writes an equation: the factors of the unknowns, then the right-hand sides.
    @inline(__always)
    mutating func set(_ equation: Int, _ numbers: [Double]) {
        for (column, number) in numbers.enumerated() {
            self.numbers[column * equations + equation] = number
        }
    }

    /// Solves the system.
    ///
    /// - Parameter tolerance: a pivot below this fraction of the largest makes the system singular.
    /// - Returns: the unknowns for the first right-hand side, then for the next, …; nil if the system is
    ///   singular.
    consuming func solve(tolerance: Double) -> [Double]? {
        let (equations, unknowns, sides) = (equations, unknowns, sides)
        var numbers = numbers
        return numbers.withUnsafeMutableBufferPointer { numbers in
            var columns = Columns(numbers: numbers, height: equations, unknowns: unknowns, sides: sides)
            return columns.reduce(tolerance: tolerance) ? columns.solutions : nil
        }
    }
}

/// The columns of a system on its way to a solution.
private struct Columns {
    private let numbers: UnsafeMutableBufferPointer<Double>
    private let height: Int
    private let sides: Int
    /// The unknown that each column of the matrix belongs to.
    private var order: [Int]

    init(numbers: UnsafeMutableBufferPointer<Double>, height: Int, unknowns: Int, sides: Int) {
        (self.numbers, self.height, self.sides) = (numbers, height, sides)
        order = Array(0..<unknowns)
    }

    /// Makes the matrix triangular; false if it is singular.
    mutating func reduce(tolerance: Double) -> Bool {
        var largest = 0.0
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: height) { axis in
            for step in order.indices {
                pivot(at: step)
                let diagonal = reflect(at: step, along: axis)
                largest = max(largest, abs(diagonal))
                guard abs(diagonal) > tolerance * largest else { return false }
            }
            return true
        }
    }

    /// Moves the column with the longest remainder to the front.
    private mutating func pivot(at step: Int) {
        var (longest, most) = (step, squaredLength(of: step, from: step))
        for column in step + 1..<order.count {
            let length = squaredLength(of: column, from: step)
            if most < length { (longest, most) = (column, length) }
        }
        if longest == step { return }
        order.swapAt(step, longest)
        for row in 0..<height { numbers.swapAt(step * height + row, longest * height + row) }
    }

    /// Mirrors the columns from `step` on so that the first of them ends at the diagonal. Returns that
    /// diagonal element.
    private func reflect(at step: Int, along axis: UnsafeMutableBufferPointer<Double>) -> Double {
        let length = squaredLength(of: step, from: step).squareRoot()
        guard length > 0 else { return 0 }
        let diagonal = numbers[step * height + step] > 0 ? -length : length
        for row in step..<height { axis[row] = numbers[step * height + row] }
        axis[step] -= diagonal
        var square = 0.0
        for row in step..<height { square += axis[row] * axis[row] }
        let scale = 2 / square
        for column in step..<order.count + sides {
            var product = 0.0
            for row in step..<height { product += axis[row] * numbers[column * height + row] }
            for row in step..<height { numbers[column * height + row] -= scale * product * axis[row] }
        }
        return diagonal
    }

    /// The solutions of the triangular system, starting with the last unknown.
    var solutions: [Double] {
        let count = order.count
        var solutions = [Double](repeating: 0, count: count * sides)
        for side in 0..<sides {
            for row in (0..<count).reversed() {
                var known = 0.0
                for column in row + 1..<count {
                    known += numbers[column * height + row] * solutions[side * count + order[column]]
                }
                solutions[side * count + order[row]] =
                    (numbers[(count + side) * height + row] - known) / numbers[row * height + row]
            }
        }
        return solutions
    }

    private func squaredLength(of column: Int, from first: Int) -> Double {
        var sum = 0.0
        for row in first..<height {
            let number = numbers[column * height + row]
            sum += number * number
        }
        return sum
    }
}

/// A dense system of linear equations with several right-hand sides.
struct LinearSystem {
    /// The number of unknowns and of equations.
    let count: Int
    /// The matrix, row by row.
    var matrix: [Double]

    /// A system of zeros.
    init(count: Int) {
        self.count = count
        matrix = Array(repeating: 0, count: count * count)
    }

    /// Solves the system by elimination with row pivoting. That takes 2/3 `count` cubed operations for a few
    /// right-hand sides, and four times as many if there are as many sides as unknowns.
    ///
    /// - Parameters:
    ///   - sides: the right-hand sides, `count` rows of `width` numbers.
    ///   - width: the number of right-hand sides.
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

    /// Makes the matrix triangular; false if a pivot is only a rounding error.
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

    /// Solves the triangular system, starting with the last unknown.
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

    /// Subtracts a multiple of a part of a row from the same part of another row.
    private static func subtract(
        _ factor: Double, _ rows: UnsafeMutableBufferPointer<Double>, from target: Int,
        _ source: Int, _ part: Range<Int>
    ) {
        guard let base = rows.baseAddress else { return }
        let (to, from) = (base + target, base + source)
        for index in part { to[index] -= factor * from[index] }
    }
}
