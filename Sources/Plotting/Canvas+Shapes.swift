import Tiling

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// How text is drawn.
struct TextStyle {
    /// The height of capitals in pixels.
    var height: Double
    /// The colour of the text.
    var ink: Ink
    /// Whether strokes are thicker.
    var isBold: Bool
    /// Whether a white halo sets it off from the background.
    var hasHalo = false

    /// The width of its strokes in pixels.
    var thickness: Double { max(1.2, height * (isBold ? 0.19 : 0.13)) }

    /// The width of a text in pixels.
    func width(of text: String) -> Double {
        let widths = text.map { StrokeFont.glyph(of: $0).width + StrokeFont.gap }
        return (widths.reduce(0, +) - StrokeFont.gap) * height / StrokeFont.capitalHeight
    }
}

extension Canvas {
    /// Writes a text.
    ///
    /// - Parameter corner: the top-left corner of the first capital, in pixels.
    mutating func write(_ text: String, at corner: Point, _ style: TextStyle) {
        let unit = style.height / StrokeFont.capitalHeight
        var x = corner.x
        var lines: [[Point]] = []
        for character in text {
            let glyph = StrokeFont.glyph(of: character)
            lines += glyph.strokes.map { stroke in
                stroke.map { Point(x: x + $0.x * unit, y: corner.y + $0.y * unit) }
            }
            x += (glyph.width + StrokeFont.gap) * unit
        }
        if style.hasHalo { stroke(lines, thickness: 2.6 * style.thickness + 2, .white) }
        stroke(lines, thickness: style.thickness, style.ink)
    }

    /// Draws an arrow.
    ///
    /// - Parameter head: the length of its head in pixels; a shorter arrow has a smaller one.
    mutating func arrow(from start: Point, to end: Point, head: Double, _ pen: Pen) {
        let length = start.distance(to: end)
        var lines = [[start, end]]
        if length > head / 2 {
            let head = min(head, length / 2) / length
            let back = Point(x: (start.x - end.x) * head, y: (start.y - end.y) * head)
            let wings = [0.5, -0.5].map { side in
                Point(x: end.x + back.x - side * back.y, y: end.y + back.y + side * back.x)
            }
            lines.append([wings[0], end, wings[1]])
        }
        stroke(lines, thickness: pen.thickness, pen.ink)
    }

    /// Draws a circle with a dot in its middle.
    mutating func mark(at centre: Point, radius: Double, _ pen: Pen) {
        let ring = (0...48).map { step in
            let angle = Double(step) / 48 * 2 * .pi
            return Point(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
        }
        stroke([ring, [centre]], thickness: pen.thickness, pen.ink)
    }
}

/// A pen to draw shapes with.
struct Pen {
    /// The width of its lines in pixels.
    var thickness: Double
    /// The colour of its lines.
    var ink: Ink

    /// A broader white pen: a shape drawn with it first is set off from the background.
    var halo: Pen { Pen(thickness: 2.2 * thickness + 2, ink: .white) }
}
