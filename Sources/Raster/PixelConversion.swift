/// What makes pixels of one form into pixels of another, each by itself.
package protocol PixelConversion: Sendable {
    /// The form of the pixels that come out.
    var output: PixelFormat { get }

    /// Converts a run of pixels; the result does not overlap them.
    func convert(
        _ pixels: UnsafeRawPointer, count: Int, into result: UnsafeMutableRawPointer)
}
