import Raster

/// A tile of 256 pixels, drawn with integers only, so that it is the same everywhere.
struct DrawnTile: Sendable {
    let name: String
    let isOpaque: Bool
    private let rgba: [UInt8]

    private static let size = 256

    private init(_ name: String, isOpaque: Bool, _ pixel: (_ x: Int, _ y: Int) -> [Int]) {
        self.name = name
        self.isOpaque = isOpaque
        rgba = (0..<Self.size * Self.size).flatMap {
            pixel($0 % Self.size, $0 / Self.size).map { UInt8(truncatingIfNeeded: $0) }
        }
    }

    /// Encodes the tile.
    func encode(with encoder: any TileEncoder) throws -> [UInt8] {
        try rgba.withUnsafeBufferPointer { bytes in
            try encoder.encode(TilePixels(size: Self.size, bytes: bytes, isOpaque: isOpaque))
        }
    }

    /// Fills a line with repetitions of a row of the tile.
    func repeatRow(_ row: Int, into line: UnsafeMutableRawBufferPointer) {
        let length = 4 * Self.size
        rgba.withUnsafeBytes { rgba in
            let bytes = rgba[row % Self.size * length..<(row % Self.size + 1) * length]
            for start in stride(from: 0, to: line.count, by: length) {
                let part = line[start..<min(start + length, line.count)]
                UnsafeMutableRawBufferPointer(rebasing: part).copyBytes(from: bytes.prefix(part.count))
            }
        }
    }

    /// Rooms, walls and hatching in few colours, which PNG stores with a palette.
    static let plan = DrawnTile("plan", isOpaque: true) { x, y in color(ofPlan: x, y) + [255] }

    /// The same with soft edges of walls, and transparent beyond a slanted line: too many colours for a
    /// palette.
    static let softPlan = DrawnTile("plan with soft edges", isOpaque: false) { x, y in
        let alpha = min(255, max(0, (3 * x + y - 300) * 20))
        if alpha == 0 { return [0, 0, 0, 0] }
        let wall = min(255, abs((x + 2 * y) % 140 - 70) * 40)
        return color(ofPlan: x, y).map { $0 * wall / 255 } + [alpha]
    }

    /// Noise of several sizes on slow changes.
    static let photograph = DrawnTile("photograph", isOpaque: true) { x, y in
        let fine = noise(x, y)
        let coarse = noise(x / 4 + 1000, y / 4)
        let level = 60 + x / 4 + y / 3 + coarse % 24
        return [level + fine % 12, level + fine / 16 % 12, level / 2 + fine / 256 % 12, 255]
    }

    private static func color(ofPlan x: Int, _ y: Int) -> [Int] {
        if x % 61 < 3 || y % 47 < 3 { return [40, 44, 52] }
        let room = x / 61 + 5 * (y / 47)
        if room % 3 == 1 && (x + y) % 8 == 0 { return [150, 165, 180] }
        // Blocks of the size of letters.
        if y % 47 > 20 && y % 47 < 30 && x % 61 > 14 && x % 61 < 46 && noise(x / 2, y / 2) % 3 == 0 {
            return [34, 51, 68]
        }
        return [197 + room * 7 % 50, 234 - room * 11 % 60, 245 - room * 5 % 40]
    }

    /// Bits that depend only on the position.
    private static func noise(_ x: Int, _ y: Int) -> Int {
        var value = UInt32(truncatingIfNeeded: x &* 374_761_393 &+ y &* 668_265_263)
        value = (value ^ value >> 13) &* 1_274_126_177
        return Int((value ^ value >> 16) & 0xffff)
    }
}
