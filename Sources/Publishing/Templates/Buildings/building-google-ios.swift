// __TITLE__: the floors of a building for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__

import GoogleMaps
import UIKit
// __END_IMPORTS__

/// Shows one floor at a time, and switches between them.
///
///     let floors = try await __NAME__.load()
///     floors.add(to: mapView)
///     try floors.show("1")
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

    /// Called on the main thread with what kept a tile from coming; the map asks for it again.
    var onTileError: ((any Error) -> Void)?

    private weak var mapView: GMSMapView?
    private var layer: Layer?

    private init(_ index: Index, floor: Floor) {
        (name, floors, self.floor) = (index.name, index.floors, floor)
    }

    /// Lays the floor over a map.
    ///
    /// Beyond the floor's last zoom nothing is drawn: `mapView.setMinZoom(_:maxZoom:)` keeps it in
    /// view.
    func add(to mapView: GMSMapView) {
        self.mapView = mapView
        lay()
    }

    /// Takes the floor off its map.
    func remove() {
        clear()
        mapView = nil
    }

    /// Where the floor lies, for the camera: `mapView.moveCamera(.fit(floors.bounds))`.
    var bounds: GMSCoordinateBounds {
        let edges = floor.bounds
        // Beyond 180 degrees, the east is on the other side of the antimeridian.
        let east = edges[2] > 180 ? edges[2] - 360 : edges[2]
        return GMSCoordinateBounds(
            coordinate: CLLocationCoordinate2D(latitude: edges[1], longitude: edges[0]),
            coordinate: CLLocationCoordinate2D(latitude: edges[3], longitude: east))
    }

    private func lay() {
        guard let mapView else { return }
        clear()
        let layer = Layer(floor) { [weak self] error in self?.onTileError?(error) }
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
        private let report: @MainActor @Sendable (any Error) -> Void

        init(_ floor: Floor, report: @escaping @MainActor @Sendable (any Error) -> Void) {
            (self.floor, self.report) = (floor, report)
            super.init()
        }

        override func requestTileFor(
            x: UInt, y: UInt, zoom: UInt, receiver: any GMSTileReceiver
        ) {
            guard let url = floor.url(x: Int(x), y: Int(y), zoom: Int(zoom)) else {
                // "Never": the map does not ask again.
                receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: kGMSTileLayerNoTile)
                return
            }
            nonisolated(unsafe) let receiver = receiver
            requests.start(url) { [report] result in
                DispatchQueue.main.async {
                    switch result {
                    case .success(let data):
                        // A tile that is missing was transparent.
                        let image = data.map { UIImage(data: $0) } ?? kGMSTileLayerNoTile
                        receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: image)
                    case .failure(let error):
                        // "Not now", which nil says: the map asks again.
                        receiver.receiveTileWith(x: x, y: y, zoom: zoom, image: nil)
                        if (error as? URLError)?.code != .cancelled { report(error) }
                    }
                }
            }
        }
    }
}

__INDEX_MEMBERS__
