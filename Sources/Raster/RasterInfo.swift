package import Platform
package import Tiling

/// What is known of an image before its pixels are read.
package struct RasterInfo: Hashable, Sendable {
    /// Columns of the image as it is stored.
    package var width: Int
    /// Rows of the image as it is stored.
    package var height: Int
    /// The page, if the image is one that is drawn.
    package var pageInfo: PageInfo?
    /// The format in which pixels are delivered.
    package var pixelFormat: PixelFormat
    /// The file's type and pixels in words for people, as `PNG, 8-bit palette, interlaced`.
    package var summary: String
    /// How to turn the stored image upright.
    package var orientation: Orientation
    /// Memory in bytes that the decoder itself needs, beyond a row: an interlaced PNG is decoded
    /// whole, a progressive JPEG keeps its coefficients.
    package var decoderBytes: Int
    /// Memory in bytes for each further task that reads at the same time.
    package var decoderBytesPerTask = 0
    /// The most tasks that read at the same time; others wait.
    package var mostTasks = 1
    /// Factors by which the image can perhaps be read smaller, in ascending order. By a factor of 4,
    /// squares of 4 x 4 pixels become one. Some files turn out only when they are read so that they
    /// cannot.
    package var reductions: [Int] = []
    /// Whether a reduced image is stretched to the image's edges if the factor does not divide them.
    /// Otherwise its last column and row stand for fewer pixels.
    package var reductionsCoverEdges = false
    /// The number of pages of the file.
    package var pageCount = 1
    /// Samples per pixel in the file; nil if it has as many as the pixels that are delivered.
    package var fileBands: Int?
    /// Tags that do not concern pixels, such as those that say where the image lies.
    package var fileTags = FileTags()
    /// Where a camera says that it stood, longitude and latitude in degrees.
    package var photoPlace: Point?
    /// What the file says about its colours; nil if it says nothing.
    package var colorProfile: ColorProfile?
    /// Whether the file's compression loses detail, as JPEG does. Such a file is most likely a photograph.
    package var isLossy = false
    /// About how long decoding a pixel takes, in seconds.
    package var secondsPerPixel = 4e-9
    /// What is not an error, and what the user should know.
    package var warnings: [Warning] = []
    /// How its pixels are decoded, if that is not what earlier versions of this program did with such a file.
    package var decoding: String?
    /// The pixels per inch of its paper, as the file is stored; nil if it does not say it.
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

    /// All pixels.
    package var window: PixelWindow { PixelWindow(columns: 0..<width, rows: 0..<height) }

    /// Memory in bytes that the decoder needs if `tasks` tasks read at the same time.
    package func decoderBytes(tasks: Int) -> Int {
        decoderBytes + max(0, min(tasks, mostTasks) - 1) * decoderBytesPerTask
    }
}

/// What a file says about its colours, and what is done with them.
package struct ColorProfile: Hashable, Sendable {
    /// What is done with the colours.
    package enum Treatment: String, Sendable {
        /// They are sRGB, to within 1/255: nothing is done.
        case isSRGB = "sRGB"
        /// They are converted to sRGB.
        case converted
        /// Their numbers are taken as sRGB, because the user asked for it.
        case kept
    }

    /// The profile's name, or a description of the numbers if the file has no profile.
    package var description: String
    /// What is done with the colours.
    package var treatment: Treatment

    /// Makes a description.
    package init(description: String, treatment: Treatment) {
        self.description = description
        self.treatment = treatment
    }
}
