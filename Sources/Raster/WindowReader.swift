package import Tiling

/// Reads parts of an image in any order, and by several tasks at once.
package protocol WindowReader: Sendable {
    /// Columns and rows of the pieces in which the file is decoded: a window along their edges
    /// decodes nothing that it does not deliver.
    var blockSize: (width: Int, height: Int) { get }

    /// Decodes a window, in the source's `info.pixelFormat`, into memory.
    ///
    /// - Parameters:
    ///   - window: pixels that all lie within the image.
    ///   - destination: where the first of them goes; row follows row at a distance of `stride`.
    ///   - stride: bytes from one row to the next, at least those of the window's pixels.
    /// - Throws: an error that names the file, the place, and what is wrong with it.
    func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) throws
}
