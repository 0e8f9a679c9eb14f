// A camera for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__

import GoogleMaps

/// The first camera of the map, and its limits.
@MainActor
enum MapCamera {
    /// The camera. The SDK allows a viewing angle of 65 degrees from zoom 16 on, and less below.
    static var position: GMSCameraPosition {
        GMSCameraPosition(
            latitude: __LATITUDE__, longitude: __LONGITUDE__, zoom: __ZOOM__, bearing: __BEARING__,
            viewingAngle: __TILT__)
    }

    /// Sets the camera of a map, and its limits.
    static func apply(to mapView: GMSMapView) {
        // __IF_ZOOMS__
        mapView.setMinZoom(__MIN_ZOOM__, maxZoom: __MAX_ZOOM__)
        // __END_ZOOMS__
        // __IF_BOUNDS__
        // These bounds limit the target in the middle of the view; the rest of the view may be outside.
        mapView.cameraTargetBounds = GMSCoordinateBounds(
            coordinate: CLLocationCoordinate2D(latitude: __SOUTH__, longitude: __WEST__),
            coordinate: CLLocationCoordinate2D(latitude: __NORTH__, longitude: __EAST__))
        // __END_BOUNDS__
        mapView.camera = position
    }
}
