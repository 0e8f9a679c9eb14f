package import Raster

/// Rounds a tile's pixels to the colours of a palette, and has another encoder encode them.
///
/// Each pixel goes to the nearest colour, whatever its neighbours are: flat areas stay flat, and
/// tiles agree where they meet.
package final class PaletteTileEncoder: TileEncoder {
    private let encoder: any TileEncoder
    private var lookup: PaletteLookup
    private var rounded: [UInt32] = []

    /// Bytes for tiles of `size * size` pixels, without the other encoder: rounded pixels, a range for each
    /// box of colours, and half a megabyte of candidates.
    package static func bytes(size: Int) -> Int {
        size * size * 4 + ColorBin.boxes * MemoryLayout<Range<Int32>>.stride + (1 << 19)
    }

    /// Makes an encoder before another.
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
/// What can be nearest is found out once for each box of colours that comes up, as in Heckbert's
/// "locally sorted search" ("Color image quantization for frame buffer display", 1982). Takes 3 MB,
/// and a byte for each candidate, of which a box has some ten.
struct PaletteLookup {
    private let colors: [RGBA]
    private let points: [SIMD4<Int32>]
    /// Where the candidates of each box are; none until the box comes up.
    private var boxes = [Range<Int32>](repeating: 0..<0, count: ColorBin.boxes)
    private var candidates: [UInt8] = []

    init(_ palette: Palette) {
        colors = palette.colors
        points = palette.colors.map(ColorPoint.point)
    }

    /// The nearest colour, the first of several: white, black and full transparency stay as they are if the
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

    /// Adds the entries that can be the nearest to a colour of a box; for opaque colours opaque ones.
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
    /// No two are the same.
    package let colors: [RGBA]

    /// Makes a palette of different colours.
    package init(_ colors: [RGBA]) { self.colors = colors }
}
