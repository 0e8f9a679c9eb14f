import Foundation
import GoogleMaps

/// Uses the code for a tileset as an app does, at three densities: prints the zooms of the camera at which its
/// middle is not shown.
@main
struct UseTiles {
    @MainActor
    static func main() async throws {
        for scale in [1.0, 2, 3] {
            UIView.displayScale = scale
            let mapView = GMSMapView()
            let layer = PlanTiles.add(to: mapView)
            PlanTiles.showAll(in: mapView)
            PlanTiles.limitCamera(of: mapView)
            print("scale", Int(scale), mapView.minZoom, mapView.maxZoom, await MapTries.unseen(in: mapView))
            layer.map = nil
        }
    }
}
