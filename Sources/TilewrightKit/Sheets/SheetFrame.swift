import Raster
package import Tiling

/// The part of a sheet that holds the drawing of a floor.
package enum SheetFrame {
    /// The margin around the walls, as a share of the longer edge.
    private static let margin = 0.015
    /// The greatest share of a picture that a frame is worth proposing for.
    private static let mostOfPicture = 0.85
    /// The least share of a picture that a floor takes.
    private static let leastOfPicture = 0.03
    /// Lines that are thinner than so many pixels do not attach a drawing to the frame; then, for a drawing of
    /// which more touches it, a door's leaf for example.
    private static let thinLines = [4, 20]
    /// The least share of a picture that is bare paper. Photographs have less.
    private static let leastPaper = 0.2

    /// Proposes the window of the floor, in pixels of the page at its standard resolution.
    ///
    /// Leaves out margins, frames, title blocks, legends and notes, but no wall. Takes a tenth of a second for
    /// a picture of 1200 pixels, which is the size it is made for.
    ///
    /// - Returns: nil if no floor is found, or if it fills the picture.
    package static func proposed(for picture: SheetPicture) -> PixelWindow? {
        let sheet = SheetInk(picture)
        let pixels = picture.width * picture.height
        guard Double(pixels - sheet.ink.count) >= leastPaper * Double(pixels) else { return nil }
        // The innermost frame with a floor: to the fields around it, the frame itself is the largest shape.
        for field in sheet.fields().reversed() {
            let floors = thinLines.lazy.compactMap { SheetFloor(on: field, of: sheet, thinLine: $0) }
            guard
                let floor = floors.first(where: {
                    Double($0.walls.area) >= leastOfPicture * Double(pixels)
                })
            else { continue }
            let window = floor.window(margin: sheet.length(margin))
            return Double(window.area) <= mostOfPicture * Double(pixels) ? full(window, of: picture) : nil
        }
        return nil
    }

    /// The window in pixels of the page.
    private static func full(_ window: PixelWindow, of picture: SheetPicture) -> PixelWindow {
        func scaled(_ range: Range<Int>, _ size: Int, _ fullSize: Int) -> Range<Int> {
            range.lowerBound * fullSize
                / size..<min(fullSize, (range.upperBound * fullSize + size - 1) / size)
        }
        return PixelWindow(
            columns: scaled(window.columns, picture.width, picture.fullWidth),
            rows: scaled(window.rows, picture.height, picture.fullHeight))
    }
}

/// The islands of a field that are the floor.
struct SheetFloor {
    /// The window of its walls.
    private(set) var walls: PixelWindow
    /// How much it looks like a floor.
    let score: Double

    private let islands: SheetIslands
    private var members: Set<Int>

    /// Sizes as shares of the longer edge: the least length of a part of a building, and the distance up to
    /// which small parts belong to it.
    private static let (leastPart, near) = (0.02, 0.025)
    /// The least shares of the largest building that a part near it has, and a building away from it.
    private static let (leastNear, leastFar) = (0.003, 0.025)
    /// Those that an area without walls has: filled rooms, and shapes of thin lines, which may be tables.
    private static let (leastFilled, leastThin) = (0.1, 0.3)

    /// Thicknesses of lines and of bubbles, as shares of the longer edge.
    private static let thinnest = [0.0034, 0.015]

    /// Finds the largest building, and what belongs to it; nil if there is none.
    ///
    /// - Parameter thinLine: lines that are thinner than this many pixels connect nothing.
    init?(on field: SheetField, of sheet: SheetInk, thinLine: Int) {
        islands = SheetIslands(of: field, in: sheet, thinLine: thinLine)
        let all = islands.all
        guard let main = all.indices.max(by: { all[$0].score < all[$1].score }), all[main].solid > 0 else {
            return nil
        }
        (members, walls, score) = ([main], all[main].window, all[main].score)
        let least = sheet.length(Self.leastPart)
        let candidates = all.indices.filter { index in
            index != main && max(all[index].window.width, all[index].window.height) >= least
                && !all[index].isBox && !Self.isFrame(all[index].window, around: all[main].window, in: sheet)
        }
        let largest = Double(all[main].solid)
        var tables: [Int: Bool] = [:]
        var wallThickness: Int?
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for index in candidates where !members.contains(index) {
                let (island, gap) = (all[index], walls.gap(to: all[index].body))
                let isNear = gap <= sheet.length(Self.near)
                let share =
                    island.hasWalls
                    ? isNear ? Self.leastNear : Self.leastFar
                    : island.isFilled ? Self.leastFilled : Self.leastThin
                guard Double(island.solid) >= share * largest || gap == 0 && island.hasWalls else { continue }
                let thickness = wallThickness ?? islands.wallThickness(of: main, in: sheet)
                wallThickness = thickness
                let isTable =
                    tables[index] ?? islands.isTable(index, thinnerThan: thickness, in: sheet)
                tables[index] = isTable
                if isTable { continue }
                members.insert(index)
                walls = walls.hull(with: island.window)
                isGrowing = true
            }
        }
        // Axes and their bubbles may reach over a title block, or to the frame.
        let sizes = [1] + Self.thinnest.map { sheet.length($0) }
        walls = sizes.lazy.compactMap { [self] in clearWindow(thinnest: $0) }.first ?? walls
    }

    /// Whether a window is that of a frame which is not closed.
    private static func isFrame(
        _ window: PixelWindow, around main: PixelWindow, in sheet: SheetInk
    ) -> Bool { main.isStrictlyInside(window) && sheet.hasBrokenEdges(window) }

    /// The window of the members' ink that is left if all lines thinner than some pixels are wiped out; nil if
    /// a title block or a box is in it.
    private func clearWindow(thinnest: Int) -> PixelWindow? {
        let own = islands.parts.mask { members.contains($0) }
        let parts = PixelParts(of: thinnest > 1 ? own.opened(by: thinnest) : own, diagonally: true).parts
        guard let first = parts.first?.window else { return nil }
        let window = parts.reduce(first) { $0.hull(with: $1.window) }
        let barred = islands.parts.mask { islands.all[$0].isBox && !members.contains($0) }
        let isClear = barred.count(in: window) == 0 && (islands.attached?.count(in: window) ?? 0) == 0
        return isClear ? window : nil
    }

    /// The pixels of the margin that a wall's pale edge may take. Lines of dimensions do not keep them off.
    private static let leastMargin = 2

    /// The window with a margin, which ends half-way before anything else on the sheet.
    func window(margin: Int) -> PixelWindow {
        let boxes = islands.parts.mask { islands.all[$0].isBox && !members.contains($0) }
        let others = islands.parts.mask { !islands.all[$0].isBox && !members.contains($0) }
        let (width, height) = (others.width, others.height)
        func isBarred(_ window: PixelWindow) -> Bool {
            boxes.count(in: window) > 0 || (islands.attached?.count(in: window) ?? 0) > 0
        }
        let (columns, rows) = (walls.columns, walls.rows)
        let picture = PixelWindow(columns: 0..<width, rows: 0..<height)
        let wide = PixelWindow(columns: columns.widened(by: margin), rows: rows.widened(by: margin))
            .intersection(picture)
        /// The room on a side of which `most` lines are in the picture, counted from the walls.
        func room(_ most: Int, _ line: (Int) -> PixelWindow) -> Int {
            var free = min(most, margin)
            var isFirst = true
            for distance in 0..<min(most, 2 * margin) {
                if isBarred(line(distance)) { return min(free, distance / 2) }
                if isFirst, others.count(in: line(distance)) > 0 {
                    free = min(free, max(Self.leastMargin, distance / 2))
                    isFirst = false
                }
            }
            return free
        }
        let left = room(columns.lowerBound) {
            let column = columns.lowerBound - 1 - $0
            return PixelWindow(columns: column..<column + 1, rows: wide.rows)
        }
        let right = room(width - columns.upperBound) {
            let column = columns.upperBound + $0
            return PixelWindow(columns: column..<column + 1, rows: wide.rows)
        }
        let top = room(rows.lowerBound) {
            let row = rows.lowerBound - 1 - $0
            return PixelWindow(columns: wide.columns, rows: row..<row + 1)
        }
        let bottom = room(height - rows.upperBound) {
            let row = rows.upperBound + $0
            return PixelWindow(columns: wide.columns, rows: row..<row + 1)
        }
        return PixelWindow(
            columns: columns.lowerBound - left..<columns.upperBound + right,
            rows: rows.lowerBound - top..<rows.upperBound + bottom)
    }
}

extension Range<Int> {
    /// The range with so many more pixels at both ends.
    fileprivate func widened(by count: Int) -> Range<Int> { lowerBound - count..<upperBound + count }
}

extension PixelWindow {
    /// The columns or rows between two windows, whichever are more; 0 if they touch or overlap.
    fileprivate func gap(to other: PixelWindow) -> Int {
        func gap(_ a: Range<Int>, _ b: Range<Int>) -> Int {
            max(0, a.lowerBound - b.upperBound, b.lowerBound - a.upperBound)
        }
        return max(gap(columns, other.columns), gap(rows, other.rows))
    }
}
