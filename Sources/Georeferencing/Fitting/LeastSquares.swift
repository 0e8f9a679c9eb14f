/// The least-squares solution of a small overdetermined system `rows * x = values`, by Householder
/// QR with column pivoting.
enum LeastSquares {
    /// Solves the system.
    ///
    /// - Parameters:
    ///   - rows: at least as many as unknowns, all of one length.
    ///   - tolerance: a pivot below this fraction of the largest makes the system singular.
    /// - Returns: the unknowns, or nil if the system is singular.
    static func solve(
        _ rows: [[Double]], _ values: [Double], tolerance: Double
    ) -> [Double]? {
        // Columns of the matrix, and the right-hand side as the last.
        var columns = (0..<rows[0].count).map { column in rows.map { $0[column] } } + [values]
        let count = rows[0].count
        var order = Array(0..<count)
        var largest = 0.0
        for step in 0..<count {
            pivot(&columns, &order, at: step)
            let diagonal = reflect(&columns, at: step)
            largest = max(largest, abs(diagonal))
            guard abs(diagonal) > tolerance * largest else { return nil }
        }
        return backSubstitute(columns, order)
    }

    /// Brings the column with the longest rest to the front.
    private static func pivot(_ columns: inout [[Double]], _ order: inout [Int], at step: Int) {
        let lengths = columns.prefix(order.count).map { squaredLength($0[step...]) }
        let longest = (step..<order.count).reduce(step) { lengths[$0] < lengths[$1] ? $1 : $0 }
        columns.swapAt(step, longest)
        order.swapAt(step, longest)
    }

    /// Mirrors the columns from `step` on so that the first of them ends at the diagonal, and
    /// gives that diagonal element.
    private static func reflect(_ columns: inout [[Double]], at step: Int) -> Double {
        let length = squaredLength(columns[step][step...]).squareRoot()
        guard length > 0 else { return 0 }
        let diagonal = columns[step][step] > 0 ? -length : length
        var axis = Array(columns[step][step...])
        axis[0] -= diagonal
        let scale = 2 / squaredLength(ArraySlice(axis))
        for column in step..<columns.count {
            let product = zip(axis, columns[column][step...]).reduce(0) { $0 + $1.0 * $1.1 }
            for row in axis.indices {
                columns[column][step + row] -= scale * product * axis[row]
            }
        }
        return diagonal
    }

    private static func backSubstitute(_ columns: [[Double]], _ order: [Int]) -> [Double] {
        let count = order.count
        var solution = [Double](repeating: 0, count: count)
        for row in (0..<count).reversed() {
            let known = (row + 1..<count).reduce(0) { $0 + columns[$1][row] * solution[order[$1]] }
            solution[order[row]] = (columns[count][row] - known) / columns[row][row]
        }
        return solution
    }

    private static func squaredLength(_ vector: ArraySlice<Double>) -> Double {
        vector.reduce(0) { $0 + $1 * $1 }
    }
}
