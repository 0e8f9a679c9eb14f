// __TITLE__: the floors of a building for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__

import GoogleMaps
import SwiftUI
import TilewrightTiles
// __END_IMPORTS__

/// Shows one floor at a time, and switches between them.
///
///     let floors = try await __NAME__.load()
///     floors.add(to: mapView)
///     floors.showAll()
///     floors.limitCamera()
///     view.addSubview(floors.picker)
@MainActor
final class __NAME__: ObservableObject {
    // __PART_BUILDING_SWIFT__

    private var layer: GMSTileLayer?
    private weak var mapView: GMSMapView?

    /// Adds the floor to a map. After an update of the tiles: `remove`, and load again.
    func add(to mapView: GMSMapView) {
        self.mapView = mapView
        // If Google's map or its own floor plans are in the way:
        // mapView.mapType = .none
        // mapView.isIndoorEnabled = false
        lay()
    }

    func remove() {
        layer?.map = nil
        (layer, mapView) = (nil, nil)
    }

    private func lay() {
        guard let mapView else { return }
        let (old, next) = (layer, Layer(floor.archive(), enlargedTo: lastZoom))
        // In pixels. With this size, tiles have the camera's zoom on every display; pictures are scaled.
        next.tileSize = Int(256 * max(1, mapView.traitCollection.displayScale))
        next.zIndex = (old?.zIndex ?? 99) + 1
        next.fadeIn = old == nil
        next.map = mapView
        layer = next
        // The old floor goes when the new one has come, so that nothing flashes between them.
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { old?.map = nil }
    }

    /// Sets the camera that shows the building on a phone held upright.
    func showAll() {
        let (camera, zooms) = (building.camera, Double(building.zooms.lowerBound)...Double(lastZoom))
        let zoom = Float(min(max(camera.zoom, zooms.lowerBound), zooms.upperBound))
        mapView?.camera = .init(latitude: camera.latitude, longitude: camera.longitude, zoom: zoom)
    }

    /// Limits the camera to the building. Leave it out if the map shows more.
    func limitCamera() {
        let area = building.bounds
        mapView?.setMinZoom(Float(building.zooms.lowerBound), maxZoom: Float(lastZoom))
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView?.cameraTargetBounds = GMSCoordinateBounds(
            coordinate: .init(latitude: area.south, longitude: area.west),
            coordinate: .init(
                latitude: area.north, longitude: area.east > 180 ? area.east - 360 : area.east))
    }

    // __PART_LAYER_SWIFT__
}
