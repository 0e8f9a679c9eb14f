import Tiling
package import Platform
public import Raster
public import Resampling

/// What to build of images: zooms, tiles and kernels.
public struct PyramidRequest: Hashable, Codable, Sendable {
    /// Pixels along a tile's edge. A tile's address does not depend on it.
    public enum TileSize: Int, CaseIterable, Codable, Sendable {
        /// 256 pixels.
        case standard = 256
        /// 512 pixels, for displays of high density.
        case double = 512
    }

    /// What happens to a wholly transparent tile.
    public enum EmptyTiles: String, CaseIterable, Codable, Sendable {
        /// It is not written.
        case skip
        /// It is written like any other.
        case write
    }

    /// How the zooms below the maximum are made of pages that are drawn.
    public enum Overviews: String, CaseIterable, Codable, Sendable {
        /// They are drawn, unless a page is nothing but a picture.
        case auto
        /// Each is drawn anew, if all images are drawn.
        case drawn
        /// Each is halved from the next finer one, as those of images are.
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
    /// A GeoJSON file of polygons in longitude and latitude: what lies outside of all of them is
    /// transparent. Their edges are anti-aliased at the maximum zoom, and hard under `nearest` and `mode`.
    public var cutline: String?
    /// The kernel at the maximum zoom; nil for `area` if tiles are lossless and the image is not clearly
    /// enlarged, and else for `cubic`.
    public var resampling: ResamplingMethod?
    /// The kernel for the zooms below it; nil for area if tiles are lossless, cubic if not; nearest and
    /// mode are used again.
    public var overviewResampling: ResamplingMethod?
    /// What happens to wholly transparent tiles.
    public var empty: EmptyTiles = .skip
    /// How the zooms below the maximum are made of pages that are drawn; images of pixels are always halved.
    public var overviews: Overviews = .auto

    /// Asks for a pyramid.
    public init(zoom: ZoomRange = ZoomRange(), encoding: TileEncoding = TileEncoding()) {
        self.zoom = zoom
        self.encoding = encoding
    }

    /// What lies behind the image: JPEG has no transparency.
    package var effectiveBackground: RGBColor? {
        background ?? (encoding.format == .jpeg ? .white : nil)
    }

    /// The files that it names.
    package var files: [String] { cutline.map { [$0] } ?? [] }

    /// Refuses what contradicts itself.
    ///
    /// - Throws: `.usage`.
    package func check() throws(Failure) {
        try zoom.check()
        try encoding.check()
        if background != nil, encoding.format == .auto {
            throw Failure(
                .usage,
                "--background leaves no tile transparent, so that all would be JPEG; say --format jpeg")
        }
    }
}
