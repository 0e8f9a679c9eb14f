// __TITLE__: the floors of a building for MapKit. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__

import ImageIO
import MapKit
// __END_IMPORTS__

/// Shows one floor at a time, and switches between them.
///
///     let floors = try await __NAME__.load()
///     floors.add(to: mapView)
///     floors.showAll()
///     floors.limitCamera()
///     try floors.show("1")
///
/// The map's delegate asks it for renderers:
///
///     func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
///         floors.renderer(for: overlay) ?? MKOverlayRenderer(overlay: overlay)
///     }
@MainActor
final class __NAME__ {
    // __PART_MEMBERS__

    private var overlay: Overlay?

    /// Shows the whole building. Call it when the map has its size: in `viewDidLayoutSubviews` or later.
    func showAll() {
        mapView?.setVisibleMapRect(
            Self.mapRect(index.bounds), edgePadding: .init(top: 64, left: 64, bottom: 64, right: 64),
            animated: false)
    }

    /// Limits the camera to the zooms and the area of the building. Call it when the
    /// map has its size; do not call it if the map shows more than the building.
    func limitCamera() {
        guard let mapView else { return }
        let (first, last, latitude) = (Double(firstZoom), Double(lastZoom), index.camera.target[1])
        // MapKit sometimes uses distances that differ by a factor of about 1.5.
        mapView.cameraZoomRange = MKMapView.CameraZoomRange(
            minCenterCoordinateDistance: Self.distance(zoom: last, at: latitude, in: mapView),
            maxCenterCoordinateDistance: Self.distance(zoom: first, at: latitude, in: mapView))
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView.cameraBoundary = MKMapView.CameraBoundary(mapRect: Self.mapRect(index.bounds))
    }

    /// The renderer for the floor, to be returned by `mapView(_:rendererFor:)` of the map's delegate; nil
    /// for other overlays.
    func renderer(for overlay: any MKOverlay) -> MKTileOverlayRenderer? {
        guard let overlay = overlay as? Overlay else { return nil }
        let renderer = MKTileOverlayRenderer(tileOverlay: overlay)
        renderer.alpha = 1
        return renderer
    }

    /// The area of the floor, for the camera: `mapView.setVisibleMapRect(floors.mapRect, animated: true)`.
    var mapRect: MKMapRect { Self.mapRect(floor.bounds) }

    nonisolated private static func mapRect(_ bounds: [Double]) -> MKMapRect {
        // Beyond 180 degrees, the east is on the other side of the antimeridian.
        let east = bounds[2] > 180 ? bounds[2] - 360 : bounds[2]
        return rect(west: bounds[0], south: bounds[1], east: east, north: bounds[3])
    }

    private func lay() {
        guard let mapView else { return }
        clear()
        let overlay = Overlay(floor) { [weak self] error in self?.onTileError?(error) }
        // Pixels of a file: on displays of double density, files of 256 pixels are drawn at 128
        // points. Files of 512 pixels are better there.
        overlay.tileSize = CGSize(width: floor.tileSize, height: floor.tileSize)
        overlay.minimumZ = floor.minzoom
        overlay.maximumZ = lastZoom
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

        /// The area of the tiles; the map requests no tiles outside it.
        override var boundingMapRect: MKMapRect { __NAME__.mapRect(floor.bounds) }

        override func loadTile(
            at path: MKTileOverlayPath, result: @escaping @Sendable (Data?, (any Error)?) -> Void
        ) {
            // Beyond the last zoom with tiles, an ancestor tile is enlarged.
            let (x, y, steps) = (path.x, path.y, max(0, path.z - floor.maxzoom))
            guard let url = floor.url(x: x >> steps, y: y >> steps, zoom: path.z - steps) else {
                // No data and no error: there is no tile.
                return result(nil, nil)
            }
            requests.start(url) { [report] outcome in
                switch outcome {
                case .success(let file) where steps == 0: result(file, nil)
                case .success(let file):
                    let part = file.flatMap { __NAME__.enlarged($0, x: x, y: y, steps: steps) }
                    result(part.flatMap(__NAME__.file), nil)
                case .failure(let error):
                    result(nil, error)
                    if (error as? URLError)?.code == .cancelled { return }
                    DispatchQueue.main.async { report(error) }
                }
            }
        }
    }
}

__ENLARGING__

__INDEX_MEMBERS__
