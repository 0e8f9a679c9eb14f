package import Raster
import RenderProtocol
package import Tiling

/// A page that is drawn onto a grid, as an image that is read in any order.
///
/// It is drawn in squares that do not overlap, always the same ones: the bytes of a pixel do not depend on which
/// window is read, nor by how many tasks.
package final class PageSource: RasterSource, WindowReader {
    /// Pixels with alpha, as many as the grid has.
    package let info: RasterInfo

    private let drawing: Drawing
    private let grid: PageGrid
    private let style: PageStyle
    /// The next row of those that are read from the top. One task at a time reads them.
    private nonisolated(unsafe) var row = 0
    /// The squares that the next row goes on with: they are drawn once, however few rows are asked for at a time.
    private nonisolated(unsafe) var begun: [PixelWindow: PagePixels] = [:]

    /// Makes a source; draws nothing yet.
    ///
    /// - Parameter info: of the page, whose size and form of pixels become those of the grid.
    package init(_ drawing: Drawing, on grid: PageGrid, style: PageStyle, info: RasterInfo) {
        self.drawing = drawing
        self.grid = grid
        self.style = style
        self.info = Self.info(info, on: grid)
    }

    /// What a source is.
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
                    StraightPixels.repeatFirst(of: target, count: part.width)
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
