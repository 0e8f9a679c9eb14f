/// The layout of a source's pixels: 8-bit samples, interleaved, straight alpha.
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

/// An opaque colour of 8 bits per channel, in sRGB.
public struct RGBColor: Hashable, Codable, Sendable {
    /// Red.
    public var red: UInt8
    /// Green.
    public var green: UInt8
    /// Blue.
    public var blue: UInt8

    /// Makes a colour.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Pure white, the default background of JPEG tiles.
    public static let white = RGBColor(red: 255, green: 255, blue: 255)

    /// The colour as it is written in web pages: `#ffffff`.
    package var hex: String {
        let digits = Array("0123456789abcdef")
        return "#" + String([red, green, blue].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

/// A colour in sRGB with a tolerance: nodata, or the sheet of a drawing.
public struct ColorKey: Hashable, Codable, Sendable {
    /// Red, green and blue.
    public var channels: [UInt8]
    /// The largest difference in any channel that still counts as the colour: the noise of a scan.
    public var tolerance: Int

    /// Makes a colour of three channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, tolerance: Int = 0) {
        channels = [red, green, blue]
        self.tolerance = tolerance
    }
}

/// Encodes the pixels of tiles as image files. Each worker reuses one encoder from tile to tile.
///
/// The same pixels give the same bytes, independently of earlier tiles.
package protocol TileEncoder: AnyObject {
    /// Encodes a tile.
    func encode(_ pixels: TilePixels) throws -> [UInt8]
}

/// The finished pixels of one tile: square, RGBA, 8 bits, straight alpha, rows without gaps.
///
/// A pixel of alpha 0 is always (0, 0, 0, 0).
package struct TilePixels {
    /// Pixels along an edge.
    package var size: Int
    /// `size * size * 4` bytes, borrowed from the worker that rendered them.
    package var bytes: UnsafeBufferPointer<UInt8>
    /// Whether every alpha is 255.
    package var isOpaque: Bool

    /// Makes a tile of borrowed pixels.
    package init(size: Int, bytes: UnsafeBufferPointer<UInt8>, isOpaque: Bool) {
        self.size = size
        self.bytes = bytes
        self.isOpaque = isOpaque
    }
}
