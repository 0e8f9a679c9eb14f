// __TITLE__: the floors of a building for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__

import GoogleMaps
import ImageIO
import UIKit
// __END_IMPORTS__

/// Shows one floor at a time, and switches between them.
///
///     let floors = try await __NAME__.load()
///     floors.add(to: mapView)
///     floors.showAll()
///     floors.limitCamera()
///     try floors.show("1")
@MainActor
final class __NAME__ {
    // __PART_MEMBERS__

    private var layer: Layer?

    /// The area of the floor, for the camera: `mapView.moveCamera(.fit(floors.bounds))`.
    var bounds: GMSCoordinateBounds { Self.box(floor.bounds) }

    /// Sets the camera that shows the building on a phone held upright.
    func showAll() {
        let (target, zoom) = (index.camera.target, min(index.camera.zoom, Double(lastZoom)))
        mapView?.camera = GMSCameraPosition(latitude: target[1], longitude: target[0], zoom: Float(zoom))
    }

    /// Limits the camera to the zooms and the area of the building. Leave it out if the map shows more than
    /// the building.
    func limitCamera() {
        mapView?.setMinZoom(Float(firstZoom), maxZoom: Float(lastZoom))
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView?.cameraTargetBounds = Self.box(index.bounds)
    }

    private static func box(_ edges: [Double]) -> GMSCoordinateBounds {
        // Beyond 180 degrees, the east is on the other side of the antimeridian.
        let east = edges[2] > 180 ? edges[2] - 360 : edges[2]
        return GMSCoordinateBounds(
            coordinate: CLLocationCoordinate2D(latitude: edges[1], longitude: edges[0]),
            coordinate: CLLocationCoordinate2D(latitude: edges[3], longitude: east))
    }

    private func lay() {
        guard let mapView else { return }
        clear()
        let layer = Layer(floor, lastZoom: lastZoom) { [weak self] error in self?.onTileError?(error) }
        // Pixels of a file, not points: on displays of double density, files of 256 pixels are
        // drawn at 128 points. Files of 512 pixels are better there.
        layer.tileSize = floor.tileSize
        layer.opacity = 1
        layer.zIndex = 100
        layer.map = mapView
        self.layer = layer
    }

    private func clear() {
        layer?.requests.cancel()
        layer?.clearTileCache()
        layer?.map = nil
        layer = nil
    }

    /// The tiles of a floor.
    private final class Layer: GMSTileLayer {
        let requests = Requests()
        private let floor: Floor
        private let lastZoom: Int
        private let report: @MainActor @Sendable (any Error) -> Void

        init(
            _ floor: Floor, lastZoom: Int,
            report: @escaping @MainActor @Sendable (any Error) -> Void
        ) {
            (self.floor, self.lastZoom, self.report) = (floor, lastZoom, report)
            super.init()
        }

        override func requestTileFor(
            x: UInt, y: UInt, zoom: UInt, receiver: any GMSTileReceiver
        ) {
            let (column, row, level) = (Int(x), Int(y), Int(zoom))
            // Beyond the last zoom with tiles, an ancestor tile is enlarged.
            let steps = max(0, level - floor.maxzoom)
            guard level <= lastZoom,
                let url = floor.url(x: column >> steps, y: row >> steps, zoom: level - steps)
            else {
                // "Never": the map does not ask again.
                receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: kGMSTileLayerNoTile)
                return
            }
            nonisolated(unsafe) let receiver = receiver
            requests.start(url) { [report] result in
                let images = result.map { data in
                    // A missing tile is transparent.
                    data.map { Self.image($0, x: column, y: row, steps: steps) } ?? kGMSTileLayerNoTile
                }
                DispatchQueue.main.async {
                    switch images {
                    case .success(let image):
                        receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: image)
                    case .failure(let error):
                        // nil means "not now": the map asks again.
                        receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: nil)
                        if (error as? URLError)?.code != .cancelled { report(error) }
                    }
                }
            }
        }

        private static func image(_ file: Data, x: Int, y: Int, steps: Int) -> UIImage? {
            if steps == 0 { return UIImage(data: file) }
            return __NAME__.enlarged(file, x: x, y: y, steps: steps).map { UIImage(cgImage: $0) }
        }
    }
}

__ENLARGING__

__INDEX_MEMBERS__
