import Tiling

/// A drawing of convex polygons, each of one ink, that is rasterised exactly: a pixel is covered by the share of its
/// area that lies in a polygon. Polygons lie over each other as their coverage says, as in any rasteriser.
struct Drawing {
    typealias Ink = [Double]

    private struct Shape {
        let corners: [Point]
        let ink: Ink
    }

    let width: Int
    let height: Int
    private var shapes: [Shape] = []

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Adds a convex polygon.
    mutating func fill(_ corners: [Point], _ ink: Ink) { shapes.append(Shape(corners: corners, ink: ink)) }

    /// Adds a line with square ends.
    mutating func line(_ from: Point, _ to: Point, width: Double, _ ink: Ink) {
        let (x, y) = (to.x - from.x, to.y - from.y)
        let length = (x * x + y * y).squareRoot()
        let (right, down) = (-y / length * width / 2, x / length * width / 2)
        fill(
            [
                Point(x: from.x + right, y: from.y + down), Point(x: to.x + right, y: to.y + down),
                Point(x: to.x - right, y: to.y - down), Point(x: from.x - right, y: from.y - down),
            ], ink)
    }

    /// The drawing over a colour, RGB of 8 bits.
    func pixels(over ground: Ink) -> [UInt8] {
        var canvas = (0..<width * height).flatMap { _ in ground }
        for shape in shapes { paint(shape, on: &canvas) }
        return canvas.map { UInt8($0.rounded()) }
    }

    private func paint(_ shape: Shape, on canvas: inout [Double]) {
        let (xs, ys) = (shape.corners.map(\.x), shape.corners.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
            return
        }
        for row in max(0, Int(top))..<min(height, Int(bottom) + 1) {
            for column in max(0, Int(left))..<min(width, Int(right) + 1) {
                let share = Self.area(of: shape.corners, inPixel: column, row)
                for channel in 0..<3 {
                    let index = (row * width + column) * 3 + channel
                    canvas[index] += share * (shape.ink[channel] - canvas[index])
                }
            }
        }
    }

    /// The area that a polygon and a pixel share: the polygon is clipped at the pixel's edges one by one
    /// (Sutherland and Hodgman), and measured by the shoelace formula.
    private static func area(of corners: [Point], inPixel column: Int, _ row: Int) -> Double {
        var polygon = corners
        let (x, y) = (Double(column), Double(row))
        polygon = clip(polygon) { $0.x - x }
        polygon = clip(polygon) { x + 1 - $0.x }
        polygon = clip(polygon) { $0.y - y }
        polygon = clip(polygon) { y + 1 - $0.y }
        var twice = 0.0
        for index in polygon.indices {
            let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
            twice += a.x * b.y - b.x * a.y
        }
        return abs(twice) / 2
    }

    private static func clip(_ polygon: [Point], inside: (Point) -> Double) -> [Point] {
        polygon.indices.flatMap { index in
            let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
            let (here, there) = (inside(a), inside(b))
            let kept = here >= 0 ? [a] : []
            if (here >= 0) == (there >= 0) { return kept }
            let share = here / (here - there)
            return kept + [Point(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y))]
        }
    }
}

extension Drawing {
    static let black: Ink = [0, 0, 0]
    static let blue: Ink = [30, 60, 160]
    static let red: Ink = [190, 30, 40]
    static let green: Ink = [60, 120, 70]
    static let slate: Ink = [68, 85, 102]

    /// Fills with and without outlines, dark and pale ones, lines of two pixels and more, and letters of strokes.
    static func plan() -> Drawing {
        var plan = Drawing(width: 320, height: 260)
        let fills: [Ink] = [
            [197, 234, 245], blue, [238, 242, 244], [217, 242, 208], [250, 250, 240], green,
        ]
        for index in 0..<12 {
            let center = Point(x: 30 + Double(index % 6) * 52.3, y: 32 + Double(index / 6) * 58.7)
            let corners = polygon(around: center, count: 3 + index % 4, turn: Double(index) * 0.7)
            plan.fill(corners, fills[index % 6])
            if index % 2 == 1 { continue }
            let ink = [slate, black, red][index / 2 % 3]
            for (from, to) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
                plan.line(from, to, width: 2 + Double(index % 3), ink)
            }
        }
        for index in 0..<16 {
            let start = Point(x: 12 + Double(index) * 19.1, y: 140)
            let end = Point(x: start.x + Double(index - 7) * 2.3, y: 175 + Double(index % 3))
            plan.line(start, end, width: 2 + Double(index % 3) / 2, [black, red, blue, green][index % 4])
        }
        for (index, ink) in [black, red, blue, slate].enumerated() {
            plan.write(at: Point(x: 14 + Double(index) * 78, y: 195.3), height: 14 + Double(index) * 10, ink)
        }
        return plan
    }

    /// Lines of half a pixel in many directions.
    static func hairlines() -> Drawing {
        var lines = Drawing(width: 330, height: 260)
        for index in 0..<30 {
            let center = Point(x: 28 + Double(index % 6) * 54.6, y: 28 + Double(index / 6) * 50.9)
            let end = direction(Double(index) * 0.2094 + 0.1)
            lines.line(
                Point(x: center.x - 22 * end.x, y: center.y - 22 * end.y),
                Point(x: center.x + 22 * end.x, y: center.y + 22 * end.y),
                width: 0.5, [black, red, blue, green][index % 4])
        }
        return lines
    }

    /// The letters A, E and K, of strokes of a seventh of their height.
    private mutating func write(at place: Point, height: Double, _ ink: Ink) {
        let strokes: [[(Double, Double)]] = [
            [(0, 1), (0.3, 0)], [(0.3, 0), (0.6, 1)], [(0.1, 0.65), (0.5, 0.65)],
            [(0.8, 0), (0.8, 1)], [(0.8, 0.07), (1.25, 0.07)], [(0.8, 0.5), (1.2, 0.5)],
            [(0.8, 0.93), (1.25, 0.93)],
            [(1.5, 0), (1.5, 1)], [(1.5, 0.6), (1.95, 0)], [(1.6, 0.45), (1.95, 1)],
        ]
        for stroke in strokes {
            let ends = stroke.map { Point(x: place.x + $0.0 * height * 0.7, y: place.y + $0.1 * height) }
            line(ends[0], ends[1], width: height / 7, ink)
        }
    }

    private static func polygon(around center: Point, count: Int, turn: Double) -> [Point] {
        (0..<count).map {
            let end = direction(turn + 2 * .pi * Double($0) / Double(count))
            return Point(x: center.x + 21 * end.x, y: center.y + 21 * end.y)
        }
    }

    /// A point of the unit circle: a tiny turn, doubled often.
    private static func direction(_ angle: Double) -> Point {
        var (x, y) = (1.0, angle / 1_048_576)
        for _ in 0..<20 { (x, y) = (x * x - y * y, 2 * x * y) }
        let length = (x * x + y * y).squareRoot()
        return Point(x: x / length, y: y / length)
    }
}
