import Platform
import Testing
import TilewrightKit

/// A sheet of black rectangles on white.
struct DrawnSheet {
    let width: Int
    let height: Int
    private(set) var rgba: [UInt8]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        rgba = [UInt8](repeating: 255, count: 4 * width * height)
    }

    var picture: SheetPicture {
        SheetPicture(rgba: rgba, width: width, height: height, full: (width, height))
    }

    /// Fills a rectangle, or the part of it that is on the sheet.
    mutating func fill(_ x: Int, _ y: Int, _ w: Int, _ h: Int, _ level: UInt8 = 0) {
        for row in (y..<y + h).clamped(to: 0..<height) {
            for column in (x..<x + w).clamped(to: 0..<width) {
                for channel in 0..<3 { rgba[4 * (row * width + column) + channel] = level }
            }
        }
    }

    /// Draws the edges of a rectangle, inside of it.
    mutating func outline(_ x: Int, _ y: Int, _ w: Int, _ h: Int, thickness: Int = 1) {
        fill(x, y, w, thickness)
        fill(x, y + h - thickness, w, thickness)
        fill(x, y, thickness, h)
        fill(x + w - thickness, y, thickness, h)
    }

    /// Draws walls, with partitions and their doors, and windows of thin lines.
    mutating func building(_ x: Int, _ y: Int, _ w: Int, _ h: Int) {
        outline(x, y, w, h, thickness: 5)
        fill(x + w / 3, y, 3, h)
        fill(x, y + h / 2, w, 3)
        fill(x + w / 3, y + h / 4, 3, 8, 255)
        fill(x + w / 4, y + h / 2, 8, 3, 255)
        fill(x + w / 2, y + h / 2, 8, 3, 255)
        for column in stride(from: x + 12, to: x + w - 24, by: 40) {
            fill(column, y + 1, 12, 3, 255)
            fill(column, y + h - 4, 12, 3, 255)
        }
    }

    /// Exchanges black and white.
    mutating func invert() {
        for place in rgba.indices where place % 4 != 3 { rgba[place] = 255 - rgba[place] }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a test only if the document renderer was built with the tests.
    static var needsRenderer: Self {
        .enabled(
            if: CompanionProgram(named: Drawing.companion) != nil,
            "no renderer: make test WITH=companions builds it")
    }
}
