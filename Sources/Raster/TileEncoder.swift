/// Turns the pixels of tiles into the bytes of image files; one per worker, reused from tile to tile.
///
/// The same pixels give the same bytes, whatever was encoded before.
package protocol TileEncoder: AnyObject {
    /// Encodes a tile.
    func encode(_ pixels: TilePixels) throws -> [UInt8]
}
