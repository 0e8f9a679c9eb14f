package import Tiling

/// A rectangular part of another source.
///
/// Reading rows still decodes the whole of the other source, so that damage anywhere in it is found.
package final class CroppedSource: RasterSource {
    /// The part's size; everything else is the other source's.
    package let info: RasterInfo

    private let base: any RasterSource
    private let window: PixelWindow
    private let line: UnsafeMutableRawPointer
    private var row = 0

    /// Makes a source of a window, which must lie within the other source.
    package init(_ base: any RasterSource, window: PixelWindow) {
        precondition(
            window.intersection(
                PixelWindow(columns: 0..<base.info.width, rows: 0..<base.info.height)) == window
                && !window.isEmpty, "the window lies within the image")
        self.base = base
        self.window = window
        var info = base.info
        info.width = window.width
        info.height = window.height
        self.info = info
        line = .allocate(byteCount: base.info.width * info.pixelFormat.bytesPerPixel, alignment: 1)
    }

    deinit {
        line.deallocate()
    }

    /// Decodes the next rows of the part; see `RasterSource`.
    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int)
        throws
    {
        let pixel = info.pixelFormat.bytesPerPixel
        let (first, size) = (line + window.columns.lowerBound * pixel, window.width * pixel)
        while row < window.rows.lowerBound { try readLine() }
        for index in 0..<count {
            try readLine()
            (destination + index * stride).copyMemory(from: first, byteCount: size)
        }
        try finish()
    }

    /// Decodes what lies below the part.
    private func finish() throws {
        if row == window.rows.upperBound {
            while row < base.info.height { try readLine() }
        }
    }

    package func skipRows(_ count: Int) throws {
        let above = max(0, window.rows.lowerBound - row)
        try base.skipRows(above + count)
        row += above + count
        try finish()
    }

    /// The other source's windows, counted from the part's corner.
    package var windows: (any WindowReader)? {
        base.windows.map { CroppedWindows(base: $0, window: window) }
    }

    private func readLine() throws {
        try base.readRows(1, into: line, stride: base.info.width * info.pixelFormat.bytesPerPixel)
        row += 1
    }
}

private struct CroppedWindows: WindowReader {
    let base: any WindowReader
    let window: PixelWindow

    var blockSize: (width: Int, height: Int) { base.blockSize }

    func read(
        _ part: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws {
        let (left, top) = (window.columns.lowerBound, window.rows.lowerBound)
        let moved = PixelWindow(
            columns: part.columns.lowerBound + left..<part.columns.upperBound + left,
            rows: part.rows.lowerBound + top..<part.rows.upperBound + top)
        try base.read(moved, into: destination, stride: stride)
    }
}
