// __TITLE__ for MapKit. Written by tilewright.
// __NOTE__
// __IF_TILES__

import ImageIO
import MapKit

/// Tiles over the map. Where there is no tile, the map shows through.
///
///     __NAME__.add(to: mapView)
///     __NAME__.showAll(in: mapView)
///     __NAME__.limitCamera(of: mapView)
final class __NAME__: MKTileOverlay {
    /// The tiles that exist, per zoom: columns from the west, rows from the north.
    private static let limits: [(zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>)] = [
        __LIMITS__
    ]

    /// Adds the tiles to a map. The last overlay of a level is the uppermost;
    /// `insertOverlay(_:at:level:)` chooses another place.
    ///
    /// From zoom __MAX_ZOOM__ up to __ENLARGE_TO__ tiles are enlarged; beyond that nothing is drawn.
    @MainActor @discardableResult
    static func add(to mapView: MKMapView) -> __NAME__ {
        let overlay = __NAME__(urlTemplate: nil)
        // __SIZE_NOTE__
        overlay.tileSize = CGSize(width: __TILE_SIZE__, height: __TILE_SIZE__)
        overlay.minimumZ = __MIN_ZOOM__
        overlay.maximumZ = __ENLARGE_TO__
        overlay.canReplaceMapContent = false
        mapView.addOverlay(overlay, level: .aboveLabels)
        return overlay
    }

    /// The renderer for this overlay, to be returned by `mapView(_:rendererFor:)` of the map's delegate.
    /// Keep it: its `reloadData()` shows new tiles after an update.
    func makeRenderer() -> MKTileOverlayRenderer {
        let renderer = MKTileOverlayRenderer(tileOverlay: self)
        renderer.alpha = 1
        return renderer
    }

    /// Shows all tiles. Call it when the map has its size: in `viewDidLayoutSubviews`.
    @MainActor
    static func showAll(in mapView: MKMapView) {
        mapView.setVisibleMapRect(
            mapRect, edgePadding: .init(top: 64, left: 64, bottom: 64, right: 64), animated: false)
    }

    /// Limits the camera to the zooms and the area of the tiles. Call it when the
    /// map has its size; do not call it if the map shows more than these tiles.
    @MainActor
    static func limitCamera(of mapView: MKMapView) {
        let latitude = __CAMERA_LATITUDE__
        // MapKit sometimes uses distances that differ by a factor of about 1.5.
        mapView.cameraZoomRange = MKMapView.CameraZoomRange(
            minCenterCoordinateDistance: distance(zoom: __CAMERA_MAX_ZOOM__, at: latitude, in: mapView),
            maxCenterCoordinateDistance: distance(zoom: __CAMERA_MIN_ZOOM__, at: latitude, in: mapView))
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView.cameraBoundary = MKMapView.CameraBoundary(mapRect: mapRect)
    }

    /// The area of the tiles; the map requests no tiles outside it.
    override var boundingMapRect: MKMapRect { Self.mapRect }

    /// The area of the tiles.
    static var mapRect: MKMapRect {
        rect(west: __WEST__, south: __SOUTH__, east: __EAST__, north: __NORTH__)
    }

    override func loadTile(
        at path: MKTileOverlayPath, result: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        // Beyond the last zoom with tiles, an ancestor tile is enlarged.
        let (x, y, steps) = (path.x, path.y, max(0, path.z - __MAX_ZOOM__))
        var source = path
        (source.x, source.y, source.z) = (x >> steps, y >> steps, path.z - steps)
        let exists = Self.limits.contains {
            $0.zoom == source.z && $0.columns ~= source.x && $0.rows ~= source.y
        }
        // No data and no error: there is no tile.
        guard exists else { return result(nil, nil) }
        if steps == 0 { return super.loadTile(at: path, result: result) }
        // A copy in the URL cache serves the other parts of the ancestor.
        super.loadTile(at: source) { file, error in
            let part = file.flatMap { Self.enlarged($0, x: x, y: y, steps: steps) }
            result(part.flatMap(Self.file), error)
        }
    }

    override func url(forTilePath path: MKTileOverlayPath) -> URL {
        let (x, y, zoom) = (path.x, path.y, path.z)
        return URL(string: __URL__) ?? super.url(forTilePath: path)
    }
}

__ENLARGING__
__QUADKEY__
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
