// A camera for MapKit. Written by tilewright.
// __NOTE__
//
// MapKit has distances in the place of zooms. They are approximate: Apple does not publish the camera's
// field of view. Others have measured 30 degrees from the upper to the lower edge, MapLibre Native (its
// MGLAngularFieldOfView) among them. The scale in the middle of the view is that of the zoom; far from it, a
// tilted view differs from Google's. MapKit lowers pitches that it does not allow at a distance.

import MapKit

/// Where the map's camera begins, and what confines it.
@MainActor
enum MapCamera {
    /// The place in the middle of the view.
    static let target = CLLocationCoordinate2D(latitude: __LATITUDE__, longitude: __LONGITUDE__)

    /// The camera. The map must have its size.
    static func camera(for mapView: MKMapView) -> MKMapCamera {
        MKMapCamera(
            lookingAtCenter: target,
            fromDistance: distance(zoom: __ZOOM__, at: target.latitude, in: mapView),
            pitch: __TILT__, heading: __BEARING__)
    }

    /// Sets the camera of a map, and its limits. The map must have its size: call it from
    /// `viewDidLayoutSubviews`.
    static func apply(to mapView: MKMapView) {
        // __IF_ZOOMS__
        // MapKit has been seen to take these distances for others, by a factor of about 1.5.
        mapView.cameraZoomRange = MKMapView.CameraZoomRange(
            minCenterCoordinateDistance: distance(zoom: __MAX_ZOOM__, at: target.latitude, in: mapView),
            maxCenterCoordinateDistance: distance(zoom: __MIN_ZOOM__, at: target.latitude, in: mapView))
        // __END_ZOOMS__
        // __IF_BOUNDS__
        // It holds the target, in the middle of the view; what is seen may lie beyond.
        mapView.cameraBoundary = MKMapView.CameraBoundary(mapRect: targetBounds)
        // __END_BOUNDS__
        mapView.camera = camera(for: mapView)
    }
    // __IF_BOUNDS__

    /// Where the target may be.
    static var targetBounds: MKMapRect {
        rect(west: __WEST__, south: __SOUTH__, east: __EAST__, north: __NORTH__)
    }
    // __END_BOUNDS__
}

__DISTANCE__
