package import Raster
import RenderProtocol
package import Tiling

/// A page drawn onto a grid, as an image that can be read in any order.
///
/// The page is always drawn in the same squares, which do not overlap. So the bytes of a pixel depend neither
/// on the window that is read nor on the number of tasks.
package final class PageSource: RasterSource, WindowReader {
    /// Pixels with alpha, as many as the grid has.
    package let info: RasterInfo

    private let drawing: Drawing
    private let grid: PageGrid
    private let style: PageStyle
    /// The next row, if rows are read from the top. One task at a time reads rows.
    private nonisolated(unsafe) var row = 0
    /// The squares that contain the next row. They are kept, so that each is drawn once, however few rows are
    /// read at a time.
    private nonisolated(unsafe) var begun: [PixelWindow: PagePixels] = [:]

    /// Makes a source; draws nothing yet.
    ///
    /// - Parameter info: the page's properties; its size and pixel format are replaced by those of the grid.
    package init(_ drawing: Drawing, on grid: PageGrid, style: PageStyle, info: RasterInfo) {
        (self.drawing, self.grid, self.style) = (drawing, grid, style)
        self.info = Self.info(info, on: grid)
    }

    /// The properties of a page that is drawn onto a grid.
    package static func info(_ info: RasterInfo, on grid: PageGrid) -> RasterInfo {
        var drawn = info
        (drawn.width, drawn.height, drawn.pixelFormat) = (grid.width, grid.height, .rgba8)
        return drawn
    }

    /// Columns and rows of the squares.
    package var blockSize: (width: Int, height: Int) { (grid.square, grid.square) }

    /// The source itself.
    package var windows: (any WindowReader)? { self }

    /// Draws the next rows; see `RasterSource`.
    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        let window = PixelWindow(columns: 0..<grid.width, rows: row..<row + count)
        row += count
        let known = begun
        begun = [:]
        try read(window, into: destination, stride: stride) { square in
            let drawn = try known[square] ?? draw(square)
            if square.rows.upperBound > row { begun[square] = drawn }
            return drawn
        }
    }

    /// Draws a window; see `WindowReader`.
    package func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        try read(window, into: destination, stride: stride, squares: draw)
    }

    private func draw(_ square: PixelWindow) throws -> PagePixels {
        try drawing.draw(grid.request(square, style: style))
    }

    private func read(
        _ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int,
        squares: (PixelWindow) throws -> PagePixels
    ) throws {
        for rows in window.rows.cut(every: grid.square) {
            for columns in window.columns.cut(every: grid.square) {
                let part = PixelWindow(columns: columns, rows: rows)
                let offset =
                    (rows.lowerBound - window.rows.lowerBound) * stride
                    + (columns.lowerBound - window.columns.lowerBound) * PagePixels.bytesPerPixel
                let square = square(around: part)
                copy(part, of: try squares(square), square, to: destination + offset, stride: stride)
            }
        }
    }

    private func square(around part: PixelWindow) -> PixelWindow {
        let size = grid.square
        let (left, top) = (part.columns.lowerBound / size * size, part.rows.lowerBound / size * size)
        return PixelWindow(columns: left..<left + size, rows: top..<top + size).intersection(grid.window)
    }

    private func copy(
        _ part: PixelWindow, of drawn: PagePixels, _ square: PixelWindow, to result: UnsafeMutableRawPointer,
        stride: Int
    ) {
        drawn.payload[PagePixels.headerSize...].withUnsafeBytes { pixels in
            for row in part.rows {
                let target = result + (row - part.rows.lowerBound) * stride
                switch drawn.form {
                case .transparent:
                    target.initializeMemory(as: UInt8.self, repeating: 0, count: part.width * 4)
                case .uniform:
                    StraightPixels.convert(pixels, count: 1, to: target)
                    target.initializeMemory(
                        as: UInt32.self, repeating: target.load(as: UInt32.self), count: part.width)
                case .all:
                    let first =
                        (row - square.rows.lowerBound) * square.width + part.columns.lowerBound
                        - square.columns.lowerBound
                    StraightPixels.convert(
                        UnsafeRawBufferPointer(rebasing: pixels[(first * 4)...]), count: part.width,
                        to: target)
                }
            }
        }
    }
}

/// The pixels that a page is drawn onto, and their places on the page.
package struct PageGrid: Sendable {
    /// The transform from points of the page to pixels of the grid.
    package enum Mapping: Sendable {
        /// One transform for the whole grid.
        case whole(AffineTransform)
        /// One transform for each square, if lines of the page are bent on the grid, and an approximate one
        /// for the whole grid.
        case perSquare(@Sendable (PixelWindow) throws -> AffineTransform, base: AffineTransform)
    }

    /// Columns.
    package let width: Int
    /// Rows.
    package let height: Int
    /// The edge of the squares in which the page is drawn; the first begins at the first pixel.
    package let square: Int
    /// The transform from points of the page to pixels of the grid.
    package let mapping: Mapping
    /// The part of the page that counts, in points.
    package let clip: BoundingBox

    /// The usual edge of a square, in pixels. A row of such squares takes 25 MB for a sheet of 12 000 pixels.
    /// Larger squares gain nothing, since a renderer keeps a recording of the page.
    package static let standardSquare = 512

    /// Describes a grid.
    package init(
        width: Int, height: Int, square: Int = Self.standardSquare, mapping: Mapping, clip: BoundingBox
    ) {
        (self.width, self.height, self.square) = (width, height, square)
        (self.mapping, self.clip) = (mapping, clip)
    }

    /// All pixels.
    var window: PixelWindow { PixelWindow(columns: 0..<width, rows: 0..<height) }

    /// The request for a square.
    func request(_ square: PixelWindow, style: PageStyle) throws -> DrawRequest {
        let (matrix, base) =
            switch mapping {
            case .whole(let matrix): (matrix, matrix)
            case .perSquare(let matrix, let base): (try matrix(square), base)
            }
        return DrawRequest(
            square, by: matrix, base: base, clip: clip, thinnestLine: style.thinnestLine,
            palestLine: style.palestLine, isOneOfMany: true, isAliased: style.isAliased)
    }
}

/// How lines and edges are drawn.
package struct PageStyle: Hashable, Sendable {
    /// The least width of a line in pixels: thinner lines are drawn that wide, but paler.
    package var thinnestLine = 1.0
    /// The least share of its opacity that a line keeps, however thin it is.
    package var palestLine: Double
    /// Whether pixels belong to a shape or do not, without mixtures.
    package var isAliased: Bool

    /// The share of its opacity that a hairline keeps with each zoom further out. With 0.5, as in halved
    /// pictures, 6 % are left after four zooms, and with 0.6, twice as much; with 1, hatches become black.
    /// Hatches of eight pitches from 0.35 to 4 mm, drawn six zooms out, are up to two and a half times as
    /// dark with 0.6 as with 0.5, without moire.
    private static let shareKeptPerZoom = 0.6

    /// Describes the style of a zoom.
    ///
    /// - Parameter zoomsOut: the number of zooms below the maximum. At the maximum, each line is at least a
    ///   pixel wide.
    package init(zoomsOut: Int = 0, isAliased: Bool = false) {
        palestLine = (0..<zoomsOut).reduce(1) { share, _ in share * Self.shareKeptPerZoom }
        self.isAliased = isAliased
    }
}

/// Conversion of pixels with premultiplied colours to straight alpha.
enum StraightPixels {
    /// 2^16 times 255 divided by each alpha, rounded up: the product of a colour and this value, truncated,
    /// is the nearest level for every colour and alpha of 8 bits.
    private static let reciprocals: [UInt32] = (0...255).map { $0 == 0 ? 0 : ((255 << 16) + $0 - 1) / $0 }

    /// Converts premultiplied pixels, blue first, to red, green, blue and alpha.
    ///
    /// - Parameter pixels: at least `count` of 4 bytes.
    static func convert(_ pixels: UnsafeRawBufferPointer, count: Int, to result: UnsafeMutableRawPointer) {
        precondition(pixels.count >= count * 4)
        guard let source = pixels.baseAddress else { return }
        reciprocals.withUnsafeBufferPointer { reciprocals in
            // Most pixels equal the one before.
            var (last, straight): (UInt32, UInt32) = (0, 0)
            for offset in stride(from: 0, to: count * 4, by: 4) {
                let pixel = UInt32(
                    littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                if pixel != last { (last, straight) = (pixel, convert(pixel, reciprocals)) }
                result.storeBytes(of: straight.littleEndian, toByteOffset: offset, as: UInt32.self)
            }
        }
    }

    @inline(__always)
    private static func convert(_ pixel: UInt32, _ reciprocals: UnsafeBufferPointer<UInt32>) -> UInt32 {
        let alpha = pixel >> 24
        let swapped = pixel & 0xFF00_FF00 | pixel << 16 & 0xFF_0000 | pixel >> 16 & 0xFF
        if alpha == 255 { return swapped }
        let factor = reciprocals[Int(alpha)]
        // A faulty renderer might send colours above alpha.
        func level(_ shift: UInt32) -> UInt32 {
            min(255, ((swapped >> shift & 0xFF) * factor + 0x8000) >> 16) << shift
        }
        return level(0) | level(8) | level(16) | alpha << 24
    }
}
