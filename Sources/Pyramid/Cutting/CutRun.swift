/// How much of each pixel of a row lies within polygons: the sums of their edges, one polygon after another.
struct CutRun {
    /// What an edge does to a pixel, and to all pixels to the right of it.
    private struct Step {
        var column: Int
        /// The height that it passes there, in 256ths.
        var height: Int
        /// Twice the area to the left of it.
        var left: Int
    }

    /// The columns of pixels that are looked at.
    let columns: Range<Int>
    /// Of each pixel, from 0 to 256.
    private(set) var coverage: [UInt16]

    /// The height of edges to the left of all columns.
    private var before = 0
    private var steps: [Step] = []

    /// Starts with no polygon.
    init(columns: Range<Int>) {
        self.columns = columns
        coverage = Array(repeating: 0, count: columns.count)
    }

    /// Starts a row anew.
    mutating func clear() {
        for index in coverage.indices { coverage[index] = 0 }
    }

    /// Takes in an edge to the left of all columns.
    mutating func addBefore(_ height: Int) { before += height }

    /// Takes in an edge at a column, in units of `CutEdge`; `left` is twice the area on its left in the pixel.
    mutating func add(column: Int, height: Int, left: Int) {
        if column < columns.lowerBound {
            before += height
        } else if column < columns.upperBound, height != 0 {
            steps.append(Step(column: column, height: height, left: left))
        }
    }

    /// Adds the polygon whose edges were taken in. Polygons that meet in a pixel fill it together.
    mutating func closePolygon() {
        steps.sort { $0.column < $1.column }
        var (height, column) = (before, columns.lowerBound)
        var index = 0
        while index < steps.count {
            let here = steps[index].column
            fill(column..<here, area: height * 2 * CutEdge.unit)
            var left = 0
            while index < steps.count, steps[index].column == here {
                height += steps[index].height
                left += steps[index].left
                index += 1
            }
            fill(here..<here + 1, area: height * 2 * CutEdge.unit - left)
            column = here + 1
        }
        fill(column..<columns.upperBound, area: height * 2 * CutEdge.unit)
        before = 0
        steps.removeAll(keepingCapacity: true)
    }

    /// - Parameter area: twice the area with the sign of the ring, in 256ths of a pixel squared. Places
    ///   that rings surround twice lie outside, as holes do.
    private mutating func fill(_ columns: Range<Int>, area: Int) {
        let turned = abs(area) % (2 * CutEdge.wholePixel)
        let folded = min(turned, 2 * CutEdge.wholePixel - turned)
        let share = UInt16((folded + CutEdge.unit) / (2 * CutEdge.unit))
        if share == 0 { return }
        for column in columns {
            let index = column - self.columns.lowerBound
            coverage[index] = min(coverage[index] + share, UInt16(CutEdge.unit))
        }
    }
}
