import Foundation
import GoogleMaps
import TilewrightTiles

/// Uses the code for a building as an app does, and prints what came of it: a line each.
@main
struct UseFloors {
    @MainActor
    static func main() async throws {
        let floors = try await HarbourMallFloors.load()
        print("floors", floors.building.name, floors.building.floors.map(\.name), floors.floor.name)
        for scale in [1.0, 2, 3] {
            UIView.displayScale = scale
            let mapView = GMSMapView()
            floors.add(to: mapView)
            floors.showAll()
            floors.limitCamera()
            print("scale", Int(scale), mapView.minZoom, mapView.maxZoom, await MapTries.unseen(in: mapView))
            floors.remove()
        }
        let mapView = GMSMapView()
        floors.add(to: mapView)
        floors.showAll()
        floors.limitCamera()
        let layer = GMSTileLayer.shown[0]
        print("outside", await MapTries.tile(layer, 0, 0, 17), await MapTries.tile(layer, 0, 0, 30))

        // Both floors are there for a while.
        floors.show("1")
        print("both", GMSTileLayer.shown.count, GMSTileLayer.shown[0].zIndex < GMSTileLayer.shown[1].zIndex)
        try await Task.sleep(for: .seconds(1))
        print("one", GMSTileLayer.shown.count, floors.floor.name, await MapTries.unseen(in: mapView))
        floors.show("9")
        _ = floors.picker
        floors.remove()
        print("removed", GMSTileLayer.shown.isEmpty)
    }
}
