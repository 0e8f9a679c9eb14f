// __TITLE__: map tiles for MapKit. Written by tilewright.
// __NOTE__

import MapKit

/// Tiles that lie over the map where they exist, and nothing elsewhere.
final class __NAME__: MKTileOverlay {
    /// The tiles that exist, per zoom: columns from the west, rows from the north.
    private static let limits: [(zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>)] = [
        __LIMITS__
    ]

    /// Lays the tiles over a map. The last overlay of a level is the uppermost;
    /// `insertOverlay(_:at:level:)` chooses another place.
    @MainActor @discardableResult
    static func add(to mapView: MKMapView) -> __NAME__ {
        let overlay = __NAME__(urlTemplate: nil)
        // __SIZE_NOTE__
        overlay.tileSize = CGSize(width: __TILE_SIZE__, height: __TILE_SIZE__)
        overlay.minimumZ = __MIN_ZOOM__
        overlay.maximumZ = __MAX_ZOOM__
        overlay.canReplaceMapContent = false
        mapView.addOverlay(overlay, level: .aboveLabels)
        return overlay
    }

    /// What `mapView(_:rendererFor:)` of the map's delegate returns for this overlay. Keep it:
    /// `reloadData()` of it shows new tiles after an update.
    func makeRenderer() -> MKTileOverlayRenderer {
        let renderer = MKTileOverlayRenderer(tileOverlay: self)
        renderer.alpha = 1
        return renderer
    }

    /// Where the tiles lie: the map asks for none beyond.
    override var boundingMapRect: MKMapRect {
        let northWest = MKMapPoint(
            CLLocationCoordinate2D(latitude: __NORTH__, longitude: __WEST__))
        let southEast = MKMapPoint(
            CLLocationCoordinate2D(latitude: __SOUTH__, longitude: __EAST__))
        let width = southEast.x - northWest.x
        return MKMapRect(
            x: northWest.x, y: northWest.y,
            // Across the antimeridian, the east is west of the west.
            width: width > 0 ? width : width + MKMapSize.world.width,
            height: southEast.y - northWest.y)
    }

    override func loadTile(
        at path: MKTileOverlayPath, result: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        let exists = Self.limits.contains {
            $0.zoom == path.z && $0.columns ~= path.x && $0.rows ~= path.y
        }
        // No data and no error: there is no tile.
        if exists { super.loadTile(at: path, result: result) } else { result(nil, nil) }
    }

    override func url(forTilePath path: MKTileOverlayPath) -> URL {
        let (x, y, zoom) = (path.x, path.y, path.z)
        return URL(string: __URL__) ?? super.url(forTilePath: path)
    }
}
__QUADKEY__
