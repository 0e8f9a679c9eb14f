// __IF_LOCAL__
/// Tiles in the app: a picture comes at once. nil means "not now": the map asks again.
// __END_LOCAL__
// __IF_FAR__
/// Tiles on a server: a picture comes later. nil means "not now": the map asks again.
// __END_FAR__
nonisolated private final class Layer: __LAYER__ {
    private let archive: TileArchive
    private let lastZoom: Int

    init(_ archive: TileArchive, enlargedTo end: Int) { (self.archive, lastZoom) = (archive, end) }

    // __IF_LOCAL__
    override func tileFor(x: UInt, y: UInt, zoom: UInt) -> UIImage? {
        do {
            let picture = try archive.pictureNow(
                zoom: Int(zoom), column: Int(x), row: Int(y), enlargedTo: lastZoom)
            return picture.map { UIImage(cgImage: $0) } ?? kGMSTileLayerNoTile
        } catch { return nil }
    }
    // __END_LOCAL__
    // __IF_FAR__
    override func requestTileFor(x: UInt, y: UInt, zoom: UInt, receiver: any GMSTileReceiver) {
        nonisolated(unsafe) let receiver = receiver
        Task { [archive, lastZoom] in
            var image: UIImage?
            do {
                let picture = try await archive.picture(
                    zoom: Int(zoom), column: Int(x), row: Int(y), enlargedTo: lastZoom)
                image = picture.map { UIImage(cgImage: $0) } ?? kGMSTileLayerNoTile
            } catch {}
            await MainActor.run { [image] in receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: image) }
        }
    }
    // __END_FAR__
}
