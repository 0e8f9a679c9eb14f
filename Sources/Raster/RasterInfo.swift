package import Platform
package import Tiling

/// Information about an image before its pixels are read.
package struct RasterInfo: Hashable, Sendable {
    /// Columns of the image as it is stored.
    package var width: Int
    /// Rows of the image as it is stored.
    package var height: Int
    /// The page, if the image is one that is drawn.
    package var pageInfo: PageInfo?
    /// The format in which pixels are delivered.
    package var pixelFormat: PixelFormat
    /// The file's type and pixels, for people, such as `PNG, 8-bit palette, interlaced`.
    package var summary: String
    /// How to turn the stored image upright.
    package var orientation: Orientation
    /// Memory in bytes that the decoder itself needs, beyond a row: an interlaced PNG is decoded
    /// whole, a progressive JPEG keeps its coefficients.
    package var decoderBytes: Int
    /// Memory in bytes for each further task that reads at the same time.
    package var decoderBytesPerTask = 0
    /// The maximum number of tasks that read at the same time; others wait.
    package var mostTasks = 1
    /// Factors by which the image can perhaps be read smaller, in ascending order. With a factor of 4,
    /// squares of 4 x 4 pixels become one. For some files, only reading shows that they cannot be reduced.
    package var reductions: [Int] = []
    /// Whether a reduced image is stretched to the image's edges if the factor does not divide them.
    /// Otherwise its last column and row are made of fewer pixels.
    package var reductionsCoverEdges = false
    /// The number of pages of the file.
    package var pageCount = 1
    /// Samples per pixel in the file; nil if it has as many as the pixels that are delivered.
    package var fileBands: Int?
    /// Tags that do not concern pixels, such as those of georeferencing.
    package var fileTags = FileTags()
    /// The camera's position from the file's GPS tags, longitude and latitude in degrees.
    package var photoPlace: Point?
    /// The colours that the file declares; nil if it declares none.
    package var colorProfile: ColorProfile?
    /// Whether the file's compression loses detail, as JPEG does. Such a file is most likely a photograph.
    package var isLossy = false
    /// The approximate time to decode a pixel, in seconds.
    package var secondsPerPixel = 4e-9
    /// Warnings for the user.
    package var warnings: [Warning] = []
    /// How its pixels are decoded, if earlier versions of tilewright decoded such a file differently.
    package var decoding: String?
    /// The pixels per inch of its paper, as the file is stored; nil if the file does not state it.
    package var resolution: Resolution?
    /// The sample values that became 0 and 255; nil if they are the ends of the sample type's range.
    package var sampleRange: ClosedRange<Double>?

    /// The longest edge that is read, in pixels. Positions in an image are signed 32-bit numbers with
    /// 8 fractional bits, so they end at 2^23. Half of that is left for kernels that reach beyond the
    /// edge.
    package static let longestEdge = 1 << 22

    /// Makes a description.
    package init(
        width: Int, height: Int, pixelFormat: PixelFormat, summary: String,
        orientation: Orientation = .upright, decoderBytes: Int = 0
    ) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.summary = summary
        self.orientation = orientation
        self.decoderBytes = decoderBytes
    }

    /// Bytes of all pixels.
    package var pixelBytes: Int { width * height * pixelFormat.bytesPerPixel }

    /// All pixels.
    package var window: PixelWindow { PixelWindow(columns: 0..<width, rows: 0..<height) }

    /// Memory in bytes that the decoder needs if `tasks` tasks read at the same time.
    package func decoderBytes(tasks: Int) -> Int {
        decoderBytes + max(0, min(tasks, mostTasks) - 1) * decoderBytesPerTask
    }
}

/// The colours that a file declares, and their treatment.
package struct ColorProfile: Hashable, Sendable {
    /// The treatment of the colours.
    package enum Treatment: String, Sendable {
        /// They are sRGB, to within 1/255: nothing is done.
        case isSRGB = "sRGB"
        case converted
        /// Their numbers are taken as sRGB, because the user asked for it.
        case kept
    }

    /// The profile's name, or a description of the numbers if the file has no profile.
    package var description: String
    /// The treatment of the colours.
    package var treatment: Treatment

    /// Makes a description.
    package init(description: String, treatment: Treatment) {
        self.description = description
        self.treatment = treatment
    }
}

/// How a stored image is turned or mirrored to be seen upright: the values of EXIF and TIFF tag 274.
package enum Orientation: Int, Sendable {
    /// As stored.
    case upright = 1
    /// Mirrored left to right.
    case mirrored = 2
    /// Turned by 180 degrees.
    case halfTurn = 3
    /// Mirrored top to bottom.
    case flipped = 4
    /// Mirrored along the diagonal from the top left.
    case transposed = 5
    /// Turn the stored image by 90 degrees clockwise to show it.
    case quarterTurn = 6
    /// Mirrored along the diagonal from the top right.
    case transversed = 7
    /// Turn the stored image by 270 degrees clockwise to show it.
    case threeQuarterTurn = 8

    /// Whether the upright image's width is the stored image's height.
    package var swapsAxes: Bool { rawValue >= 5 }

    /// The transform from points of the upright image to points of the stored image, both in pixels
    /// from the top-left corner.
    package func storedFromUpright(storedWidth: Int, storedHeight: Int) -> AffineTransform {
        let (w, h) = (Double(storedWidth), Double(storedHeight))
        return switch self {
        case .upright: .identity
        case .mirrored: AffineTransform(a: -1, b: 0, c: w, d: 0, e: 1, f: 0)
        case .halfTurn: AffineTransform(a: -1, b: 0, c: w, d: 0, e: -1, f: h)
        case .flipped: AffineTransform(a: 1, b: 0, c: 0, d: 0, e: -1, f: h)
        case .transposed: AffineTransform(a: 0, b: 1, c: 0, d: 1, e: 0, f: 0)
        case .quarterTurn: AffineTransform(a: 0, b: 1, c: 0, d: -1, e: 0, f: h)
        case .transversed: AffineTransform(a: 0, b: -1, c: w, d: -1, e: 0, f: h)
        case .threeQuarterTurn: AffineTransform(a: 0, b: -1, c: w, d: 1, e: 0, f: 0)
        }
    }
}

/// Tags of a file that do not affect its pixels. They are passed unchanged to the code that needs them.
///
/// Tags are named by their TIFF numbers. A missing tag and an empty tag are the same.
package struct FileTags: Hashable, Sendable {
    /// The content of a tag.
    private enum Value: Hashable, Sendable {
        case numbers([Double])
        case text(String)
    }

    private struct Tag: Hashable, Sendable {
        var number: Int
        var value: Value
    }

    /// In the order of their numbers, so that equal tags are printed alike.
    private let tags: [Tag]

    /// Keeps the tags that are not empty.
    ///
    /// - Parameters:
    ///   - numbers: the values of tags that hold numbers, by the tags' numbers.
    ///   - texts: the values of tags that hold text. A tag is in one of the two dictionaries.
    package init(numbers: [Int: [Double]] = [:], texts: [Int: String] = [:]) {
        let all =
            numbers.filter { !$0.value.isEmpty }.map { Tag(number: $0, value: .numbers($1)) }
            + texts.filter { !$0.value.isEmpty }.map { Tag(number: $0, value: .text($1)) }
        tags = all.sorted { $0.number < $1.number }
    }

    /// The numbers of a tag; empty if it is missing or holds text.
    package func numbers(_ tag: Int) -> [Double] {
        guard case .numbers(let numbers) = value(of: tag) else { return [] }
        return numbers
    }

    /// The text of a tag; empty if it is missing or holds numbers.
    package func text(_ tag: Int) -> String {
        guard case .text(let text) = value(of: tag) else { return "" }
        return text
    }

    private func value(of tag: Int) -> Value? { tags.first { $0.number == tag }?.value }
}

/// An image without pixels of its own: a page of a document, which is drawn for any requested grid.
package struct PageInfo: Hashable, Sendable {
    /// A layer of the document.
    package struct Layer: Hashable, Sendable {
        /// Its name.
        package var name: String
        /// Whether it is shown.
        package var isShown: Bool
        /// Its state in a CAD drawing, in a word or two, such as `frozen`.
        package var state: String?

        /// Describes a layer.
        package init(_ name: String, isShown: Bool, state: String? = nil) {
            (self.name, self.isShown, self.state) = (name, isShown, state)
        }
    }

    /// Columns and rows of the image, not necessarily whole numbers: the page's edges cut the last pixels.
    package var size: Point
    /// Width and height of the page in millimetres.
    package var millimetres: Point
    /// Pixels per inch in which positions on the image are given.
    package var resolution: Double
    /// Columns and rows of the picture, if the page consists of a single picture.
    package var picture: Point?
    /// The layers of the document.
    package var layers: [Layer] = []
    /// The layout of a CAD drawing that the page shows.
    package var layout: String?
    /// All layouts of a CAD drawing.
    package var layouts: [String] = []
    /// The edge of a pixel on the ground in metres, as the scale of a CAD drawing states it.
    package var metresPerPixel: Double?
    /// The colour of the sheet, if the page first fills itself with one colour.
    package var sheetColor: RGBColor?

    /// Describes a page.
    package init(size: Point, millimetres: Point, resolution: Double) {
        (self.size, self.millimetres, self.resolution) = (size, millimetres, resolution)
    }
}

/// How many pixels an image has to the inch of its paper.
package struct Resolution: Hashable, Sendable {
    /// Columns per inch.
    package let across: Double
    /// Rows per inch.
    package let down: Double

    /// Metres in an inch.
    package static let metresPerInch = 0.0254

    /// Describes a resolution in pixels per inch; nil if a number is not positive.
    package init?(across: Double, down: Double) {
        guard across > 0, down > 0, across.isFinite, down.isFinite else { return nil }
        (self.across, self.down) = (across, down)
    }
}
