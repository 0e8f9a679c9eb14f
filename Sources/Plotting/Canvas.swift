import Tiling

/// A picture to draw on: 8-bit RGBA, opaque. Shapes have smooth edges.
package struct Canvas {
    /// Columns.
    package let width: Int
    /// Rows.
    package let height: Int
    /// The pixels, row by row without gaps.
    package private(set) var rgba: [UInt8]

    /// Makes a white picture.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        rgba = Array(repeating: 255, count: width * height * 4)
    }

    /// Replaces a pixel.
    mutating func set(_ column: Int, _ row: Int, _ ink: Ink) {
        let index = (row * width + column) * 4
        (rgba[index], rgba[index + 1], rgba[index + 2]) = (ink.red, ink.green, ink.blue)
    }

    /// Draws lines with round ends, as one shape even if they cross.
    ///
    /// - Parameters:
    ///   - lines: points to join, in pixels from the top-left corner; a single one makes a dot.
    ///   - thickness: the width of the lines in pixels.
    mutating func stroke(_ lines: [[Point]], thickness: Double, _ ink: Ink) {
        let segments = lines.flatMap { line in
            line.count == 1 ? [(line[0], line[0])] : Array(zip(line, line.dropFirst()))
        }
        guard let box = BoundingBox(around: lines.joined()) else { return }
        let reach = thickness / 2 + 1
        let columns = Canvas.pixels(box.minX - reach, box.maxX + reach, below: width)
        let rows = Canvas.pixels(box.minY - reach, box.maxY + reach, below: height)
        if columns.isEmpty || rows.isEmpty { return }
        var mask = [Float](repeating: 0, count: columns.count * rows.count)
        for (start, end) in segments {
            let (left, right) = (min(start.x, end.x) - reach, max(start.x, end.x) + reach)
            let (top, bottom) = (min(start.y, end.y) - reach, max(start.y, end.y) + reach)
            for row in Canvas.pixels(top, bottom, below: height).clamped(to: rows) {
                for column in Canvas.pixels(left, right, below: width).clamped(to: columns) {
                    let pixel = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
                    let distance = Canvas.distance(from: pixel, to: start, end)
                    let cover = Float(min(1, max(0, thickness / 2 + 0.5 - distance)))
                    let index = (row - rows.lowerBound) * columns.count + column
                    mask[index - columns.lowerBound] = max(mask[index - columns.lowerBound], cover)
                }
            }
        }
        for (index, cover) in mask.enumerated() where cover > 0 {
            let (row, column) = index.quotientAndRemainder(dividingBy: columns.count)
            blend(column + columns.lowerBound, row + rows.lowerBound, ink, cover)
        }
    }

    private mutating func blend(_ column: Int, _ row: Int, _ ink: Ink, _ cover: Float) {
        let index = (row * width + column) * 4
        for (channel, value) in [ink.red, ink.green, ink.blue].enumerated() {
            let below = Float(rgba[index + channel])
            rgba[index + channel] = UInt8((below + (Float(value) - below) * cover).rounded())
        }
    }

    /// The pixels that a range of positions touches.
    private static func pixels(_ first: Double, _ last: Double, below count: Int) -> Range<Int> {
        let limit = Double(count)
        let start = min(max(first.rounded(.down), 0), limit)
        let end = min(max(last.rounded(.up), start), limit)
        return Int(start)..<Int(end)
    }

    private static func distance(from point: Point, to start: Point, _ end: Point) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let square = dx * dx + dy * dy
        let along = (point.x - start.x) * dx + (point.y - start.y) * dy
        let share = square > 0 ? min(1, max(0, along / square)) : 0
        return point.distance(to: Point(x: start.x + share * dx, y: start.y + share * dy))
    }
}

/// An opaque colour.
struct Ink: Hashable, Sendable {
    /// Red, green and blue.
    let red, green, blue: UInt8

    /// Paper, and halos around marks.
    static let white = Ink(red: 255, green: 255, blue: 255)
    /// Text.
    static let black = Ink(red: 33, green: 33, blue: 33)
    /// Frames and edges.
    static let gray = Ink(red: 150, green: 150, blue: 150)
    /// Marks: Okabe and Ito's blue, which people of any colour vision tell from vermilion.
    static let blue = Ink(red: 0, green: 90, blue: 181)
    /// Points that are probably wrong: Okabe and Ito's vermilion.
    static let vermilion = Ink(red: 213, green: 60, blue: 0)
}
