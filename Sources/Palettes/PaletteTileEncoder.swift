package import Raster

/// Rounds a tile's pixels to the colours of a palette, and encodes them with another encoder.
///
/// Each pixel gets the nearest colour, independently of its neighbours: flat areas stay flat, and tiles agree
/// where they meet.
package final class PaletteTileEncoder: TileEncoder {
    private let encoder: any TileEncoder
    private var lookup: PaletteLookup
    private var rounded: [UInt32] = []

    /// Bytes for tiles of `size * size` pixels, without the other encoder: rounded pixels, a range for each
    /// box of colours, and half a megabyte of candidates.
    package static func bytes(size: Int) -> Int {
        size * size * 4 + ColorBin.boxes * MemoryLayout<Range<Int32>>.stride + (1 << 19)
    }

    /// Makes an encoder that passes rounded tiles to another one.
    package init(_ palette: Palette, before encoder: any TileEncoder) {
        self.encoder = encoder
        lookup = PaletteLookup(palette)
    }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        let count = pixels.bytes.count / 4
        if rounded.count != count { rounded = [UInt32](repeating: 0, count: count) }
        lookup.round(UnsafeRawBufferPointer(pixels.bytes), into: &rounded)
        return try rounded.withUnsafeBytes { bytes in
            var result = pixels
            result.bytes = bytes.assumingMemoryBound(to: UInt8.self)
            return try encoder.encode(result)
        }
    }
}

/// Finds the nearest colours of a palette, for one worker.
///
/// The candidates are determined once for each box of colours that occurs, as in Heckbert's "locally sorted
/// search" ("Color image quantization for frame buffer display", 1982). Takes 3 MB, and a byte for each
/// candidate; a box has about ten.
struct PaletteLookup {
    private let colors: [RGBA]
    private let points: [SIMD4<Int32>]
    /// The range of each box's candidates; empty until the box occurs.
    private var boxes = [Range<Int32>](repeating: 0..<0, count: ColorBin.boxes)
    private var candidates: [UInt8] = []

    init(_ palette: Palette) {
        colors = palette.colors
        points = palette.colors.map(ColorPoint.point)
    }

    /// The nearest colour; of several, the first. White, black and full transparency stay unchanged if the
    /// palette has them.
    mutating func nearest(to color: RGBA) -> RGBA {
        let box = ColorBin.box(of: color)
        if boxes[box].isEmpty { boxes[box] = addCandidates(ofBox: ColorRange(box: box)) }
        let (range, point) = (boxes[box], ColorPoint.point(of: color))
        var (best, distance) = (color, Int32.max)
        for index in candidates[Int(range.lowerBound)..<Int(range.upperBound)] {
            let other = points[Int(index)].squaredDistance(to: point)
            if other < distance { (best, distance) = (colors[Int(index)], other) }
        }
        return best
    }

    /// Rounds pixels, 4 bytes each.
    mutating func round(_ pixels: UnsafeRawBufferPointer, into result: inout [UInt32]) {
        // Runs of one colour are looked up once.
        var last = RGBA.pinned[0]
        var nearest = nearest(to: last)
        for index in result.indices {
            let color = RGBA(
                loaded: pixels.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
            if color != last { (last, nearest) = (color, self.nearest(to: color)) }
            result[index] = nearest.stored
        }
    }

    /// Adds the entries that can be the nearest to a colour of a box; for opaque colours, only opaque
    /// entries.
    private mutating func addCandidates(ofBox box: ColorRange) -> Range<Int32> {
        let first = Int32(candidates.count)
        let allowed = colors.indices.filter { !box.isOpaque || colors[$0].alpha == 255 }
        let reach = allowed.map { box.farthest(from: points[$0]) }.reduce(.max, min)
        candidates += allowed.filter { box.nearest(to: points[$0]) <= reach }.map { UInt8($0) }
        return first..<Int32(candidates.count)
    }
}

/// The colours that a tileset's pixels are rounded to.
package struct Palette: Sendable {
    /// The colours, all different.
    package let colors: [RGBA]

    /// Makes a palette of different colours.
    package init(_ colors: [RGBA]) { self.colors = colors }
}
