// __TITLE__ for MapKit. Written by tilewright.
// __NOTE__
// __IF_CAMERA__
//
// MapKit uses distances instead of zooms. They are approximate: Apple does not publish the camera's
// field of view. Others have measured 30 degrees from the upper to the lower edge, MapLibre Native (its
// MGLAngularFieldOfView) among them. The scale in the middle of the view is that of the zoom; far from it, a
// tilted view differs from Google's. MapKit reduces a pitch that it does not allow at a distance.
// __END_CAMERA__

import MapKit
// __IF_TILES__
import TilewrightTiles

/// Tiles over the map. Where there is no tile, the map shows through.
///
///     __NAME__.add(to: mapView)
///     __NAME__.showAll(in: mapView)
///     __NAME__.limitCamera(of: mapView)
///
/// The map's delegate answers `mapView(_:rendererFor:)` with `overlay.makeRenderer()` for a `TileOverlay`.
// __END_TILES__
// __IF_CAMERA__

/// The first camera of the map, and its limits.
// __END_CAMERA__
enum __NAME__ {
    // __IF_TILES__
    // __PART_ARCHIVE_SWIFT__

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
    // __END_TILES__
    // __IF_CAMERA__
    /// The place in the middle of the view.
    static let target = CLLocationCoordinate2D(
        latitude: __CAMERA_LATITUDE__, longitude: __CAMERA_LONGITUDE__)

    /// The camera: `mapView.camera = MapCamera.camera(for: mapView)`. Call it when the map has its size: in
    /// `viewDidLayoutSubviews` or later.
    @MainActor
    static func camera(for mapView: MKMapView) -> MKMapCamera {
        MKMapCamera(
            lookingAtCenter: target,
            fromDistance: distance(zoom: __CAMERA_ZOOM__, at: target.latitude, in: mapView),
            pitch: __CAMERA_TILT__, heading: __CAMERA_BEARING__)
    }
    // __END_CAMERA__
    // __IF_CAMERA_LIMITS__

    /// Limits the camera. Call it when the map has its size; leave it out if the map shows more.
    @MainActor
    static func limitCamera(of mapView: MKMapView) {
        // __IF_CAMERA_MIN_ZOOM__
        let latitude: Double = __CAMERA_LATITUDE__
        // MapKit sometimes uses distances that differ by a factor of about 1.5.
        mapView.cameraZoomRange = MKMapView.CameraZoomRange(
            minCenterCoordinateDistance: distance(zoom: __CAMERA_MAX_ZOOM__, at: latitude, in: mapView),
            maxCenterCoordinateDistance: distance(zoom: __CAMERA_MIN_ZOOM__, at: latitude, in: mapView))
        // __END_CAMERA_MIN_ZOOM__
        // __IF_CAMERA_BOUNDS__
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        // __IF_TILES__
        mapView.cameraBoundary = MKMapView.CameraBoundary(mapRect: archive.bounds.mapRect)
        // __END_TILES__
        // __IF_CAMERA__
        let northWest = MKMapPoint(.init(latitude: __CAMERA_NORTH__, longitude: __CAMERA_WEST__))
        let southWest = MKMapPoint(.init(latitude: __CAMERA_SOUTH__, longitude: __CAMERA_WEST__))
        let bounds = MKMapRect(
            x: northWest.x, y: northWest.y, width: __CAMERA_SPAN__ / 360 * MKMapSize.world.width,
            height: southWest.y - northWest.y)
        mapView.cameraBoundary = MKMapView.CameraBoundary(mapRect: bounds)
        // __END_CAMERA__
        // __END_CAMERA_BOUNDS__
    }
    // __END_CAMERA_LIMITS__

    // __PART_DISTANCE_SWIFT__
}
