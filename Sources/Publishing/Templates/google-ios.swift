// __TITLE__ for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__

import GoogleMaps
// __IF_TILES__
import ImageIO
import UIKit

/// Tiles over the map. Where there is no tile, the map shows through.
///
///     __NAME__.add(to: mapView)
///     __NAME__.showAll(in: mapView)
///     __NAME__.limitCamera(of: mapView)
final class __NAME__: GMSTileLayer {
    /// The tiles that exist, per zoom: columns from the west, rows from the north.
    private static let limits: [(zoom: UInt, columns: ClosedRange<UInt>, rows: ClosedRange<UInt>)] =
        [
            __LIMITS__
        ]

    /// The area of the tiles, for the camera: `mapView.moveCamera(.fit(__NAME__.bounds))`.
    static let bounds = GMSCoordinateBounds(
        coordinate: CLLocationCoordinate2D(latitude: __SOUTH__, longitude: __WEST__),
        coordinate: CLLocationCoordinate2D(latitude: __NORTH__, longitude: __EAST__))

    /// Adds the tiles to a map. Keep the returned layer: after an update, its `clearTileCache()` shows new
    /// tiles; `map = nil` removes it.
    ///
    /// From zoom __MAX_ZOOM__ up to __ENLARGE_TO__ tiles are enlarged; beyond that nothing is drawn.
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

    /// Sets the camera that shows all tiles on a phone held upright.
    @MainActor
    static func showAll(in mapView: GMSMapView) {
        mapView.camera = GMSCameraPosition(
            latitude: __CAMERA_LATITUDE__, longitude: __CAMERA_LONGITUDE__, zoom: __CAMERA_ZOOM__)
    }

    /// Limits the camera to the zooms and the area of the tiles. Leave it out if the map shows more than
    /// these tiles.
    @MainActor
    static func limitCamera(of mapView: GMSMapView) {
        mapView.setMinZoom(__CAMERA_MIN_ZOOM__, maxZoom: __CAMERA_MAX_ZOOM__)
        // __IF_CAMERA_BOUNDS__
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView.cameraTargetBounds = bounds
        // __END_CAMERA_BOUNDS__
    }

    override func requestTileFor(
        x: UInt, y: UInt, zoom: UInt, receiver: any GMSTileReceiver
    ) {
        // Beyond the last zoom with tiles, an ancestor tile is enlarged.
        let steps = zoom - min(zoom, __MAX_ZOOM__)
        let (column, row, level) = (x >> steps, y >> steps, zoom - steps)
        guard zoom <= __ENLARGE_TO__, Self.hasTile(x: column, y: row, zoom: level),
            let url = Self.url(x: column, y: row, zoom: level)
        else {
            // "Never": the map does not ask again.
            receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: kGMSTileLayerNoTile)
            return
        }
        nonisolated(unsafe) let receiver = receiver
        // A copy in the URL cache serves the other parts of an ancestor.
        URLSession.shared.dataTask(with: url) { data, response, _ in
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            // A missing tile is transparent. After any other error, nil means "not now": the map asks again.
            let image =
                [403, 404, 410].contains(status)
                ? kGMSTileLayerNoTile : data.flatMap { Self.image($0, x: x, y: y, steps: steps) }
            DispatchQueue.main.async {
                receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: image)
            }
        }.resume()
    }

    private static func image(_ file: Data, x: UInt, y: UInt, steps: UInt) -> UIImage? {
        if steps == 0 { return UIImage(data: file) }
        return enlarged(file, x: Int(x), y: Int(y), steps: Int(steps)).map { UIImage(cgImage: $0) }
    }

    private static func hasTile(x: UInt, y: UInt, zoom: UInt) -> Bool {
        limits.contains { $0.zoom == zoom && $0.columns ~= x && $0.rows ~= y }
    }

    private static func url(x: UInt, y: UInt, zoom: UInt) -> URL? {
        URL(string: __URL__)
    }
}

__ENLARGING__
__QUADKEY__
// __END_TILES__
// __IF_CAMERA__

/// The first camera of the map, and its limits.
@MainActor
enum MapCamera {
    /// The camera. The SDK allows a viewing angle of 65 degrees from zoom 16 on, and less below.
    static var position: GMSCameraPosition {
        GMSCameraPosition(
            latitude: __LATITUDE__, longitude: __LONGITUDE__, zoom: __ZOOM__, bearing: __BEARING__,
            viewingAngle: __TILT__)
    }

    /// Sets the camera of a map, and its limits.
    static func apply(to mapView: GMSMapView) {
        // __IF_ZOOMS__
        mapView.setMinZoom(__MIN_ZOOM__, maxZoom: __MAX_ZOOM__)
        // __END_ZOOMS__
        // __IF_BOUNDS__
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView.cameraTargetBounds = GMSCoordinateBounds(
            coordinate: CLLocationCoordinate2D(latitude: __SOUTH__, longitude: __WEST__),
            coordinate: CLLocationCoordinate2D(latitude: __NORTH__, longitude: __EAST__))
        // __END_BOUNDS__
        mapView.camera = position
    }
}
// __END_CAMERA__
