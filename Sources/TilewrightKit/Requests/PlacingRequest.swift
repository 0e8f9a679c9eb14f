public import Tiling

/// What a page shows in which an image, or the floors of a manifest, are laid on the map by hand.
public struct PlacingRequest: Hashable, Sendable {
    /// The map under everything.
    public enum Background: Hashable, Sendable {
        /// The one of OpenStreetMap.
        case openStreetMap
        /// An address of tiles with `{z}`, `{x}` and `{y}`.
        case tiles(String)
        /// None: the page asks nobody for anything.
        case none
    }

    /// The image, with or without a position, or a manifest.
    public var image: String
    /// The only floor of the manifest that is placed, as `Manifest.floor(_:)` takes it; nil for all.
    public var floor: String?
    /// The page of a TIFF, or the ground overlay of a KMZ, counted from 1; nil for the first one.
    public var page: Int?
    /// Where the page goes that is written; nil for `plan.html` beside `plan.png`.
    public var output: String?
    /// Where the map begins, longitude and latitude in degrees; nil for where the image lies, where its camera
    /// stood, or what lies under it.
    public var near: Point?
    /// What to align with, the later over the earlier: tilesets, GeoJSON files, and images with a position.
    public var layers: [String] = []
    /// The most tiles that one of these tilesets may have.
    public var maxTiles = BuildResources.standardMaxTiles
    /// The map under everything.
    public var background = Background.openStreetMap
    /// The longer edge of a picture in the page, at most, in pixels; nil for the standard edge, or less if the
    /// pictures of all floors make the page too large.
    public var longestEdge: Int?
    /// A folder with `leaflet.js` and `leaflet.css`, to put into the page; nil to load them from the web.
    public var assets: String?
    /// The address of a server that takes what is saved, relative to the page; nil if the browser saves it.
    package var savingAddress: String?

    /// As large as browsers draw quickly, also on phones.
    public static let standardEdge = 4096

    /// Asks for a page.
    ///
    /// - Parameter image: a file of an image, or a manifest.
    public init(_ image: String) { self.image = image }
}

extension PlacingRequest {
    /// The image, if it is not a manifest.
    var imageRequest: ImageRequest {
        var request = ImageRequest(image)
        request.page = page
        return request
    }
}
