// __TITLE__ for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__

import GoogleMaps
// __IF_LIBRARY__
import TilewrightTiles
// __END_LIBRARY__
// __IF_TILES__
import UIKit

/// Tiles over the map. Where there is no tile, the map shows through.
///
///     __NAME__.add(to: mapView)
///     __NAME__.showAll(in: mapView)
///     __NAME__.limitCamera(of: mapView)
// __END_TILES__
// __IF_CAMERA__

/// The first camera of the map, and its limits.
// __END_CAMERA__
enum __NAME__ {
    // __IF_LIBRARY__
    // __PART_ARCHIVE_SWIFT__

    // __END_LIBRARY__
    // __IF_ADDRESSES__
    /// The tiles that exist: zoom, first column, first row, last column, last row, from the north-west.
    nonisolated private static let limits: [[UInt]] = [
        __LIMITS__
    ]

    /// The address of a tile. Without one there is no tile: the map does not ask again.
    nonisolated private static func url(x: UInt, y: UInt, zoom: UInt) -> URL? {
        limits.contains { $0[0] == zoom && $0[1]...$0[3] ~= x && $0[2]...$0[4] ~= y }
            ? URL(string: __URL__) : nil
    }

    // __END_ADDRESSES__
    // __IF_QUADKEY__
    /// The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.
    nonisolated private static func quadkey(x: UInt, y: UInt, zoom: UInt) -> String {
        (0..<zoom).reversed().map { "\((x >> $0 & 1) | (y >> $0 & 1) << 1)" }.joined()
    }

    // __END_QUADKEY__
    // __IF_TILES__
    /// Adds the tiles to a map. Keep the returned layer: after an update, its `clearTileCache()` shows new
    /// tiles; `map = nil` removes it.
    @discardableResult @MainActor
    static func add(to mapView: GMSMapView) -> GMSTileLayer {
        // __IF_ADDRESSES__
        let layer = GMSURLTileLayer(urlConstructor: url)
        // __END_ADDRESSES__
        // __IF_LIBRARY__
        let layer = Layer(archive, enlargedTo: __ENLARGE_TO__)
        // __END_LIBRARY__
        // In pixels. With this size, tiles have the camera's zoom on every display; pictures are scaled.
        layer.tileSize = Int(256 * max(1, mapView.traitCollection.displayScale))
        layer.opacity = 1
        layer.zIndex = 100
        layer.map = mapView
        // If Google's map or its own floor plans are in the way:
        // mapView.mapType = .none
        // mapView.isIndoorEnabled = false
        return layer
    }

    /// Sets the camera that shows all tiles on a phone held upright.
    @MainActor
    static func showAll(in mapView: GMSMapView) {
        mapView.camera = GMSCameraPosition(
            latitude: __CAMERA_LATITUDE__, longitude: __CAMERA_LONGITUDE__, zoom: __CAMERA_ZOOM__)
    }
    // __END_TILES__
    // __IF_CAMERA__
    /// The camera: `mapView.camera = MapCamera.position`. The SDK allows a viewing angle of 65 degrees from
    /// zoom 16 on, and less below.
    @MainActor
    static var position: GMSCameraPosition {
        GMSCameraPosition(
            latitude: __CAMERA_LATITUDE__, longitude: __CAMERA_LONGITUDE__, zoom: __CAMERA_ZOOM__,
            bearing: __CAMERA_BEARING__, viewingAngle: __CAMERA_TILT__)
    }
    // __END_CAMERA__
    // __IF_CAMERA_LIMITS__

    /// Limits the camera. Leave it out if the map shows more.
    @MainActor
    static func limitCamera(of mapView: GMSMapView) {
        mapView.setMinZoom(__CAMERA_MIN_ZOOM__, maxZoom: __CAMERA_MAX_ZOOM__)
        // __IF_CAMERA_BOUNDS__
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView.cameraTargetBounds = GMSCoordinateBounds(
            coordinate: CLLocationCoordinate2D(latitude: __CAMERA_SOUTH__, longitude: __CAMERA_WEST__),
            coordinate: CLLocationCoordinate2D(latitude: __CAMERA_NORTH__, longitude: __CAMERA_EAST__))
        // __END_CAMERA_BOUNDS__
    }
    // __END_CAMERA_LIMITS__
    // __IF_LIBRARY__

    // __PART_LAYER_SWIFT__
    // __END_LIBRARY__
}
