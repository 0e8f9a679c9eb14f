import CKernels
package import Raster
package import Tiling

/// The rows of one zoom in memory, as deep pixels. Columns and rows are absolute pixels of the zoom's tile
/// matrix.
///
/// Beyond the window's left and right edge there are `LevelBand.margin` more pixels, so that kernels need no
/// special case there. They are transparent or, if the window leads around the world, those of its other end.
package struct LevelBand: @unchecked Sendable {
    // Unchecked, because the callers that share a band decide which tasks read and write which rows.

    /// Pixels before and after each row. The widest halving kernel reaches 6 pixels beyond its pair, an odd
    /// edge adds one, and padding of taps up to 3; 16 is the next power of two.
    package static let margin = 16

    /// The existing pixels of the zoom; everything beyond is transparent.
    package let window: PixelWindow
    /// Pixels along an edge of the world; nil for an endless plane.
    private let worldEdge: Int?
    private let band: RowBand

    private init(_ window: PixelWindow, worldEdge: Int?, _ band: RowBand) {
        (self.window, self.worldEdge, self.band) = (window, worldEdge, band)
    }

    /// Allocates a band for some rows of a zoom.
    ///
    /// - Parameter worldEdge: pixels along an edge of the world at that zoom; nil for an endless plane.
    package init(
        window: PixelWindow, worldEdge: Int? = nil, capacity: Int, scratchDirectory: String? = nil
    ) throws {
        precondition((worldEdge ?? .max) >= Self.margin, "a zoom has at least one tile")
        self.init(
            window, worldEdge: worldEdge,
            try RowBand(
                rowBytes: window.width * DeepPixel.bytes, marginBytes: Self.margin * DeepPixel.bytes,
                capacity: capacity, scratchDirectory: scratchDirectory))
    }

    /// Whether the window leads around the world: then its margins contain the pixels of the other end.
    private var isTurn: Bool { window.width == worldEdge }

    /// The pixels of a row that fit into the memory.
    private var pixelsPerRow: Int { band.stride / DeepPixel.bytes - 2 * Self.margin }

    /// Whether all rows of a window fit into the same memory.
    package func hasRoom(for window: PixelWindow) -> Bool {
        window.width <= pixelsPerRow && window.height <= band.capacity
    }

    /// The same memory for another window, which is not wider than the first window; its pixels are lost.
    ///
    /// - Parameter rows: the maximum number of rows of it that are kept; all by default.
    package func moved(to window: PixelWindow, keeping rows: Int = .max) -> LevelBand {
        precondition(window.width <= pixelsPerRow, "a band does not grow")
        let rows = RowBand(band, capacity: min(rows, window.height))
        let moved = LevelBand(window, worldEdge: worldEdge, rows)
        // To the right of a narrower window there are still pixels of an earlier window.
        if window.width < pixelsPerRow {
            for row in window.rows.prefix(rows.capacity) {
                moved.pixel(column: window.columns.upperBound, row: row)
                    .update(repeating: 0, count: Self.margin * DeepPixel.channels)
            }
        }
        return moved
    }

    /// The same pixels under other numbers of columns.
    package func shifted(columns: Int) -> LevelBand {
        let window = PixelWindow(columns: window.columns.moved(by: columns), rows: window.rows)
        return LevelBand(window, worldEdge: worldEdge, band)
    }

    /// Bytes of a band.
    package static func bytes(width: Int, capacity: Int) -> Int {
        (width + 2 * margin + 16) * DeepPixel.bytes * capacity
    }

    /// The address of a pixel in a row in memory; the column may be in the margin.
    package func pixel(column: Int, row: Int) -> DeepPixels {
        band.row(row - window.rows.lowerBound).assumingMemoryBound(to: Int16.self)
            + (column - window.columns.lowerBound) * DeepPixel.channels
    }

    /// The rows from a column on, and the index of a row.
    func ring(column: Int, row: Int) -> (rows: cr_row_ring, row: Int32) {
        let first = band.row(0) + (column - window.columns.lowerBound) * DeepPixel.bytes
        return (
            cr_row_ring(first: first, stride: band.stride, capacity: Int32(band.capacity)),
            Int32(row - window.rows.lowerBound)
        )
    }

    /// The row that replaces another one. Beyond the world's northern or southern edge, where tiles end but
    /// images may continue, it is the last row of the world. Nil if the row is transparent.
    func existing(row: Int) -> Int? {
        let nearest = worldEdge.map { min(max(row, 0), $0 - 1) } ?? row
        return window.rows.contains(nearest) ? nearest : nil
    }

    /// Copies the part of a rendered rectangle that the margin at the other end repeats.
    package func continueAround(_ part: PixelWindow) {
        guard isTurn else { return }
        let left = window.columns.lowerBound..<window.columns.lowerBound + Self.margin
        let right = window.columns.upperBound - Self.margin..<window.columns.upperBound
        for (end, turn) in [(left, window.width), (right, -window.width)] {
            let columns = end.clamped(to: part.columns)
            if columns.isEmpty { continue }
            for row in part.rows {
                pixel(column: columns.lowerBound + turn, row: row).update(
                    from: pixel(column: columns.lowerBound, row: row),
                    count: columns.count * DeepPixel.channels)
            }
        }
    }

    /// Makes a rectangle transparent.
    package func clear(_ part: PixelWindow) { fill(part, with: .transparent) }

    /// Fills a rectangle with one colour.
    package func fill(_ part: PixelWindow, with color: DeepColor) {
        for row in part.rows {
            color.fill(pixel(column: part.columns.lowerBound, row: row), count: part.width)
        }
    }

    /// Divides a pixel by the sum of the weights that made it.
    ///
    /// A pixel that is opaque except for rounding becomes opaque.
    package func divide(column: Int, row: Int, by mass: Double) {
        let pixel = pixel(column: column, row: row)
        let opaque = Double(CR_OPAQUE)
        let alpha = Double(pixel[3])
        let sum = abs(alpha - mass * opaque) < opaque / 64 ? alpha / opaque : mass
        for channel in 0..<DeepPixel.channels {
            pixel[channel] = Int16(clamping: Int((Double(pixel[channel]) / sum).rounded()))
        }
    }

    /// Multiplies each pixel of a run by a coverage in 256ths, 0 to 256.
    package func cover(row: Int, firstColumn: Int, by coverage: [UInt16]) {
        cr_cover(pixel(column: firstColumn, row: row), coverage, coverage.count)
    }

    /// Lays pixels of another band over the pixels of this one.
    ///
    /// - Parameter interior: the columns at which the upper image is whole. Elsewhere, its edge cuts through
    ///   the pixels that a kernel reads; there, a pixel is joined with the pixel below, which the same edge
    ///   may have cut.
    package func lay(
        _ above: LevelBand, row: Int, columns: Range<Int>, interior: Range<Int>
    ) {
        let whole = interior.clamped(to: columns)
        join(above, row: row, columns: columns.lowerBound..<whole.lowerBound)
        cr_lay_over(
            above.pixel(column: whole.lowerBound, row: row),
            pixel(column: whole.lowerBound, row: row), whole.count)
        join(above, row: row, columns: whole.upperBound..<columns.upperBound)
    }

    private func join(_ above: LevelBand, row: Int, columns: Range<Int>) {
        cr_join(
            above.pixel(column: columns.lowerBound, row: row),
            pixel(column: columns.lowerBound, row: row), columns.count)
    }
}

/// Pixels of a tile or of a picture while they are packed: RGBA of 8 bits, rows without gaps.
package struct PackedWindow {
    /// The pixels.
    package let window: PixelWindow
    /// Four bytes for each pixel.
    package let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Describes a buffer for pixels.
    package init(_ window: PixelWindow, bytes: UnsafeMutableBufferPointer<UInt8>) {
        precondition(
            bytes.count == window.width * window.height * 4, "there is room for each pixel, and no more")
        (self.window, self.bytes) = (window, bytes)
    }

    /// Fills a part with one colour, packed as `pack` does.
    package func fill(
        _ part: PixelWindow, with color: DeepColor, over background: RGBColor?, with kernels: Kernels
    ) {
        if !part.isEmpty { cr_fill_packed(color.packed(over: background, with: kernels), core(part)) }
    }

    /// Packs a part of a band: with straight alpha, or over an opaque colour, which makes it opaque.
    package func pack(
        _ part: PixelWindow, of band: LevelBand, over background: RGBColor?, with kernels: Kernels
    ) -> AlphaSeen {
        if part.isEmpty { return AlphaSeen() }
        let pixels = band.ring(column: part.columns.lowerBound, row: part.rows.lowerBound)
        return kernels.pack(pixels.rows, from: pixels.row, over: background, into: core(part))
    }

    private func core(_ part: PixelWindow) -> cr_packed_window {
        precondition(part.intersection(window) == part, "a part is in its window")
        let place =
            (part.rows.lowerBound - window.rows.lowerBound) * window.width
            + part.columns.lowerBound - window.columns.lowerBound
        return cr_packed_window(
            // A window that is not empty has bytes.
            first: bytes.baseAddress.unsafelyUnwrapped + place * 4, stride: window.width * 4,
            columns: part.width, rows: part.height)
    }
}
