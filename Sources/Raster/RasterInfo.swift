/// What is known of an image before its pixels are read.
package struct RasterInfo: Hashable, Sendable {
    /// Columns of the image as it is stored.
    package var width: Int
    /// Rows of the image as it is stored.
    package var height: Int
    /// The form in which rows are delivered.
    package var pixelFormat: PixelFormat
    /// The file's type and pixels in words for people, as `PNG, 8-bit palette, interlaced`.
    package var summary: String
    /// How the stored image is turned to be seen upright.
    package var orientation: Orientation
    /// Memory in bytes that the decoder itself needs, beyond a row: an interlaced PNG is decoded
    /// whole, a progressive JPEG keeps its coefficients.
    package var decoderBytes: Int
    /// Memory in bytes that each further task takes that reads at the same time.
    package var decoderBytesPerTask = 0
    /// Tasks that read at the same time, at most; others wait.
    package var mostTasks = 1
    /// Factors by which the image can also be read smaller, each pixel made of a square of so many,
    /// in ascending order; perhaps, for some files tell only then whether they can.
    package var reductions: [Int] = []
    /// Whether the image, read smaller, is stretched to the image's edges where the factor does not
    /// divide them, instead of having a last column and row that stand for fewer pixels.
    package var reductionsCoverEdges = false
    /// Samples per pixel in the file; nil where those of a pixel as it is delivered are all.
    package var fileBands: Int?
    /// Tags that are no concern of pixels, such as those that say where the image lies.
    package var fileTags = FileTags()
    /// What the file says that its colours are.
    package var colorProfile: ColorProfile?
    /// Whether the file's compression gives up detail, as JPEG does: it is a photograph then, most likely.
    package var isLossy = false
    /// Things that are not errors and that the user should know, each in a line.
    package var warnings: [String] = []
    /// The sample values that became 0 and 255, where those are not the ends of the file's type.
    package var sampleRange: ClosedRange<Double>?

    /// The longest edge that is read, in pixels. Positions in an image are 32-bit numbers with 8
    /// fractional bits and a sign, so that they end at 2^23; as much again is left for kernels that
    /// reach beyond the edge.
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

    /// Memory in bytes that the decoder needs where so many tasks want to read at the same time.
    package func decoderBytes(tasks: Int) -> Int {
        decoderBytes + max(0, min(tasks, mostTasks) - 1) * decoderBytesPerTask
    }
}
