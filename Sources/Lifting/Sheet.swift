internal import CKernels
internal import Raster

/// Rows of a drawing on its sheet, in memory, with a mark for each pixel that is paper.
final class Sheet {
    private let width: Int
    private let format: PixelFormat
    private let paper: cr_paper
    private let pixels: UnsafeMutablePointer<UInt8>
    private let marks: UnsafeMutablePointer<UInt8>
    /// Rows as the file holds them, if that is not RGBA.
    private let narrow: UnsafeMutablePointer<UInt8>?

    /// The memory that it takes in bytes.
    let byteCount: Int

    /// Makes room for rows.
    ///
    /// - Parameters:
    ///   - capacity: the most rows that it holds.
    ///   - format: of the pixels that it is filled with.
    init(width: Int, capacity: Int, format: PixelFormat, paper: ColorKey) {
        (self.width, self.format) = (width, format)
        self.paper = cr_paper(
            channels: (paper.channels[0], paper.channels[1], paper.channels[2]),
            tolerance: UInt8(clamping: paper.tolerance))
        pixels = .allocate(capacity: width * capacity * 4)
        marks = .allocate(capacity: width * capacity)
        narrow =
            format == .rgba8 ? nil : .allocate(capacity: width * capacity * format.bytesPerPixel)
        byteCount = Self.byteCount(width: width, rows: capacity, format: format)
    }

    deinit {
        pixels.deallocate()
        marks.deallocate()
        narrow?.deallocate()
    }

    /// The memory in bytes that rows take.
    static func byteCount(width: Int, rows: Int, format: PixelFormat) -> Int {
        width * rows * (5 + (format == .rgba8 ? 0 : format.bytesPerPixel))
    }

    /// Forgets the first rows; those that follow move up.
    ///
    /// - Parameter count: the rows that it holds.
    func drop(rows: Int, of count: Int) {
        guard rows > 0 else { return }
        pixels.update(from: pixels + rows * width * 4, count: (count - rows) * width * 4)
        marks.update(from: marks + rows * width, count: (count - rows) * width)
    }

    /// Takes in rows.
    ///
    /// - Parameter read: writes them to a place, at a distance in bytes.
    func fill(
        rows: Range<Int>, read: (_ place: UnsafeMutableRawPointer, _ stride: Int) throws -> Void
    ) throws {
        let first = pixels + rows.lowerBound * width * 4
        let count = rows.count * width
        if let narrow {
            try read(narrow, width * format.bytesPerPixel)
            cr_widen_row(narrow, Int32(format.bytesPerPixel), first, count)
        } else {
            try read(first, width * 4)
        }
        cr_mark_paper(first, paper, marks + rows.lowerBound * width, count)
    }

    /// Writes pixels of a row without the paper, RGBA.
    ///
    /// - Parameter height: the rows that it holds. All of them that are at most `LiftedSource.radius` away from the
    ///   row must be among them, but for those beyond the image; columns likewise.
    func lift(columns: Range<Int>, row: Int, height: Int, into result: UnsafeMutableRawPointer) {
        var sheet = cr_sheet(
            pixels: pixels, marks: marks, width: Int32(width), height: Int32(height), paper: paper)
        cr_lift_row(
            &sheet, Int32(columns.lowerBound), Int32(row), result.assumingMemoryBound(to: UInt8.self),
            columns.count)
    }
}
