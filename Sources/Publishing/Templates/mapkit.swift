// __TITLE__: map tiles for MapKit. Written by tilewright.
// __NOTE__

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
