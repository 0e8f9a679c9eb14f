/// How the pixels of a source lie in memory: 8-bit samples, interleaved, straight alpha.
package enum PixelFormat: String, Sendable {
    /// One sample: gray.
    case gray8
    /// Three samples: red, green, blue.
    case rgb8
    /// Four samples: red, green, blue and straight (not premultiplied) alpha.
    case rgba8

    /// Bytes from one pixel to the next.
    package var bytesPerPixel: Int {
        switch self {
        case .gray8: 1
        case .rgb8: 3
        case .rgba8: 4
        }
    }
}
