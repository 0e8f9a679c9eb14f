// __TITLE__: map tiles for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__

import GoogleMaps
import UIKit

/// Tiles that lie over the map where they exist, and nothing elsewhere.
final class __NAME__: GMSTileLayer {
    /// The tiles that exist, per zoom: columns from the west, rows from the north.
    private static let limits: [(zoom: UInt, columns: ClosedRange<UInt>, rows: ClosedRange<UInt>)] =
        [
            __LIMITS__
        ]

    /// Where the tiles lie, for the camera: `mapView.moveCamera(.fit(__NAME__.bounds))`.
    static let bounds = GMSCoordinateBounds(
        coordinate: CLLocationCoordinate2D(latitude: __SOUTH__, longitude: __WEST__),
        coordinate: CLLocationCoordinate2D(latitude: __NORTH__, longitude: __EAST__))

    /// Lays the tiles over a map. Keep what it returns: `clearTileCache()` of it shows new tiles
    /// after an update, `map = nil` takes them off.
    ///
    /// Beyond zoom __MAX_ZOOM__ nothing is drawn: `mapView.setMinZoom(_:maxZoom:)` keeps it in view.
    @discardableResult
    static func add(to mapView: GMSMapView) -> __NAME__ {
        let layer = __NAME__()
        // __SIZE_NOTE__
        layer.tileSize = __TILE_SIZE__
        layer.opacity = 1
        layer.zIndex = 100
        layer.map = mapView
        return layer
    }

    override func requestTileFor(
        x: UInt, y: UInt, zoom: UInt, receiver: any GMSTileReceiver
    ) {
        guard Self.hasTile(x: x, y: y, zoom: zoom), let url = Self.url(x: x, y: y, zoom: zoom)
        else {
            // "Never": the map does not ask again.
            receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: kGMSTileLayerNoTile)
            return
        }
        nonisolated(unsafe) let receiver = receiver
        URLSession.shared.dataTask(with: url) { data, response, _ in
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            DispatchQueue.main.async {
                // A tile that is missing was transparent; any other fault is "not now", which nil
                // says: the map asks again.
                let image =
                    [403, 404, 410].contains(status)
                    ? kGMSTileLayerNoTile : data.flatMap { UIImage(data: $0) }
                receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: image)
            }
        }.resume()
    }

    private static func hasTile(x: UInt, y: UInt, zoom: UInt) -> Bool {
        limits.contains { $0.zoom == zoom && $0.columns ~= x && $0.rows ~= y }
    }

    private static func url(x: UInt, y: UInt, zoom: UInt) -> URL? {
        URL(string: __URL__)
    }
}
__QUADKEY__
