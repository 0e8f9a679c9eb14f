import Raster
import Tiling

/// What is drawn on a field: islands of ink, with all that they enclose.
struct SheetIslands {
    /// An island.
    struct Island {
        /// The smallest window around it.
        var window: PixelWindow
        /// The smallest window around its pixels without thin lines; that of the island if nothing is left.
        var body: PixelWindow
        /// Its pixels, with all that they enclose.
        var count: Int
        /// Its pixels without thin lines.
        var solid: Int
        /// Its ink that is as thick as walls.
        var thick: Int
        /// Its ink that is thicker than walls: pictures, and areas that are filled.
        var fat: Int
        /// Whether it is a box of thin lines: a legend, a table, a picture.
        var isBox: Bool

        /// How much it looks like a building: a large closed shape with walls.
        var score: Double { (Double(solid) + 4 * Double(thick)) * (isBox ? 0.2 : 1) }

        /// Whether a part of its ink is as thick as walls, and it is not a filled shape.
        var hasWalls: Bool { !isBox && thick > 0 && 20 * thick >= solid && !isFilled }

        /// Whether it is an area that is filled with a colour, such as a room of a shop.
        var isFilled: Bool { 4 * fat > count }
    }

    /// The islands.
    let all: [Island]
    /// For each pixel, its island.
    let parts: PixelParts
    /// What is attached to the frame, such as a title block.
    let attached: PixelMask?
    /// The ink that is as thick as walls.
    let thick: PixelMask

    /// The ink of walls has at least this thickness in pixels.
    private static let leastWall = 3
    /// The greatest thickness of walls, as a share of the picture's longer edge: half a metre at 1:100 on the
    /// smallest sheet.
    private static let mostWall = 0.012
    /// The least edge of a box, as a share of the longer edge.
    private static let leastBox = 0.025
    /// The least share of a box's window that it fills.
    private static let leastFilling = 0.96
    /// The least share of its window that a table fills, in a scan that is askew.
    private static let leastTable = 0.9
    /// The least number of a table's lines from side to side.
    private static let leastRules = 3
    /// The thicknesses of walls that are told apart, in pixels.
    private static let thicknesses = [3, 4, 5, 6, 8, 10, 12]
    /// The depth in pixels in which walls run along the sides of a window, and the least share of a side that
    /// they have: the rest are windows and doors.
    private static let (band, leastWalls) = (8, 0.25)

    /// Finds the islands of a field.
    ///
    /// - Parameter thinLine: lines that are thinner than this many pixels connect nothing to the frame, and
    ///   enclose nothing.
    init(of field: SheetField, in sheet: SheetInk, thinLine: Int) {
        let drawn = field.paper.inverse
        let solid = drawn.opened(by: thinLine)
        var loose = drawn
        if field.isFramed {
            let bodies = PixelParts(of: solid, diagonally: true)
            let outer = bodies.mask { !bodies.parts[$0].window.isStrictlyInside(field.window) }
                .dilated(by: thinLine)
            loose = drawn.subtracting(outer)
            attached = outer
        } else {
            attached = nil
        }
        parts = PixelParts(of: loose, diagonally: true)
        let strokes = sheet.ink.opened(by: Self.leastWall)
        let fat = sheet.ink.opened(by: sheet.length(Self.mostWall))
        thick = strokes.subtracting(fat)
        let counts = (parts.counts(of: solid), parts.counts(of: thick), parts.counts(of: fat))
        let leastBox = sheet.length(Self.leastBox)
        let (thickPixels, bodies) = (thick, parts.windows(of: solid))
        all = parts.parts.enumerated().map { index, part in
            var island = Island(
                window: part.window, body: bodies[index] ?? part.window, count: part.count,
                solid: counts.0[index], thick: counts.1[index],
                fat: counts.2[index], isBox: false)
            let window = part.window
            if min(window.width, window.height) >= leastBox,
                Double(part.count) >= Self.leastFilling * Double(window.area)
            {
                island.isBox = !Self.hasWalls(around: window, thickPixels)
            }
            return island
        }
    }

    /// The thickness in pixels of the walls of an island: at least a third of its thick ink is as thick.
    func wallThickness(of index: Int, in sheet: SheetInk) -> Int {
        let window = all[index].window
        let strokes = sheet.ink.part(window)
        let least = thick.count(in: window) / 3
        return Self.thicknesses.last { strokes.opened(by: $0).count >= least } ?? Self.leastWall
    }

    /// Whether an island is a table: a rectangle with several lines from side to side, or whose edges are
    /// thinner than the walls of a building.
    func isTable(_ index: Int, thinnerThan walls: Int, in sheet: SheetInk) -> Bool {
        let (count, window) = (all[index].count, all[index].window)
        guard Double(count) >= Self.leastTable * Double(window.area) else { return false }
        return sheet.ruleCount(of: window) >= Self.leastRules
            || 10 * sheet.edgeThickness(of: window) < 7 * walls
    }

    /// Whether thick ink runs along at least three sides of a window, perhaps interrupted.
    private static func hasWalls(around window: PixelWindow, _ thick: PixelMask) -> Bool {
        let band = min(band, min(window.width, window.height) / 4)
        let (columns, rows) = (window.columns, window.rows)
        func covers(_ range: Range<Int>, _ line: (Int) -> PixelWindow) -> Bool {
            let covered = range.count { thick.count(in: line($0)) > 0 }
            return Double(covered) >= leastWalls * Double(range.count)
        }
        let sides = [
            covers(columns) {
                PixelWindow(columns: $0..<$0 + 1, rows: rows.lowerBound..<rows.lowerBound + band)
            },
            covers(columns) {
                PixelWindow(columns: $0..<$0 + 1, rows: rows.upperBound - band..<rows.upperBound)
            },
            covers(rows) {
                PixelWindow(columns: columns.lowerBound..<columns.lowerBound + band, rows: $0..<$0 + 1)
            },
            covers(rows) {
                PixelWindow(columns: columns.upperBound - band..<columns.upperBound, rows: $0..<$0 + 1)
            },
        ]
        return sides.count { $0 } >= 3
    }
}
