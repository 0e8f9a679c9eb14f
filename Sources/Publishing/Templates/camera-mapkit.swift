// A camera for MapKit. Written by tilewright.
// __NOTE__
//
// MapKit uses distances instead of zooms. They are approximate: Apple does not publish the camera's
// field of view. Others have measured 30 degrees from the upper to the lower edge, MapLibre Native (its
// MGLAngularFieldOfView) among them. The scale in the middle of the view is that of the zoom; far from it, a
// tilted view differs from Google's. MapKit reduces a pitch that it does not allow at a distance.

import MapKit

/// The first camera of the map, and its limits.
@MainActor
enum MapCamera {
    /// The place in the middle of the view.
    static let target = CLLocationCoordinate2D(latitude: __LATITUDE__, longitude: __LONGITUDE__)

    /// The camera. Use it when the map has its size.
    static func camera(for mapView: MKMapView) -> MKMapCamera {
        MKMapCamera(
            lookingAtCenter: target,
            fromDistance: distance(zoom: __ZOOM__, at: target.latitude, in: mapView),
            pitch: __TILT__, heading: __BEARING__)
    }

    /// Sets the camera of a map, and its limits. Call it when the map has its size: in
    /// `viewDidLayoutSubviews`.
    static func apply(to mapView: MKMapView) {
        // __IF_ZOOMS__
        // MapKit sometimes uses distances that differ by a factor of about 1.5.
        mapView.cameraZoomRange = MKMapView.CameraZoomRange(
            minCenterCoordinateDistance: distance(zoom: __MAX_ZOOM__, at: target.latitude, in: mapView),
            maxCenterCoordinateDistance: distance(zoom: __MIN_ZOOM__, at: target.latitude, in: mapView))
        // __END_ZOOMS__
        // __IF_BOUNDS__
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView.cameraBoundary = MKMapView.CameraBoundary(mapRect: targetBounds)
        // __END_BOUNDS__
        mapView.camera = camera(for: mapView)
    }
    // __IF_BOUNDS__

    /// The bounds of the target.
    static var targetBounds: MKMapRect {
        rect(west: __WEST__, south: __SOUTH__, east: __EAST__, north: __NORTH__)
    }
    // __END_BOUNDS__
}

__DISTANCE__
