// __IF_OVERVIEW__

+ (void)showAllInMapView:(GMSMapView *)mapView {
    mapView.camera = [GMSCameraPosition cameraWithLatitude:__CAMERA_LATITUDE__
                                                 longitude:__CAMERA_LONGITUDE__
                                                      zoom:__CAMERA_ZOOM__];
}
// __END_OVERVIEW__
// __IF_CAMERA_LIMITS__

+ (void)limitCameraOfMapView:(GMSMapView *)mapView {
    [mapView setMinZoom:__CAMERA_MIN_ZOOM__ maxZoom:__CAMERA_MAX_ZOOM__];
    // __IF_CAMERA_BOUNDS__
    // These bounds limit the target in the middle of the view; the rest of the view may be outside.
    mapView.cameraTargetBounds = [[GMSCoordinateBounds alloc]
        initWithCoordinate:CLLocationCoordinate2DMake(__CAMERA_SOUTH__, __CAMERA_WEST__)
                coordinate:CLLocationCoordinate2DMake(__CAMERA_NORTH__, __CAMERA_EAST__)];
    // __END_CAMERA_BOUNDS__
}
// __END_CAMERA_LIMITS__
