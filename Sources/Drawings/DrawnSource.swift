package import Raster
import RenderProtocol
package import Tiling

/// A page that is drawn onto a grid, as an image that is read in any order.
///
/// It is drawn in squares that do not overlap, always the same ones: the bytes of a pixel do not depend on which
/// window is read, nor by how many tasks.
package final class DrawnSource: RasterSource, WindowReader {
    /// Pixels with alpha, as many as the grid has.
    package let info: RasterInfo

    private let drawing: Drawing
    private let grid: DrawnGrid
    private let style: DrawnStyle
    /// The next row of those that are read from the top. One task at a time reads them.
    private nonisolated(unsafe) var row = 0

    /// Makes a source; draws nothing yet.
    ///
    /// - Parameter info: of the page, whose size and form of pixels become those of the grid.
    package init(_ drawing: Drawing, on grid: DrawnGrid, style: DrawnStyle, info: RasterInfo) {
        self.drawing = drawing
        self.grid = grid
        self.style = style
        self.info = Self.info(info, on: grid)
    }

    /// What a source is.
    package static func info(_ info: RasterInfo, on grid: DrawnGrid) -> RasterInfo {
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
        try read(
            PixelWindow(columns: 0..<grid.width, rows: row..<row + count), into: destination, stride: stride)
        row += count
    }

    /// Draws a window; see `WindowReader`.
    package func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        for rows in window.rows.cut(every: grid.square) {
            for columns in window.columns.cut(every: grid.square) {
                let part = PixelWindow(columns: columns, rows: rows)
                let offset =
                    (rows.lowerBound - window.rows.lowerBound) * stride
                    + (columns.lowerBound - window.columns.lowerBound) * DrawnPixels.bytesPerPixel
                try read(part, to: destination + offset, stride: stride)
            }
        }
    }

    /// Draws a square, and copies what lies in a part of it.
    private func read(_ part: PixelWindow, to result: UnsafeMutableRawPointer, stride: Int) throws {
        let size = grid.square
        let (left, top) = (part.columns.lowerBound / size * size, part.rows.lowerBound / size * size)
        let square = PixelWindow(columns: left..<left + size, rows: top..<top + size).intersection(
            grid.window)
        let drawn = try drawing.draw(grid.request(square, style: style))
        drawn.payload[DrawnPixels.headerSize...].withUnsafeBytes { pixels in
            for row in part.rows {
                let target = result + (row - part.rows.lowerBound) * stride
                switch drawn.form {
                case .transparent:
                    target.initializeMemory(as: UInt8.self, repeating: 0, count: part.width * 4)
                case .uniform:
                    StraightPixels.convert(pixels, count: 1, to: target)
                    StraightPixels.repeatFirst(of: target, count: part.width)
                case .all:
                    let first = (row - top) * square.width + part.columns.lowerBound - left
                    StraightPixels.convert(
                        UnsafeRawBufferPointer(rebasing: pixels[(first * 4)...]), count: part.width,
                        to: target)
                }
            }
        }
    }
}
