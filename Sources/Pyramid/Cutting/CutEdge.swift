internal import Tiling

/// An edge of a polygon over a grid of pixels, in whole 256ths of a pixel.
///
/// What it says of a pixel depends on the edge and the pixel alone, so that a mask is the same however the
/// work is cut, and on every machine.
struct CutEdge: Sendable {
    /// 256ths along a pixel's edge.
    static let unit = 256
    /// What a pixel's whole area counts: two of each unit square.
    static let wholePixel = 2 * unit * unit

    /// The columns and rows of the upper and of the lower end.
    private let upper: (x: Int, y: Int)
    private let lower: (x: Int, y: Int)
    /// 1 if the ring runs down along the edge, -1 if it runs up.
    private let direction: Int
    /// The polygon's index.
    let polygon: Int

    /// Rounds an edge; nil if nothing is left of it then.
    init?(from start: Point, to end: Point, ofPolygon polygon: Int) {
        func rounded(_ point: Point) -> (x: Int, y: Int) {
            (Int((point.x * Double(Self.unit)).rounded()), Int((point.y * Double(Self.unit)).rounded()))
        }
        let (start, end) = (rounded(start), rounded(end))
        if start == end { return nil }
        (upper, lower) = start.y < end.y ? (start, end) : (end, start)
        direction = start.y < end.y ? 1 : -1
        self.polygon = polygon
    }

    /// The rows of pixels that it crosses; empty along a row's edge.
    var rows: Range<Int> {
        floorDivide(upper.y, Self.unit)..<floorDivide(lower.y + Self.unit - 1, Self.unit)
    }

    /// Whether any of it lies between the upper and the lower edge of some rows of pixels.
    func crosses(_ rows: Range<Int>) -> Bool {
        upper.y < rows.upperBound * Self.unit && lower.y > rows.lowerBound * Self.unit
    }

    /// Whether it leads from the upper edge of some rows of pixels to the lower one, past some columns.
    func passes(_ columns: Range<Int>, inRows rows: Range<Int>) -> Bool {
        upper.y <= rows.lowerBound * Self.unit && rows.upperBound * Self.unit <= lower.y
            && !self.columns(inRows: rows).overlaps(columns)
    }

    /// The column at a height between its ends.
    private func column(at y: Int) -> Int {
        if y <= upper.y { return upper.x }
        if y >= lower.y { return lower.x }
        let share = Double(y - upper.y) / Double(lower.y - upper.y)
        return upper.x + Int((share * Double(lower.x - upper.x)).rounded())
    }

    /// The columns of pixels that the edge touches in some rows of pixels; empty along a column's edge.
    func columns(inRows rows: Range<Int>) -> Range<Int> {
        let top = column(at: rows.lowerBound * Self.unit)
        let bottom = column(at: rows.upperBound * Self.unit)
        return floorDivide(
            min(top, bottom), Self.unit)..<floorDivide(max(top, bottom) + Self.unit - 1, Self.unit)
    }

    /// The column, in 256ths, at which it crosses a height, if it does: its upper end counts, its lower one
    /// does not.
    func crossing(_ y: Int) -> Int? { upper.y <= y && y < lower.y ? column(at: y) : nil }

    /// Adds what lies to the right of it in a row of pixels.
    func addArea(inRow row: Int, to run: inout CutRun) {
        let top = max(upper.y, row * Self.unit)
        let bottom = min(lower.y, (row + 1) * Self.unit)
        if top >= bottom { return }
        let (first, last) = (column(at: top), column(at: bottom))
        let (left, right) = (min(first, last), max(first, last))
        let height = bottom - top
        // The height that it has passed at a column, from its left end.
        func passed(_ x: Int) -> Int {
            x <= left ? 0 : x >= right ? height : (x - left) * height / (right - left)
        }
        run.addBefore(direction * passed(run.columns.lowerBound * Self.unit))
        let columns = floorDivide(left, Self.unit)..<floorDivide(right, Self.unit) + 1
        for column in columns.clamped(to: run.columns) {
            let edge = column * Self.unit
            let (from, to) = (max(left, edge), min(right, edge + Self.unit))
            // All of an edge that is upright counts in its column.
            let end = column == columns.upperBound - 1 ? height : passed(to)
            let part = direction * (end - passed(from))
            run.add(column: column, height: part, left: part * (from + to - 2 * edge))
        }
    }

    /// Adds the pixels whose centre lies on it or to the right of it in a row of pixels.
    func addCentres(inRow row: Int, to run: inout CutRun) {
        guard let x = crossing(row * Self.unit + Self.unit / 2) else { return }
        let column = floorDivide(x + Self.unit / 2 - 1, Self.unit)
        run.add(column: column, height: direction * Self.unit, left: 0)
    }
}
