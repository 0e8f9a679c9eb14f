internal import CKernels
package import Raster
package import Tiling

/// The rows of one zoom that are in memory, as deep pixels; columns and rows are absolute pixels of
/// the zoom's tile matrix.
///
/// Beyond the window's left and right edge lie `LevelBand.margin` pixels, so that kernels need no
/// special case there: transparent ones, or the pixels of the window's other end if it leads around
/// the world.
package struct LevelBand: Sendable {
    /// Pixels before and behind each row: the widest halving kernel reaches 6 pixels
    /// beyond its pair, an odd edge adds one, padding of taps up to 3, and 16 is the next power.
    package static let margin = 16

    /// The pixels that the zoom has at all; everything beyond is transparent.
    package let window: PixelWindow

    /// Pixels along an edge of the world; nil for an endless plane.
    private let worldEdge: Int?

    /// Whether the window leads around the world: its margins hold the pixels of the other end.
    private var isTurn: Bool { window.width == worldEdge }

    private let band: RowBand

    /// How pixels lie in rows, if all of them are opaque; nil for pixels of four channels.
    package internal(set) var planes: OpaquePlanes?

    /// Which cells are of one colour; nil if nobody takes note.
    package var colors: CellColors?

    private init(window: PixelWindow, worldEdge: Int?, band: RowBand) {
        self.window = window
        self.worldEdge = worldEdge
        self.band = band
    }

    /// Allocates a band for some rows of a zoom.
    ///
    /// - Parameter worldEdge: pixels along an edge of the world at that zoom; nil for an endless plane.
    package init(
        window: PixelWindow, worldEdge: Int? = nil, capacity: Int, scratchDirectory: String?
    ) throws {
        precondition((worldEdge ?? .max) >= Self.margin, "a zoom has at least one tile")
        self.window = window
        self.worldEdge = worldEdge
        band = try RowBand(
            rowBytes: window.width * DeepPixel.bytes,
            marginBytes: Self.margin * DeepPixel.bytes,
            capacity: capacity, scratchDirectory: scratchDirectory)
    }

    /// Pixels of a row that there is memory for.
    private var pixelsPerRow: Int { band.stride / DeepPixel.bytes - 2 * Self.margin }

    /// The memory of all rows.
    package var memory: MappedMemory { band.memory }

    /// Rows that it holds at a time.
    package var capacity: Int { band.capacity }

    /// Whether all rows of a window fit into the same memory.
    package func hasRoom(for window: PixelWindow) -> Bool {
        window.width <= pixelsPerRow && window.height <= band.capacity
    }

    /// The same memory for another window, which is not wider than the first one was.
    ///
    /// - Parameter rows: how many of its rows stay, at most; all of them by default.
    package func moved(to window: PixelWindow, keeping rows: Int = .max) -> LevelBand {
        let moved = moved(toPlanesOf: window, keeping: rows)
        // Behind a narrower window lie pixels of the one before.
        if window.width < pixelsPerRow {
            for row in window.rows.prefix(moved.capacity) {
                moved.pixel(column: window.columns.upperBound, row: row)
                    .update(repeating: 0, count: Self.margin * DeepPixel.channels)
            }
        }
        return moved
    }

    /// The same memory for planes of a window, which have no margin.
    package func moved(toPlanesOf window: PixelWindow, keeping rows: Int) -> LevelBand {
        precondition(window.width <= pixelsPerRow, "a band does not grow")
        return LevelBand(
            window: window, worldEdge: worldEdge, band: RowBand(band, capacity: min(rows, window.height)))
    }

    /// Bytes that a band takes.
    package static func bytes(width: Int, capacity: Int) -> Int {
        (width + 2 * margin + 16) * DeepPixel.bytes * capacity
    }

    /// Where a pixel of a row that is in memory lies; the column may reach into the margin.
    package func pixel(column: Int, row: Int) -> DeepPixels {
        let pixels = band.row(row - window.rows.lowerBound).assumingMemoryBound(to: Int16.self)
        return pixels + (column - window.columns.lowerBound) * DeepPixel.channels
    }

    /// Where a pixel's sample in the first plane lies.
    func plane(column: Int, row: Int) -> DeepPixels {
        pixel(column: window.columns.lowerBound, row: row) + (column - window.columns.lowerBound)
    }

    /// All rows from a column on, as the core takes them, and the place of a row among them.
    func ring(column: Int, row: Int) -> (rows: cr_row_ring, row: Int32) {
        let first = pixel(column: column, row: window.rows.lowerBound)
        return (
            cr_row_ring(first: first, stride: band.stride, capacity: Int32(band.capacity)),
            Int32(row - window.rows.lowerBound)
        )
    }

    /// The row that stands for another: beyond the world's northern or southern edge, where tiles end
    /// but images may go on, the last row of the world; nil if the row is transparent.
    package func existing(row: Int) -> Int? {
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
    package func clear(_ part: PixelWindow) {
        for row in part.rows {
            pixel(column: part.columns.lowerBound, row: row)
                .update(repeating: 0, count: part.width * DeepPixel.channels)
        }
    }

    /// Gives a rectangle one colour.
    package func fill(_ part: PixelWindow, with color: DeepColor) {
        if let colors, colors.note(part, color), colors.standForPixels { return }
        for row in part.rows {
            color.fill(pixel(column: part.columns.lowerBound, row: row), count: part.width)
        }
    }

    /// Leaves of each pixel of a run so many 256ths, 0 to 256.
    package func cover(row: Int, firstColumn: Int, by coverage: [UInt16]) {
        cr_cover(pixel(column: firstColumn, row: row), coverage, coverage.count)
    }
}

extension LevelBand {
    /// Lays pixels of another band over the pixels of this one.
    ///
    /// - Parameters:
    ///   - columns: the pixels of the row.
    ///   - interior: the columns at which the upper image is whole. Elsewhere its edge cuts through
    ///     what a kernel reads; a pixel there is joined with the one below, which the same edge may
    ///     have cut.
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
