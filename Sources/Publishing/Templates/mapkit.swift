// __TITLE__ for MapKit. Written by tilewright.
// __NOTE__
// __IF_TILES__

import MapKit
import TilewrightTiles

/// Tiles over the map. Where there is no tile, the map shows through.
///
///     __NAME__.add(to: mapView)
///     __NAME__.showAll(in: mapView)
///     __NAME__.limitCamera(of: mapView)
///
/// The map's delegate answers `mapView(_:rendererFor:)` with `overlay.makeRenderer()` for a `TileOverlay`.
enum __NAME__ {
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

    /// Adds the tiles to a map. Keep the returned overlay: after an update, remove it and add another one.
    @discardableResult @MainActor
    static func add(to mapView: MKMapView) -> TileOverlay {
        let overlay = TileOverlay(archive, enlargedTo: __ENLARGE_TO__)
        // true: without Apple's map.
        overlay.canReplaceMapContent = false
        mapView.addOverlay(overlay, level: .aboveLabels)
        return overlay
    }

    /// Shows all tiles. Call it when the map has its size: in `viewDidLayoutSubviews` or later.
    @MainActor
    static func showAll(in mapView: MKMapView) {
        mapView.setVisibleMapRect(
            archive.bounds.mapRect, edgePadding: .init(top: 64, left: 64, bottom: 64, right: 64),
            animated: false)
    }

    /// Limits the camera to the zooms and the area of the tiles. Call it when the map has its size; leave it
    /// out if the map shows more than these tiles.
    @MainActor
    static func limitCamera(of mapView: MKMapView) {
        let latitude = __CAMERA_LATITUDE__
        // MapKit sometimes uses distances that differ by a factor of about 1.5.
        mapView.cameraZoomRange = MKMapView.CameraZoomRange(
            minCenterCoordinateDistance: distance(zoom: __CAMERA_MAX_ZOOM__, at: latitude, in: mapView),
            maxCenterCoordinateDistance: distance(zoom: __CAMERA_MIN_ZOOM__, at: latitude, in: mapView))
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView.cameraBoundary = MKMapView.CameraBoundary(mapRect: archive.bounds.mapRect)
    }
}

__DISTANCE__
// __END_TILES__
// __IF_CAMERA__
//
// MapKit uses distances instead of zooms. They are approximate: Apple does not publish the camera's
// field of view. Others have measured 30 degrees from the upper to the lower edge, MapLibre Native (its
// MGLAngularFieldOfView) among them. The scale in the middle of the view is that of the zoom; far from it, a
// tilted view differs from Google's. MapKit reduces a pitch that it does not allow at a distance.

import MapKit

/// The first camera of the map, and its limits.
@MainActor
enum MapCamera {
    /// The place in the middle of the view.
    static let target = CLLocationCoordinate2D(latitude: __LATITUDE__, longitude: __LONGITUDE__)

    /// The camera. Use it when the map has its size.
    static func camera(for mapView: MKMapView) -> MKMapCamera {
        MKMapCamera(
            lookingAtCenter: target,
            fromDistance: distance(zoom: __ZOOM__, at: target.latitude, in: mapView),
            pitch: __TILT__, heading: __BEARING__)
    }

    /// Sets the camera of a map, and its limits. Call it when the map has its size: in
    /// `viewDidLayoutSubviews`.
    static func apply(to mapView: MKMapView) {
        // __IF_ZOOMS__
        // MapKit sometimes uses distances that differ by a factor of about 1.5.
        mapView.cameraZoomRange = MKMapView.CameraZoomRange(
            minCenterCoordinateDistance: distance(zoom: __MAX_ZOOM__, at: target.latitude, in: mapView),
            maxCenterCoordinateDistance: distance(zoom: __MIN_ZOOM__, at: target.latitude, in: mapView))
        // __END_ZOOMS__
        // __IF_BOUNDS__
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView.cameraBoundary = MKMapView.CameraBoundary(mapRect: targetBounds)
        // __END_BOUNDS__
        mapView.camera = camera(for: mapView)
    }
    // __IF_BOUNDS__

    /// The bounds of the target.
    static var targetBounds: MKMapRect {
        rect(west: __WEST__, south: __SOUTH__, east: __EAST__, north: __NORTH__)
    }
    // __END_BOUNDS__
}

__DISTANCE__
// __END_CAMERA__
