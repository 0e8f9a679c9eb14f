import Foundation
import GoogleMaps

/// Asks the layer on a map for tiles as the map does.
@MainActor
enum MapTries {
    /// The zooms of the camera, from the lowest to the highest by quarters, at which no picture comes for the target.
    static func unseen(in mapView: GMSMapView) async -> [Double] {
        guard let layer = GMSTileLayer.shown.last else { return [-1] }
        var unseen: [Double] = []
        for quarter in Int(mapView.minZoom * 4)...Int(mapView.maxZoom * 4) {
            for zoom in layer.zooms(atCamera: Double(quarter) / 4, in: mapView) {
                let (x, y) = address(of: mapView.camera.target, zoom)
                if await tile(layer, x, y, zoom) != "picture" { unseen.append(Double(quarter) / 4) }
            }
        }
        return unseen
    }

    private static func address(of place: CLLocationCoordinate2D, _ zoom: UInt) -> (UInt, UInt) {
        let (latitude, count) = (place.latitude * .pi / 180, Double(1 << zoom))
        let (x, y) = ((place.longitude + 180) / 360, (1 - asinh(tan(latitude)) / .pi) / 2)
        return (UInt(x * count), UInt(y * count))
    }

    static func tile(_ layer: GMSTileLayer, _ x: UInt, _ y: UInt, _ zoom: UInt) async -> String {
        await withCheckedContinuation { continuation in
            layer.requestTileFor(x: x, y: y, zoom: zoom, receiver: Receiver(continuation))
        }
    }

    final class Receiver: GMSTileReceiver {
        private let continuation: CheckedContinuation<String, Never>

        init(_ continuation: CheckedContinuation<String, Never>) { self.continuation = continuation }

        func receiveTileWith(x: UInt, y: UInt, zoom: UInt, image: UIImage?) {
            continuation.resume(
                returning: image == nil ? "later" : image === kGMSTileLayerNoTile ? "never" : "picture")
        }
    }
}
