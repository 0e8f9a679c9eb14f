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

    /// Whether its luma (Rec. ITU-R BT.709) is below a half.
    package var isDark: Bool {
        0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue) < 127.5
    }

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

/// How the samples of a file become pixels.
package struct ReadOptions: Hashable, Sendable {
    /// 1, or one of the file's `RasterInfo.reductions`: 4 means that squares of 4 x 4 pixels are read
    /// as one.
    package var reduction: Int
    /// The bands to take, counted from 1: gray, or red, green and blue, each perhaps with alpha; nil
    /// for the file's own.
    package var bands: [Int]?
    /// The values that become 0 and 255; nil for the range of the file's sample type or data.
    package var range: SampleRange?
    /// The nodata value of samples, if something other than the file gives one.
    package var nodata: Double?
    /// The scale of samples, if something other than the file gives one.
    package var scale: SampleScale?
    /// Whether numbers are taken as sRGB, whatever colours the file declares.
    package var keepsColors: Bool

    /// Makes options. By default the file decides.
    package init(
        reduction: Int = 1, bands: [Int]? = nil, range: SampleRange? = nil,
        nodata: Double? = nil, scale: SampleScale? = nil, keepsColors: Bool = false
    ) {
        self.reduction = reduction
        self.bands = bands
        self.range = range
        self.nodata = nodata
        self.scale = scale
        self.keepsColors = keepsColors
    }
}

/// The sample values that become black and white.
public struct SampleRange: Hashable, Codable, Sendable {
    /// A value, or a share of the samples.
    public enum End: Hashable, Codable, Sendable {
        /// A sample value.
        case value(Double)
        /// The smallest value that this percentage of the samples does not exceed; transparent pixels are not
        /// counted.
        case percent(Double)
    }

    /// The end that becomes black.
    public var black: End
    /// The end that becomes white.
    public var white: End

    /// Makes a range.
    public init(_ black: End, _ white: End) { (self.black, self.white) = (black, white) }

    /// Makes a range of two values.
    public init(_ values: ClosedRange<Double>) {
        self.init(.value(values.lowerBound), .value(values.upperBound))
    }

    /// The values; nil if an end must be found in the data first.
    package var values: ClosedRange<Double>? {
        guard case .value(let black) = black, case .value(let white) = white, black <= white else {
            return nil
        }
        return black...white
    }
}

/// The value of a sample: its number times a factor, and an offset. Heights are often stored this way.
package struct SampleScale: Hashable, Sendable {
    /// Samples are values already.
    package static let identity = SampleScale()

    private var factor = 1.0
    private var offset = 0.0

    private init() {}

    /// Makes a scale; nil if a number is not finite, or the factor is 0.
    package init?(factor: Double, offset: Double) {
        guard factor.isFinite, offset.isFinite, factor != 0 else { return nil }
        (self.factor, self.offset) = (factor, offset)
    }

    /// The values of samples of a range.
    package func values(of samples: ClosedRange<Double>) -> ClosedRange<Double> {
        let ends = [samples.lowerBound, samples.upperBound].map(value)
        return min(ends[0], ends[1])...max(ends[0], ends[1])
    }

    /// The value of a sample.
    package func value(of sample: Double) -> Double { sample * factor + offset }

    /// Whether larger samples are smaller values.
    package var isFalling: Bool { factor < 0 }

    /// The sample of a value.
    package func sample(of value: Double) -> Double { (value - offset) / factor }
}
