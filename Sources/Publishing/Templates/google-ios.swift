// __TITLE__ for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__

import GoogleMaps
// __IF_TILES__
// __IF_LIBRARY__
import TilewrightTiles
// __END_LIBRARY__
import UIKit

/// Tiles over the map. Where there is no tile, the map shows through.
///
///     __NAME__.add(to: mapView)
///     __NAME__.showAll(in: mapView)
///     __NAME__.limitCamera(of: mapView)
enum __NAME__ {
    // __IF_LIBRARY__
    /// The tiles. A fault does not end by itself, such as a key that ran out.
    static let archive = TileArchive(
        __OPEN__,
        facts: TilesetFacts(
            zooms: __MIN_ZOOM__...__MAX_ZOOM__,
            bounds: TileBounds(west: __WEST__, south: __SOUTH__, east: __EAST_UNWRAPPED__, north: __NORTH__),
            tileSize: __TILE_SIZE__,
            // __IF_TREES__
            // Zoom, first column, first row, last column, last row.
            limits: [
                __LIMITS__
            ],
            // __END_TREES__
        )
    ) { fault in print("__NAME__:", fault.reason) }

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

    /// Limits the camera to the tiles. Leave it out if the map shows more than these tiles.
    @MainActor
    static func limitCamera(of mapView: GMSMapView) {
        mapView.setMinZoom(__CAMERA_MIN_ZOOM__, maxZoom: __CAMERA_MAX_ZOOM__)
        // __IF_CAMERA_BOUNDS__
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView.cameraTargetBounds = GMSCoordinateBounds(
            coordinate: CLLocationCoordinate2D(latitude: __SOUTH__, longitude: __WEST__),
            coordinate: CLLocationCoordinate2D(latitude: __NORTH__, longitude: __EAST__))
        // __END_CAMERA_BOUNDS__
    }
    // __IF_LIBRARY__

    // __PART_LAYER__
    // __END_LIBRARY__
}
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
