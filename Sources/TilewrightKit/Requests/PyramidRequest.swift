package import Platform
public import Raster
public import Rendering
import Tiling

/// The pyramid to build of images: zooms, tiles and kernels.
public struct PyramidRequest: Hashable, Codable, Sendable {
    /// Pixels along a tile's edge. A tile's address does not depend on it.
    public enum TileSize: Int, CaseIterable, Codable, Sendable {
        /// 256 pixels.
        case standard = 256
        /// 512 pixels, for displays of high density.
        case double = 512
    }

    /// The treatment of transparent tiles.
    public enum EmptyTiles: String, CaseIterable, Codable, Sendable {
        /// They are not written.
        case skip
        /// They are written like others.
        case write
    }

    /// The ways to make drawn pages' zooms below the maximum.
    public enum Overviews: String, CaseIterable, Codable, Sendable {
        /// They are drawn, unless a page is only a picture.
        case auto
        /// Each is drawn again, if all images are drawn.
        case drawn
        /// Each is halved from the next finer one, as for images.
        case halved
    }

    /// The zooms; by default from the overview to the native zoom.
    public var zoom: ZoomRange
    /// Pixels along a tile's edge.
    public var tileSize: TileSize = .standard
    /// The file type of the tiles.
    public var encoding: TileEncoding
    /// The colour behind the image; nil for none, and for white under JPEG.
    public var background: RGBColor?
    /// A GeoJSON file of polygons in longitude and latitude, outside of which everything is transparent.
    /// Their edges are anti-aliased at the maximum zoom, and hard under `nearest` and `mode`.
    public var cutline: String?
    /// The kernel at the maximum zoom; nil for `area` if tiles are lossless and the image is not clearly
    /// enlarged, else for `cubic`.
    public var resampling: ResamplingMethod?
    /// The kernel for the zooms below; nil for `area` if tiles are lossless, else `cubic`; `nearest` and
    /// `mode` are used for these zooms, too.
    public var overviewResampling: ResamplingMethod?
    /// The treatment of transparent tiles.
    public var empty: EmptyTiles = .skip
    /// The making of drawn pages' zooms below the maximum; images of pixels are always halved.
    public var overviews: Overviews = .auto

    /// Asks for a pyramid.
    public init(zoom: ZoomRange = ZoomRange(), encoding: TileEncoding = TileEncoding()) {
        self.zoom = zoom
        self.encoding = encoding
    }

    /// The colour behind the image: white for JPEG, which has no transparency, if none was given.
    package var effectiveBackground: RGBColor? {
        background ?? (encoding.format == .jpeg ? .white : nil)
    }

    /// The files that the request names.
    package var files: [String] { cutline.map { [$0] } ?? [] }

    /// Refuses contradictions.
    ///
    /// - Throws: `.usage`.
    package func check() throws(Failure) {
        try zoom.check()
        try encoding.check()
        if background != nil, encoding.format == .auto {
            throw Failure(
                .usage,
                "with --background all tiles are opaque, so auto would make only JPEG: use --format jpeg")
        }
    }
}

/// The requested zooms; an end that is nil depends on the image.
public struct ZoomRange: Hashable, Codable, Sendable {
    /// The lowest zoom; nil for the overview, the highest zoom at which the image fits into a tile.
    public var minimum: Int?
    /// The highest zoom; nil for the native zoom, whose pixels are nearest in size to the image's.
    public var maximum: Int?

    /// The zooms that exist: at 30 a tile is 4 cm wide.
    package static let possible = 0...30

    /// A range of zooms, each between 0 and 30.
    public init(_ zooms: ClosedRange<Int>) {
        precondition(Self.possible.contains(zooms.lowerBound) && Self.possible.contains(zooms.upperBound))
        (minimum, maximum) = (zooms.lowerBound, zooms.upperBound)
    }

    /// A range of zooms, each between 0 and 30, whose ends may be open.
    public init(minimum: Int? = nil, maximum: Int? = nil) {
        (self.minimum, self.maximum) = (minimum, maximum)
    }

    /// A single zoom.
    public init(zoom: Int) { self.init(zoom...zoom) }

    /// Reads `16-22`, `18`, `16-` or `-20`.
    ///
    /// - Throws: a `Failure` of kind `usage` that quotes the text.
    public init(parsing text: String) throws {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }) else {
            throw Self.failure(text, "is not a zoom range")
        }
        minimum = try Self.zoom(parts[0], of: text)
        maximum = try Self.zoom(parts[parts.count - 1], of: text)
        try check(quoted: text)
    }

    /// Refuses an empty range, and zooms that do not exist.
    ///
    /// - Parameter quoted: the range as the user wrote it; nil if it was not written.
    /// - Throws: `.usage`.
    func check(quoted: String? = nil) throws(Failure) {
        let text = quoted ?? [minimum, maximum].map { $0.map(String.init) ?? "" }.joined(separator: "-")
        guard [minimum, maximum].allSatisfy({ $0.map(Self.possible.contains) ?? true }) else {
            throw Self.failure(text, "is not within 0-30")
        }
        if let minimum, let maximum, minimum > maximum {
            throw Self.failure(text, "ends before it begins")
        }
    }

    /// The zooms to build for an image.
    ///
    /// - Parameters:
    ///   - native: the image's own zoom.
    ///   - overview: the zoom at which the image fits into a tile.
    func zooms(native: Int, overview: Int) -> ClosedRange<Int> {
        let highest = maximum ?? max(native, minimum ?? native)
        return (minimum ?? min(overview, highest))...highest
    }

    private static func zoom(_ part: Substring, of text: String) throws -> Int? {
        if part.isEmpty { return nil }
        guard let zoom = Int(part) else { throw failure(text, "is not a zoom range") }
        return zoom
    }

    private static func failure(_ text: String, _ reason: String) -> Failure {
        Failure(
            .usage, "the zoom '\(text)' \(reason)",
            remedy: "give 16-22, 18, 16- (up to the native zoom) or -20 (from the overview)")
    }
}
