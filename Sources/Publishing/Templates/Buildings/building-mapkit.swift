// __TITLE__: the floors of a building for MapKit. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__

import MapKit
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
///
/// The map's delegate answers `mapView(_:rendererFor:)` with `overlay.makeRenderer()` for a `TileOverlay`.
@MainActor
final class __NAME__: ObservableObject {
    // __PART_BUILDING_SWIFT__

    private var overlay: TileOverlay?
    private weak var mapView: MKMapView?

    /// Adds the floor to a map.
    func add(to mapView: MKMapView) {
        self.mapView = mapView
        lay()
    }

    func remove() {
        if let overlay { mapView?.removeOverlay(overlay) }
        (overlay, mapView) = (nil, nil)
    }

    private func lay() {
        guard let mapView else { return }
        let (old, next) = (overlay, TileOverlay(floor.archive(), enlargedTo: lastZoom))
        // true: without Apple's map.
        next.canReplaceMapContent = false
        mapView.addOverlay(next, level: .aboveLabels)
        overlay = next
        // The old floor goes when the new one has come, so that nothing flashes between them.
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { old.map(mapView.removeOverlay) }
    }

    /// Shows the whole building. Call it when the map has its size: in `viewDidLayoutSubviews` or later.
    func showAll() {
        mapView?.setVisibleMapRect(
            building.bounds.mapRect, edgePadding: .init(top: 64, left: 64, bottom: 64, right: 64),
            animated: false)
    }

    /// Limits the camera to the building. Call it when the map has its size; leave it out if the map shows more.
    func limitCamera() {
        guard let mapView else { return }
        let (first, last) = (Double(building.zooms.lowerBound), Double(lastZoom))
        let latitude = building.camera.latitude
        // MapKit sometimes uses distances that differ by a factor of about 1.5.
        mapView.cameraZoomRange = MKMapView.CameraZoomRange(
            minCenterCoordinateDistance: Self.distance(zoom: last, at: latitude, in: mapView),
            maxCenterCoordinateDistance: Self.distance(zoom: first, at: latitude, in: mapView))
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView.cameraBoundary = MKMapView.CameraBoundary(mapRect: building.bounds.mapRect)
    }

    // __PART_DISTANCE_SWIFT__
}
