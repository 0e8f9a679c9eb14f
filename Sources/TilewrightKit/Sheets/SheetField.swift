import Raster
import Tiling

/// The part of a sheet in which drawings are: what is left inside of the frame, without what is attached to it.
///
/// The field is a connected region of bare paper around the drawings, so a title block whose lines touch the
/// frame is outside of it, and a building is an island in it, however many rooms it has.
struct SheetField {
    /// The bare paper of the field.
    let paper: PixelMask
    /// The smallest window around the field.
    let window: PixelWindow
    /// Whether lines of the sheet enclose the field, and not the picture's edges.
    let isFramed: Bool
}

/// The ink of a sheet's picture, from which frame and drawings are told.
struct SheetInk {
    /// The pixels that differ from the paper.
    let ink: PixelMask
    /// The connected parts of bare paper.
    let bare: PixelParts
    /// The longer edge of the picture, by which sizes are measured.
    let edge: Int

    /// A level by which ink differs from paper: pale hairlines do, noise of JPEG does not.
    private static let tolerance = 36
    /// The share of the shorter edge that is searched for the paper's colour, along each edge.
    private static let shareOfRim = 0.02
    /// The least share of a picture that its paper has. A colour that only a rim has is not its paper.
    private static let leastPaper = 0.05

    /// Reads a picture.
    init(_ picture: SheetPicture) {
        ink = PixelMask(
            inkOf: picture.rgba, width: picture.width, height: picture.height,
            paper: Self.paper(of: picture), tolerance: Self.tolerance)
        bare = PixelParts(of: ink.inverse, diagonally: false)
        edge = max(picture.width, picture.height)
    }

    /// A length in pixels that is this share of the picture's longer edge.
    func length(_ share: Double) -> Int { max(1, Int((share * Double(edge)).rounded())) }

    /// The most frequent colour along the edges, or of the whole picture if its edges have another one.
    private static func paper(of picture: SheetPicture) -> (UInt8, UInt8, UInt8) {
        let (width, height) = (picture.width, picture.height)
        let rim = max(1, Int(shareOfRim * Double(min(width, height))))
        // Five bits of each channel: noise of a scan stays in a cell or two.
        var (all, ofRim) = ([Int32](repeating: 0, count: 1 << 15), [Int32](repeating: 0, count: 1 << 15))
        picture.rgba.withUnsafeBufferPointer { rgba in
            for row in 0..<height {
                let isRimRow = row < rim || row >= height - rim
                for column in 0..<width {
                    let cell = Self.cell(rgba, row &* width &+ column)
                    all[cell] &+= 1
                    if isRimRow || column < rim || column >= width &- rim { ofRim[cell] &+= 1 }
                }
            }
        }
        func most(_ counts: [Int32]) -> Int { counts.indices.max { counts[$0] < counts[$1] } ?? 0 }
        var best = most(ofRim)
        if Double(all[best]) < leastPaper * Double(width * height) { best = most(all) }
        var sums = (0, 0, 0)
        picture.rgba.withUnsafeBufferPointer { rgba in
            for place in 0..<width * height where Self.cell(rgba, place) == best {
                sums.0 &+= Int(rgba[4 &* place])
                sums.1 &+= Int(rgba[4 &* place &+ 1])
                sums.2 &+= Int(rgba[4 &* place &+ 2])
            }
        }
        let count = max(1, Int(all[best]))
        return (UInt8(sums.0 / count), UInt8(sums.1 / count), UInt8(sums.2 / count))
    }

    @inline(__always)
    private static func cell(_ rgba: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        Int(rgba[4 &* place] >> 3) << 10 | Int(rgba[4 &* place &+ 1] >> 3) << 5
            | Int(rgba[4 &* place &+ 2] >> 3)
    }
}

// Frames

extension SheetInk {
    /// Frames are nested at most so deep: the lines of a double frame, and the edge of a view inside.
    private static let mostFrames = 4
    /// The least share of a field that a frame inside takes.
    private static let leastFrame = 0.4
    /// The least share of a frame's width and height that the field inside has. The rest are title blocks.
    private static let leastField = 0.5
    /// The least share of a field that is bare paper.
    private static let leastBare = 0.05
    /// The least share of a side along which a frame's line is seen, and the least share of that in which it is
    /// thin: other lines meet it.
    private static let (leastLine, leastThin) = (0.85, 0.7)
    /// The least share of a window's width or height that a line from side to side has.
    private static let leastRule = 0.95
    /// The least share of a side along which the line of an interrupted frame is seen.
    private static let leastBrokenLine = 0.5
    /// The least share of a thicker line that has the same thickness, to within a pixel.
    private static let leastEven = 0.85
    /// The greatest distance of a frame's line from the outermost point of its side, and its greatest
    /// thickness, as shares of the longer edge.
    private static let (mostSkew, mostThickness) = (0.03, 0.0035)

    /// The fields of a sheet, from the whole picture to the one in the innermost frame.
    func fields() -> [SheetField] {
        let whole = PixelWindow(columns: 0..<ink.width, rows: 0..<ink.height)
        let outside = bare.mask { touchesEdge(bare.parts[$0].window) }
        var fields = [SheetField(paper: outside, window: whole, isFramed: false)]
        while fields.count <= Self.mostFrames, let last = fields.last, let next = field(inFrameIn: last) {
            fields.append(next)
        }
        // The last one may be the space between the two lines of a wall.
        return fields.filter { Double($0.paper.count) >= Self.leastBare * Double($0.window.area) }
    }

    /// Whether a window reaches the picture's edge.
    private func touchesEdge(_ window: PixelWindow) -> Bool {
        window.columns.lowerBound == 0 || window.rows.lowerBound == 0
            || window.columns.upperBound == ink.width
            || window.rows.upperBound == ink.height
    }

    /// The field inside of the frame that is an island of another field; nil if there is none.
    private func field(inFrameIn field: SheetField) -> SheetField? {
        let islands = PixelParts(of: field.paper.inverse, diagonally: true)
        let windows = islands.parts.map(\.window).filter {
            !field.isFramed || $0.isStrictlyInside(field.window)
        }
        guard let frame = windows.max(by: { $0.area < $1.area }),
            Double(frame.area) >= Self.leastFrame * Double(field.window.area), hasThinEdges(frame)
        else { return nil }
        let inside = bare.parts.indices.filter { bare.parts[$0].window.isStrictlyInside(frame) }
        guard let best = inside.max(by: { bare.parts[$0].window.area < bare.parts[$1].window.area })
        else { return nil }
        let window = bare.parts[best].window
        guard Double(window.width) >= Self.leastField * Double(frame.width),
            Double(window.height) >= Self.leastField * Double(frame.height)
        else { return nil }
        return SheetField(paper: bare.mask { $0 == best }, window: window, isFramed: true)
    }

    /// Whether a thin line runs along each side of a window.
    func hasThinEdges(_ window: PixelWindow) -> Bool {
        let sides = sides(of: window)
        return !sides.isEmpty && sides.allSatisfy { $0.cover >= Self.leastLine && isThin($0) }
    }

    /// Whether thin lines, perhaps interrupted, run along three sides of a window.
    func hasBrokenEdges(_ window: PixelWindow) -> Bool {
        sides(of: window).count { $0.cover >= Self.leastBrokenLine && isThin($0) } >= 3
    }

    /// The thickness in pixels of the walls or lines along the sides of a window, as thick as they are in a
    /// quarter of a middling side; 0 for a small window.
    func edgeThickness(of window: PixelWindow) -> Int {
        let sides = sides(of: window).map { side in
            side.runs.isEmpty ? 0 : side.runs.sorted()[side.runs.count * 3 / 4]
        }
        return sides.isEmpty ? 0 : sides.sorted()[1]
    }

    /// The number of lines from side to side of a window, without those near its edges. A table has them, but a
    /// building with doors hardly.
    func ruleCount(of window: PixelWindow) -> Int {
        func count(_ range: Range<Int>, _ length: Int, _ line: (Int) -> PixelWindow) -> Int {
            let isRule = range.map { Double(ink.count(in: line($0))) >= Self.leastRule * Double(length) }
            return isRule.indices.count { isRule[$0] && ($0 == 0 || !isRule[$0 - 1]) }
        }
        let (columns, rows) = (window.columns, window.rows)
        // An outer wall may have several lines.
        let (across, down) = (window.width / 10, window.height / 10)
        return count(rows.lowerBound + down..<rows.upperBound - down, window.width) {
            PixelWindow(columns: columns, rows: $0..<$0 + 1)
        }
            + count(columns.lowerBound + across..<columns.upperBound - across, window.height) {
                PixelWindow(columns: $0..<$0 + 1, rows: rows)
            }
    }

    /// The ink along the side of a window.
    private struct Side {
        /// The share of the side along which there is ink.
        var cover: Double
        /// The thickness of that ink in pixels, place by place.
        var runs: [Int]
    }

    private var mostRun: Int { max(4, length(Self.mostThickness)) }

    /// Whether the ink along a side is a line.
    private func isThin(_ side: Side) -> Bool {
        let count = Double(side.runs.count)
        if Double(side.runs.count { $0 <= mostRun }) >= Self.leastThin * count { return true }
        // A thick line has the same thickness everywhere, but a wall has windows and doors.
        let median = side.runs.sorted()[side.runs.count / 2]
        return median <= 2 * mostRun
            && Double(side.runs.count { abs($0 - median) <= 1 }) >= Self.leastEven * count
    }

    /// The ink along the sides of a window; empty for a small window. A sheet that was scanned askew has its
    /// lines a little inside.
    private func sides(of window: PixelWindow) -> [Side] {
        let (columns, rows, width) = (window.columns, window.rows, ink.width)
        let depth = min(length(Self.mostSkew), min(window.width, window.height) / 3)
        // Longer runs count as so long: they are no lines.
        let longest = min(3 * mostRun, min(window.width, window.height) / 2 - depth - 1)
        guard depth > 0, longest > 0 else { return [] }
        func side(_ range: Range<Int>, _ place: (_ along: Int, _ depth: Int) -> Int) -> Side {
            var runs: [Int] = []
            ink.bits.withUnsafeBufferPointer { bits in
                for along in range {
                    guard let first = (0..<depth).first(where: { bits[place(along, $0)] != 0 }) else {
                        continue
                    }
                    runs.append((0..<longest).first { bits[place(along, first + $0)] == 0 } ?? longest)
                }
            }
            return Side(cover: Double(runs.count) / Double(range.count), runs: runs)
        }
        return [
            side(columns) { (rows.lowerBound + $1) * width + $0 },
            side(columns) { (rows.upperBound - 1 - $1) * width + $0 },
            side(rows) { $0 * width + columns.lowerBound + $1 },
            side(rows) { $0 * width + columns.upperBound - 1 - $1 },
        ]
    }
}

extension PixelWindow {
    /// The number of pixels.
    var area: Int { width * height }

    /// Whether the window has at least a pixel around it in another one.
    func isStrictlyInside(_ other: PixelWindow) -> Bool {
        columns.lowerBound > other.columns.lowerBound && columns.upperBound < other.columns.upperBound
            && rows.lowerBound > other.rows.lowerBound && rows.upperBound < other.rows.upperBound
    }
}
