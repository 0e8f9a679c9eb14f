// __TITLE__: the floors of a building for MapKit. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__

import MapKit
// __END_IMPORTS__

/// Shows one floor at a time, and switches between them.
///
///     let floors = try await __NAME__.load()
///     floors.add(to: mapView)
///     try floors.show("1")
///
/// The map's delegate asks it for renderers:
///
///     func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
///         floors.renderer(for: overlay) ?? MKOverlayRenderer(overlay: overlay)
///     }
@MainActor
final class __NAME__ {
    /// What the building is called.
    private(set) var name: String
    /// The floors from the lowest.
    private(set) var floors: [Floor]
    /// The one of them that is shown.
    private(set) var floor: Floor
    /// Called with the floor when another one is shown, or something of it changed.
    var onChange: ((Floor) -> Void)?

    /// Called on the main thread with what kept a tile from coming.
    var onTileError: ((any Error) -> Void)?

    private weak var mapView: MKMapView?
    private var overlay: Overlay?

    private init(_ index: Index, floor: Floor) {
        (name, floors, self.floor) = (index.name, index.floors, floor)
    }

    /// Lays the floor over a map.
    func add(to mapView: MKMapView) {
        self.mapView = mapView
        lay()
    }

    /// Takes the floor off its map.
    func remove() {
        clear()
        mapView = nil
    }

    /// What `mapView(_:rendererFor:)` of the map's delegate returns for the floor; nil for overlays
    /// of others.
    func renderer(for overlay: any MKOverlay) -> MKTileOverlayRenderer? {
        guard let overlay = overlay as? Overlay else { return nil }
        let renderer = MKTileOverlayRenderer(tileOverlay: overlay)
        renderer.alpha = 1
        return renderer
    }

    /// Where the floor lies, for the camera: `mapView.setVisibleMapRect(floors.mapRect, animated: true)`.
    var mapRect: MKMapRect { floor.mapRect }

    private func lay() {
        guard let mapView else { return }
        clear()
        let overlay = Overlay(floor) { [weak self] error in self?.onTileError?(error) }
        // Pixels of a file: on displays of double density, files of 256 pixels are drawn at 128
        // points. Files of 512 pixels are better there.
        overlay.tileSize = CGSize(width: floor.tileSize, height: floor.tileSize)
        overlay.minimumZ = floor.minzoom
        overlay.maximumZ = floor.maxzoom
        overlay.canReplaceMapContent = false
        mapView.addOverlay(overlay, level: .aboveLabels)
        self.overlay = overlay
    }

    private func clear() {
        guard let overlay else { return }
        overlay.requests.cancel()
        mapView?.removeOverlay(overlay)
        self.overlay = nil
    }

    /// The tiles of a floor.
    private final class Overlay: MKTileOverlay {
        let requests = Requests()
        private let floor: Floor
        private let report: @MainActor @Sendable (any Error) -> Void

        init(_ floor: Floor, report: @escaping @MainActor @Sendable (any Error) -> Void) {
            (self.floor, self.report) = (floor, report)
            super.init(urlTemplate: nil)
        }

        /// Where the tiles lie: the map asks for none beyond.
        override var boundingMapRect: MKMapRect { floor.mapRect }

        override func loadTile(
            at path: MKTileOverlayPath, result: @escaping @Sendable (Data?, (any Error)?) -> Void
        ) {
            guard let url = floor.url(x: path.x, y: path.y, zoom: path.z) else {
                // No data and no error: there is no tile.
                return result(nil, nil)
            }
            requests.start(url) { [report] outcome in
                switch outcome {
                case .success(let data): result(data, nil)
                case .failure(let error):
                    result(nil, error)
                    if (error as? URLError)?.code == .cancelled { return }
                    DispatchQueue.main.async { report(error) }
                }
            }
        }
    }
}

extension __NAME__.Floor {
    /// Where it lies.
    var mapRect: MKMapRect {
        // Beyond 180 degrees, the east is on the other side of the antimeridian.
        let east = bounds[2] > 180 ? bounds[2] - 360 : bounds[2]
        let northWest = MKMapPoint(CLLocationCoordinate2D(latitude: bounds[3], longitude: bounds[0]))
        let southEast = MKMapPoint(CLLocationCoordinate2D(latitude: bounds[1], longitude: east))
        let width = southEast.x - northWest.x
        return MKMapRect(
            x: northWest.x, y: northWest.y,
            width: width > 0 ? width : width + MKMapSize.world.width,
            height: southEast.y - northWest.y)
    }
}

__INDEX_MEMBERS__
