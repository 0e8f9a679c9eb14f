/// An image that is read once, row by row from the top; or, where its file allows it, by windows.
///
/// A source is not safe to share: whoever reads its rows makes sure that one task at a time does.
/// Its windows may be read by any number of tasks.
package protocol RasterSource: AnyObject {
    /// What the image is.
    var info: RasterInfo { get }

    /// Decodes the next rows of the image, in `info.pixelFormat`, into memory.
    ///
    /// - Parameters:
    ///   - count: how many rows; never more than are left.
    ///   - destination: where the first of them goes; row follows row at a distance of `stride`.
    ///   - stride: bytes from one row to the next, at least `width * bytesPerPixel`.
    /// - Throws: an error that names the file, the row, and what is wrong with it.
    func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws

    /// Reads parts of the image in any order; nil where the file is a single stream.
    var windows: (any WindowReader)? { get }
}

extension RasterSource {
    package var windows: (any WindowReader)? { nil }
}
