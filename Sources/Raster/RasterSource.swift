import Platform
package import Tiling

/// An image that is read once, row by row from the top, or in windows if its file allows it.
///
/// Only one task at a time may read rows. Any number of tasks may read windows.
package protocol RasterSource: AnyObject {
    /// The image's size, pixel format and other properties.
    var info: RasterInfo { get }

    /// Decodes the next rows of the image, in `info.pixelFormat`, into memory.
    ///
    /// - Parameters:
    ///   - count: how many rows; never more than are left.
    ///   - destination: the address of the first row; the others follow at a distance of `stride`.
    ///   - stride: bytes from one row to the next, at least `width * bytesPerPixel`.
    /// - Throws: an error that names the file, the row, and what is wrong with it.
    func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws

    /// Skips the next rows, without computing colours if that saves time.
    ///
    /// - Parameter count: how many rows; never more than are left.
    /// - Throws: as `readRows`: damage in skipped rows is found.
    func skipRows(_ count: Int) throws

    /// Reads parts of the image in any order; nil if the file must be decoded from its start.
    var windows: (any WindowReader)? { get }
}

extension RasterSource {
    /// Decodes the rows one by one.
    package func skipRows(_ count: Int) throws {
        let size = info.width * info.pixelFormat.bytesPerPixel
        let row = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { row.deallocate() }
        for _ in 0..<count { try readRows(1, into: row, stride: size) }
    }

    /// Nil: the image is read by rows only.
    package var windows: (any WindowReader)? { nil }
}

/// Reads parts of an image in any order, and by several tasks at once.
package protocol WindowReader: Sendable {
    /// Columns and rows of the blocks in which the file is decoded. A window along their edges is decoded
    /// without waste.
    var blockSize: (width: Int, height: Int) { get }

    /// Decodes a window, in the source's `info.pixelFormat`, into memory.
    ///
    /// - Parameters:
    ///   - window: columns and rows within the image.
    ///   - destination: the address of the first row; the others follow at a distance of `stride`.
    ///   - stride: bytes from one row to the next, at least `window.width * bytesPerPixel`.
    /// - Throws: an error that names the file, the place, and what is wrong with it.
    func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) throws

    /// Says which windows will be read, in about this order: of a file on another machine, they are fetched
    /// ahead.
    ///
    /// - Parameter windows: is called only for such a file.
    func expect(_ windows: () -> [PixelWindow])

    /// Reads a window, rows without gaps, in another format than the image's if that takes fewer bytes.
    ///
    /// - Parameter format: the format of the image's pixels.
    /// - Returns: the format of the pixels that were read.
    func read(
        _ window: PixelWindow, of format: PixelFormat, into destination: UnsafeMutableRawPointer
    ) throws -> PixelFormat
}

extension WindowReader {
    /// Nothing is read ahead.
    package func expect(_ windows: () -> [PixelWindow]) {}

    /// The image's own pixels.
    package func read(
        _ window: PixelWindow, of format: PixelFormat, into destination: UnsafeMutableRawPointer
    ) throws -> PixelFormat {
        try read(window, into: destination, stride: window.width * format.bytesPerPixel)
        return format
    }
}

/// A rectangular part of another source.
///
/// Reading rows still decodes the whole source, so that damage anywhere in it is found.
package final class CroppedSource: RasterSource {
    /// The part's size; everything else is the other source's.
    package let info: RasterInfo

    private let base: any RasterSource
    private let window: PixelWindow
    private let line: UnsafeMutableRawPointer
    private var row = 0

    /// Makes a source of a window of the other source.
    package init(_ base: any RasterSource, window: PixelWindow) {
        precondition(
            window.intersection(base.info.window) == window && !window.isEmpty,
            "the window is within the image")
        self.base = base
        self.window = window
        var info = base.info
        info.width = window.width
        info.height = window.height
        self.info = info
        line = .allocate(byteCount: base.info.width * info.pixelFormat.bytesPerPixel, alignment: 1)
    }

    deinit { line.deallocate() }

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

    /// Decodes the rows below the part.
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
        try base.read(moved(part), into: destination, stride: stride)
    }

    func expect(_ windows: () -> [PixelWindow]) { base.expect { windows().map(moved) } }

    private func moved(_ part: PixelWindow) -> PixelWindow {
        PixelWindow(
            columns: part.columns.moved(by: window.columns.lowerBound),
            rows: part.rows.moved(by: window.rows.lowerBound))
    }
}

extension Array where Element: FixedWidthInteger & BitwiseCopyable {
    /// Calls `body` with the address of the elements; there is at least one.
    package mutating func withAddress<Result>(
        _ body: (UnsafeMutableRawPointer) throws -> Result
    ) rethrows -> Result {
        try withUnsafeMutableBytes { try body($0.baseAddress.unwrapped("an array of pixels has some")) }
    }
}
