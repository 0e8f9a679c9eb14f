extension Picture {
    /// A drawing like a plan: rooms in flat colours, walls, slanted lines, blocks as small as
    /// letters, transparent outside.
    ///
    /// - Parameter hasPaper: put white paper around the drawing, with transparency around that.
    static func plan(width: Int, height: Int, hasPaper: Bool = false) -> Picture {
        var plan = Picture(width: width, height: height)
        let margin = min(width, height) / 20
        if hasPaper {
            let edge = margin / 2
            plan.fill(edge..<width - edge, edge..<height - edge, (255, 255, 255, 255))
        }
        plan.drawRooms(margin..<width - margin, margin..<height - margin)
        for index in 0..<6 {
            let column = margin + (width - 2 * margin) * index / 6
            plan.line(
                from: (column, margin), to: (column + width / 9, height - margin), thickness: 1,
                (150, UInt8(30 * index), 60, 255))
        }
        plan.line(from: (margin, margin), to: (width - margin, margin), thickness: 4, dark)
        plan.line(from: (margin, margin), to: (margin, height - margin), thickness: 4, dark)
        plan.line(
            from: (width - margin, margin), to: (width - margin, height - margin), thickness: 3,
            dark)
        plan.line(
            from: (margin, height - margin), to: (width - margin, height - margin), thickness: 3,
            dark)
        plan.drawLetters(margin: margin)
        return plan
    }

    /// Pseudo-random pixels that no tile compresses, opaque.
    static func noise(width: Int, height: Int) -> Picture {
        var noise = Picture(width: width, height: height, colour: (0, 0, 0, 255))
        var state: UInt32 = 1
        for index in noise.rgba.indices where index & 3 != 3 {
            state = state &* 1_664_525 &+ 1_013_904_223
            noise.rgba[index] = UInt8(state >> 24)
        }
        return noise
    }

    private static let dark: Colour = (40, 44, 52, 255)

    private mutating func drawRooms(_ columns: Range<Int>, _ rows: Range<Int>) {
        let (across, down) = (5, 4)
        for row in 0..<down {
            for column in 0..<across {
                let left = columns.lowerBound + columns.count * column / across
                let right = columns.lowerBound + columns.count * (column + 1) / across
                let top = rows.lowerBound + rows.count * row / down
                let bottom = rows.lowerBound + rows.count * (row + 1) / down
                let index = row * across + column
                let colour: Colour = (
                    UInt8(255 - 7 * index), UInt8(200 + 31 * index % 55),
                    UInt8(170 + 47 * index % 80), 255
                )
                fill(left..<right, top..<bottom, colour)
                line(from: (left, top), to: (right, top), Self.dark)
                line(from: (left, top), to: (left, bottom), Self.dark)
            }
        }
    }

    private mutating func drawLetters(margin: Int) {
        for index in 0..<120 {
            let column = 2 * margin + index * 37 % (width - 4 * margin)
            let row = 2 * margin + index * 61 % (height - 4 * margin)
            fill(column..<column + 1 + index % 3, row..<row + 5, Self.dark)
            fill(column..<column + 4, row + index % 5..<row + index % 5 + 1, Self.dark)
        }
    }
}
