public import Codecs
import Platform
public import Raster
public import Rendering

/// The options for the picture of a view.
public struct SnapshotRequest: Hashable, Sendable {
    /// The file type of a picture.
    public enum Format: Hashable, Sendable {
        /// Lossless, with transparency; the level is the effort for a small file.
        case png(PNGLevel = .standard)
        /// Without transparency; the quality is 1 to 100, the level the effort for a small file.
        case jpeg(quality: Int = 85, JPEGLevel = .standard)
    }

    /// The file type.
    public var format: Format
    /// The colour behind everything; nil for none, and for white under JPEG.
    public var background: RGBColor?
    /// A GeoJSON file of polygons, outside of which images are transparent; see `PyramidRequest.cutline`. It
    /// does not apply to tilesets.
    public var cutline: String?
    /// The kernel that images are drawn with; nil for `area`. Tilesets are averaged.
    public var resampling: ResamplingMethod?
    /// The resources that may be used.
    public var resources = BuildResources()

    /// Asks for a picture.
    public init(_ format: Format = .png()) { self.format = format }

    /// The colour behind everything, white for JPEG if none was given: JPEG has no transparency.
    var effectiveBackground: RGBColor? {
        if background == nil, case .jpeg = format { return .white }
        return background
    }

    /// The kernels and the background of the plan.
    var options: PyramidOptions {
        let resampling = resampling ?? .area
        return PyramidOptions(
            zooms: 0...0, tileSize: 256, resampling: resampling,
            overviewResampling: resampling, background: effectiveBackground)
    }

    /// The resources of the drawing.
    ///
    /// - Parameter picture: the bytes of the picture, which is in memory at the same time.
    func pyramidResources(of images: [PlacedImage], besides picture: Int) -> PyramidResources {
        PyramidResources(
            jobs: resources.effectiveJobs, memory: max(1, resources.pixelMemory(of: images) - picture),
            scratchDirectory: resources.scratchDirectory ?? ".")
    }

    /// Bytes for a pixel of the picture. The picture itself takes four. PNG takes one for the index of a
    /// colour, and four each for a stream and a file that do not shrink; if several filters are tried, four
    /// each for pixels in the file's order and for filtered ones. JPEG takes one for the file; if several
    /// forms are tried, another one, and six for coefficients.
    private var bytesPerPixel: Int {
        switch format {
        case .png(.standard): 13
        case .png: 21
        case .jpeg(_, .standard): 5
        case .jpeg: 12
        }
    }

    /// Bytes that any picture may take, whatever `--memory` is: those of a view of 390 x 844 points at twice
    /// the density.
    private static let smallPicture = 32 << 20

    /// Refuses contradictions, and pictures that are too large.
    ///
    /// - Throws: `.usage`.
    func check(width: Int, height: Int) throws(Failure) {
        try resources.check()
        if case .jpeg(let quality, _) = format, !(1...100 ~= quality) {
            throw Failure(.usage, "--quality \(quality) is not between 1 and 100")
        }
        let longestEdge = if case .jpeg = format { 65_500 } else { Int(Int32.max) }
        guard max(width, height) <= longestEdge else {
            throw Failure(
                .usage,
                "the view has \(width) x \(height) pixels, but JPEG has at most \(longestEdge) along an edge",
                remedy: "ask for a PNG file, or for a smaller --size")
        }
        let bytes = Double(width) * Double(height) * Double(bytesPerPixel)
        guard bytes > Double(max(resources.memory, Self.smallPicture)) else { return }
        throw Failure(
            .usage,
            "the view has \(width) x \(height) pixels: its picture takes "
                + "\(Int(min(bytes, 1e18)).byteText) of memory, but --memory allows "
                + resources.memory.byteText, remedy: "ask for a smaller --size, or raise --memory")
    }

    /// Encodes a picture, which cannot be used afterwards.
    func encode(_ picture: ViewPicture) throws -> [UInt8] {
        let (width, height) = (picture.width, picture.height)
        return switch format {
        case .png(.standard):
            try picture.consume { try PNGImage.encode(consuming: $0, width: width, height: height) }
        case .png(let level):
            try picture.withRGBA {
                try PNGImage.encode(rgba: $0, width: width, height: height, level: level)
            }
        case .jpeg(let quality, let level):
            try picture.withRGBA {
                try JPEGImage.encode(rgba: $0, width: width, height: height, quality: quality, level: level)
            }
        }
    }
}

/// The output file of a view's picture.
public struct SnapshotFile: Sendable {
    /// Its path.
    public let path: String

    /// Whether it is a JPEG file; else it is a PNG file.
    public let isJPEG: Bool

    /// Names a file.
    ///
    /// - Parameters:
    ///   - path: ends in `.png`, `.jpg` or `.jpeg`.
    ///   - contents: the content of the view, which is not overwritten.
    ///   - others: other input files: lists that named images, a cutline.
    /// - Throws: a `Failure`: `usage` if the name has another ending or is that of an input, `outputRefused`
    ///   if no file can be written there.
    public init(_ path: String, of contents: [MapContent], others: [String] = []) throws {
        let name = path.lowercased()
        isJPEG = name.hasSuffix(".jpg") || name.hasSuffix(".jpeg")
        guard isJPEG || name.hasSuffix(".png") else {
            throw Failure(
                .usage, cannot: "write '\(path)'", "a snapshot is a PNG or JPEG file",
                remedy: "choose a name that ends in .png or .jpg")
        }
        var images: [ImageRequest] = []
        for content in contents {
            switch content {
            case .tileset(let tileset): try OutputPicture.check(path, isOutside: tileset)
            case .image(let image): images.append(image.request)
            }
        }
        try OutputPicture.check(path, isNoneOf: images, others: others)
        try OutputFile.checkPlace(path)
        self.path = path
    }

    /// The folder of a file.
    public var folder: String { path.parentDirectory }

    /// The file type for a request.
    ///
    /// - Parameters:
    ///   - quality: the quality of JPEG; nil for 85.
    ///   - pngLevel: the effort to make PNG small; nil for `standard`.
    ///   - jpegLevel: the effort to make JPEG small; nil for `standard`.
    /// - Throws: `.usage` if a value does not apply to the type.
    public func format(
        quality: Int? = nil, pngLevel: PNGLevel? = nil, jpegLevel: JPEGLevel? = nil
    ) throws -> SnapshotRequest.Format {
        var encoding = TileEncoding(isJPEG ? .jpeg : .png, quality: quality)
        encoding.pngLevel = pngLevel
        encoding.jpegLevel = jpegLevel
        try encoding.check()
        return isJPEG
            ? .jpeg(quality: encoding.effectiveQuality, encoding.effectiveJPEGLevel)
            : .png(encoding.effectivePNGLevel)
    }

    /// Writes the picture, whole or not at all; replaces an existing file.
    ///
    /// - Throws: a `Failure`: `outputRefused` if the file cannot be made, `inputOutput` if writing fails.
    public func write(_ bytes: [UInt8]) throws { try OutputFile.write(bytes, to: path) }
}
