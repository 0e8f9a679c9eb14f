import CKernels
package import Raster
import Tiling

/// A drawing without its sheet: the paper becomes transparent, and the paper's share of an anti-aliased edge
/// becomes partial alpha.
///
/// A pixel depends only on pixels at most `radius` columns and rows away, so that rows and windows agree.
/// Paper and single-coloured areas cost a few comparisons of bytes per pixel; edges cost about a microsecond.
package final class LiftedSource: RasterSource {
    /// How many columns and rows away a pixel can affect another one.
    package static let radius = Int(CR_LIFT_RADIUS)

    /// The other source's description, with alpha.
    package let info: RasterInfo

    /// Rows that are read from the other source at a time.
    private static let rowsAtOnce = 64

    private let base: any RasterSource
    private let paper: ColorKey
    private let sheet: Sheet
    /// The rows of the image that the sheet holds.
    private var held = 0..<0
    /// The next row to be read.
    private var row = 0

    /// Makes a source of another source, with paper of a colour made transparent.
    package init(_ base: any RasterSource, paper: ColorKey) {
        (self.base, self.paper) = (base, paper)
        let width = base.info.width
        sheet = Sheet(
            width: width, capacity: Self.rowsAtOnce + 2 * Self.radius, format: base.info.pixelFormat,
            paper: paper)
        var info = base.info
        info.pixelFormat = .rgba8
        // Averaged pixels no longer show which is paper and which is ink.
        info.reductions = []
        info.decoderBytes += sheet.byteCount
        let block = base.windows.map { LiftedWindows.blockSize($0.blockSize).height } ?? 0
        info.decoderBytesPerTask += Sheet.byteCount(
            width: width, rows: max(block, 2 * Self.rowsAtOnce) + 2 * Self.radius,
            format: base.info.pixelFormat)
        self.info = info
    }

    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        for index in 0..<count {
            try load(through: min(row + Self.radius + 1, info.height))
            sheet.lift(
                columns: 0..<info.width, row: row - held.lowerBound, height: held.count,
                into: destination + index * stride)
            row += 1
        }
    }

    /// The other source's windows, lifted.
    package var windows: (any WindowReader)? {
        base.windows.map { LiftedWindows(base: $0, info: base.info, paper: paper) }
    }

    /// Loads rows up to `end`, and drops earlier rows that do not affect the next row to be read.
    private func load(through end: Int) throws {
        guard end > held.upperBound else { return }
        let first = max(held.lowerBound, row - Self.radius)
        sheet.drop(rows: first - held.lowerBound, of: held.count)
        let count = min(Self.rowsAtOnce, info.height - held.upperBound)
        try sheet.fill(rows: held.upperBound - first..<held.upperBound - first + count) {
            try base.readRows(count, into: $0, stride: $1)
        }
        held = first..<held.upperBound + count
    }
}

/// Windows of a drawing without its sheet.
private struct LiftedWindows: WindowReader {
    /// Smaller blocks are joined: reading the pixels around them would cost more than the blocks.
    private static let shortestEdge = 512

    let base: any WindowReader
    let info: RasterInfo
    let paper: ColorKey

    var blockSize: (width: Int, height: Int) { Self.blockSize(base.blockSize) }

    /// The size of a block that is worth reading: whole blocks of the file.
    static func blockSize(_ piece: (width: Int, height: Int)) -> (width: Int, height: Int) {
        BlockCache.blockSize(piece, shortestEdge: shortestEdge)
    }

    func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        let outer = around(window)
        let sheet = Sheet(
            width: outer.width, capacity: outer.height, format: info.pixelFormat, paper: paper)
        try sheet.fill(rows: 0..<outer.height) { try base.read(outer, into: $0, stride: $1) }
        let left = window.columns.lowerBound - outer.columns.lowerBound
        for row in window.rows {
            sheet.lift(
                columns: left..<left + window.width, row: row - outer.rows.lowerBound,
                height: outer.height, into: destination + (row - window.rows.lowerBound) * stride)
        }
    }

    func expect(_ windows: () -> [PixelWindow]) { base.expect { windows().map(around) } }

    private func around(_ window: PixelWindow) -> PixelWindow {
        PixelWindow(
            columns: around(window.columns, in: info.width), rows: around(window.rows, in: info.height))
    }

    private func around(_ range: Range<Int>, in count: Int) -> Range<Int> {
        max(0, range.lowerBound - LiftedSource.radius)..<min(count, range.upperBound + LiftedSource.radius)
    }
}

/// Rows of a drawing on its sheet, in memory, with a mark for each paper pixel.
final class Sheet {
    private let width: Int
    private let format: PixelFormat
    private let paper: cr_paper
    private let pixels: UnsafeMutablePointer<UInt8>
    private let marks: UnsafeMutablePointer<UInt8>
    /// Rows as they are in the file, if that is not RGBA.
    private let narrow: UnsafeMutablePointer<UInt8>?

    /// The memory that it takes in bytes.
    let byteCount: Int

    /// Makes room for rows.
    ///
    /// - Parameters:
    ///   - capacity: the maximum number of rows that it holds.
    ///   - format: the format of the pixels that are filled in.
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

    /// The memory of rows in bytes.
    static func byteCount(width: Int, rows: Int, format: PixelFormat) -> Int {
        width * rows * (5 + (format == .rgba8 ? 0 : format.bytesPerPixel))
    }

    /// Drops the first rows; the rows after them move up.
    ///
    /// - Parameter count: the number of rows that it holds.
    func drop(rows: Int, of count: Int) {
        guard rows > 0 else { return }
        pixels.update(from: pixels + rows * width * 4, count: (count - rows) * width * 4)
        marks.update(from: marks + rows * width, count: (count - rows) * width)
    }

    /// Fills in rows.
    ///
    /// - Parameter read: writes the rows to an address, with a stride in bytes.
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

    /// Writes pixels of a row without the paper, as RGBA.
    ///
    /// - Parameter height: the number of rows that it holds. They must include all rows of the image that are
    ///   at most `LiftedSource.radius` away from the row; the same holds for columns.
    func lift(columns: Range<Int>, row: Int, height: Int, into result: UnsafeMutableRawPointer) {
        var sheet = cr_sheet(
            pixels: pixels, marks: marks, width: Int32(width), height: Int32(height), paper: paper)
        cr_lift_row(
            &sheet, Int32(columns.lowerBound), Int32(row), result.assumingMemoryBound(to: UInt8.self),
            columns.count)
    }
}
