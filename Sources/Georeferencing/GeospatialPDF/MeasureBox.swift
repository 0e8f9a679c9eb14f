import Tiling

/// The rectangle of a viewport, in units of the document. Its first corner is (0, 0) of the unit square in which a
/// measure counts, and its second one (1, 1).
struct MeasureBox {
    private let first: Point
    private let second: Point

    /// Takes a `BBox`; nil if that is not four finite numbers or has no area.
    init?(_ numbers: [Double]) {
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
        self.init(Point(x: numbers[0], y: numbers[1]), Point(x: numbers[2], y: numbers[3]))
        let area = outline.width * outline.height
        guard area > 0, area.isFinite else { return nil }
    }

    private init(_ first: Point, _ second: Point) { (self.first, self.second) = (first, second) }

    /// The rectangle around.
    var outline: BoundingBox {
        BoundingBox(
            minX: min(first.x, second.x), minY: min(first.y, second.y), maxX: max(first.x, second.x),
            maxY: max(first.y, second.y))
    }

    /// The same with its lower left corner first; nil if that is so already.
    var normal: MeasureBox? {
        let box = outline
        if first.x == box.minX, first.y == box.minY { return nil }
        return MeasureBox(Point(x: box.minX, y: box.minY), Point(x: box.maxX, y: box.maxY))
    }

    /// From the unit square to units of the document.
    var unitsFromSquare: AffineTransform {
        AffineTransform(
            a: second.x - first.x, b: 0, c: first.x, d: 0, e: second.y - first.y, f: first.y)
    }
}
