import Tiling

/// Letters as pen strokes, drawn for this program: they scale to any size.
///
/// A glyph is written on a grid. Capitals are 12 units high and stand on row 12; small letters reach
/// from row 4 down to row 16. Each stroke is a sign and pairs of coordinates, column and row, in base
/// 36: `-` joins points by straight lines, `~` is a quadratic B-spline from the first point to the last,
/// and `o` is a closed B-spline.
enum StrokeFont {
    /// The height of capitals in units.
    static let capitalHeight = 12.0
    /// The distance from the baseline to the lowest end of small letters, in units.
    static let descent = 4.0
    /// The distance between two glyphs, in units.
    static let gap = 3.0

    /// A glyph's strokes in units, and its width.
    struct Glyph {
        /// Lines from point to point; curves are cut into short ones.
        let strokes: [[Point]]
        /// The distance from column 0 to its rightmost point.
        let width: Double
    }

    /// The glyph of a character; a box if there is no drawing of it.
    static func glyph(of character: Character) -> Glyph { glyphs[character] ?? missing }

    private static let missing = Glyph(parsing: "-00707c0c00")

    private static let glyphs: [Character: Glyph] = {
        var glyphs = drawings.mapValues(Glyph.init(parsing:))
        glyphs[" "] = Glyph(strokes: [], width: 3)
        return glyphs
    }()

    private static let drawings: [Character: String] = [
        "0": "o00707c0c", "1": "-12404c", "2": "~030070750c -0c7c", "3": "~0200606626 ~26767c0c0a",
        "4": "-5c500878", "5": "-601005 ~0524747c0c0a", "6": "~60010c7c750509", "7": "-00702c",
        "8": "o10606616 o06767c0c", "9": "~1c7b7000077773",

        ".": "-1c1c", ",": "-1c0e", ":": "-1515 -1c1c", ";": "-1515 -1c0e", "!": "-1018 -1c1c",
        "?": "~030060653739 -3c3c", "-": "-0757", "+": "-0767 -343a", "=": "-0565 -0969",
        "_": "-0d7d", "/": "-0d50", "\\": "-005d", "|": "-101e", "'": "-1013", "\"": "-1013 -4043",
        "(": "~30020c3e", ")": "~00323c0e", "[": "-30000e3e", "]": "-00303e0e", "<": "-63086d",
        ">": "-03680d", "*": "-3036 -0165 -0561", "#": "-301c -705c -0484 -0888",
        "%": "o00303404 -800c o58888c5c", "×": "-055a -0a55", "°": "o00303404",
        "@": "~9c0c0090999969 o36666939",

        "a": "o04646c0c -646c", "b": "-000c o04646c0c", "c": "~6664040c6c6a",
        "d": "-606c o04646c0c", "e": "-0868 ~6864040c6c6a", "f": "~502024 -242c -0454",
        "g": "o04646c0c -646c ~6c6g0g0f", "h": "-000c ~08046469 -696c", "i": "-141c -1010",
        "j": "-242d ~2d2g0g -2020", "k": "-000c -5409 -276c", "l": "-101c",
        "m": "-040c ~08044449 -494c ~48448489 -898c", "n": "-040c ~08046469 -696c",
        "o": "o04646c0c", "p": "-040g o04646c0c", "q": "-646g o04646c0c", "r": "-040c ~080454",
        "s": "~55540408585c0c0b", "t": "-2129 ~292c5c -0454", "u": "-0408 ~080c6c68 -646c",
        "v": "-043c64", "w": "-042c446c84", "x": "-046c -640c", "y": "-043c -641g",
        "z": "-04640c6c",

        "A": "-0c408c -1979", "B": "-0c0040 ~40707646 -4606 ~46868c4c -4c0c", "C": "~8380000c8c89",
        "D": "-0c0030 ~30808c3c -3c0c", "E": "-70000c7c -0656", "F": "-70000c -0656",
        "G": "~8380000c8c87 -8757", "H": "-000c -808c -0686", "I": "-101c",
        "J": "-6068 ~686c0c09", "K": "-000c -8008 -358c", "L": "-000c7c", "M": "-0c0047808c",
        "N": "-0c008c80", "O": "o00909c0c", "P": "-0c0040 ~40808747 -4707", "Q": "o00909c0c -599d",
        "R": "-0c0040 ~40808747 -4707 -478c", "S": "~72700006767c0c0a", "T": "-0080 -404c",
        "U": "-0007 ~070c8c87 -8780", "V": "-004c80", "W": "-002c518ca0", "X": "-008c -800c",
        "Y": "-004680 -464c", "Z": "-00800c8c",
    ]
}

extension StrokeFont.Glyph {
    /// Reads a drawing.
    fileprivate init(parsing drawing: String) {
        strokes = drawing.split(separator: " ").map { stroke in
            let points = StrokeFont.points(stroke.dropFirst())
            return switch stroke.first {
            case "~": StrokeFont.curve(points)
            case "o": StrokeFont.ring(points)
            default: points
            }
        }
        width = strokes.joined().reduce(0) { max($0, $1.x) }
    }
}

extension StrokeFont {
    /// Reads pairs of coordinates.
    fileprivate static func points(_ digits: Substring) -> [Point] {
        let numbers = digits.compactMap { Int(String($0), radix: 36) }.map { Double($0) }
        return stride(from: 0, to: numbers.count - 1, by: 2).map {
            Point(x: numbers[$0], y: numbers[$0 + 1])
        }
    }

    /// The points of a quadratic B-spline from the first to the last of three points or more.
    fileprivate static func curve(_ points: [Point]) -> [Point] {
        var start = points[0]
        var line = [start]
        for index in 1..<points.count - 1 {
            let isLast = index == points.count - 2
            let end = isLast ? points[index + 1] : middle(points[index], points[index + 1])
            line += arc(from: start, by: points[index], to: end)
            start = end
        }
        return line
    }

    /// The points of a closed quadratic B-spline, through the middles of a polygon's sides.
    fileprivate static func ring(_ points: [Point]) -> [Point] {
        var line = [middle(points[points.count - 1], points[0])]
        for index in points.indices {
            let end = middle(points[index], points[(index + 1) % points.count])
            line += arc(from: line[line.count - 1], by: points[index], to: end)
        }
        return line
    }

    /// The points of a parabola, without the first.
    private static func arc(from start: Point, by corner: Point, to end: Point) -> [Point] {
        (1...8).map { step in
            let t = Double(step) / 8
            let (a, b, c) = ((1 - t) * (1 - t), 2 * t * (1 - t), t * t)
            return Point(
                x: a * start.x + b * corner.x + c * end.x, y: a * start.y + b * corner.y + c * end.y
            )
        }
    }

    private static func middle(_ one: Point, _ other: Point) -> Point {
        Point(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
    }
}
