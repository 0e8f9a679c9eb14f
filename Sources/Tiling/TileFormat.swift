/// The file type of a tileset's tiles.
public enum TileFormat: String, CaseIterable, Sendable {
    /// PNG, lossless.
    case png
    /// JPEG, opaque.
    case jpeg
    /// WebP, lossy or lossless.
    case webp
    /// JPEG where a tile is opaque, PNG where it is not, under one extension.
    case auto

    /// The extension of the tiles' names, without a dot: `jpg`, because mb-util and PMTiles know only
    /// that.
    public var fileExtension: String {
        switch self {
        case .png, .auto: "png"
        case .jpeg: "jpg"
        case .webp: "webp"
        }
    }

    /// The media types that tiles have, the one of the extension first.
    public var mediaTypes: [String] {
        switch self {
        case .png: ["image/png"]
        case .jpeg: ["image/jpeg"]
        case .webp: ["image/webp"]
        case .auto: ["image/png", "image/jpeg"]
        }
    }
}
