/// What can lie on a map: a finished tileset, or an image with its place.
public enum MapContent: Sendable {
    /// The tiles of a tileset.
    case tileset(StoredTileset)
    /// The pixels of an image.
    case image(PlacedImage)
}
