/// Finds the nearest colours of a palette, for one worker.
///
/// What can be nearest is found out once for each box of colours that comes up, as in Heckbert's
/// "locally sorted search" ("Color image quantization for frame buffer display", 1982). Takes 3 MB,
/// and a byte for each candidate, of which a box has some ten.
struct PaletteLookup {
    private let palette: Palette
    /// Where the candidates of each box are; none until the box comes up.
    private var boxes = [Range<Int32>](repeating: 0..<0, count: ColorBin.boxes)
    private var candidates: [UInt8] = []

    init(_ palette: Palette) { self.palette = palette }

    /// The nearest colour: white, black and full transparency stay as they are if the palette has them.
    mutating func nearest(to color: RGBA) -> RGBA {
        let box = ColorBin.box(of: color)
        if boxes[box].isEmpty { boxes[box] = addCandidates(ofBox: box) }
        let range = boxes[box]
        return palette.nearest(
            to: color, among: candidates[Int(range.lowerBound)..<Int(range.upperBound)])
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

    private mutating func addCandidates(ofBox box: Int) -> Range<Int32> {
        let first = Int32(candidates.count)
        candidates += palette.candidates(inBox: ColorRange(box: box))
        return first..<Int32(candidates.count)
    }
}
