// A camera for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__

#import <GoogleMaps/GoogleMaps.h>

/// The first camera of the map, and its limits.
@interface MapCamera : NSObject

/// The camera. The SDK allows a viewing angle of 65 degrees from zoom 16 on, and less below.
+ (nonnull GMSCameraPosition *)position;

/// Sets the camera of a map, and its limits.
+ (void)applyToMapView:(nonnull GMSMapView *)mapView;

@end

@implementation MapCamera

+ (GMSCameraPosition *)position {
    return [GMSCameraPosition cameraWithLatitude:__LATITUDE__
                                       longitude:__LONGITUDE__
                                            zoom:__ZOOM__
                                         bearing:__BEARING__
                                    viewingAngle:__TILT__];
}

+ (void)applyToMapView:(GMSMapView *)mapView {
    // __IF_ZOOMS__
    [mapView setMinZoom:__MIN_ZOOM__ maxZoom:__MAX_ZOOM__];
    // __END_ZOOMS__
    // __IF_BOUNDS__
    // These bounds limit the target in the middle of the view; the rest of the view may be outside.
    mapView.cameraTargetBounds = [[GMSCoordinateBounds alloc]
        initWithCoordinate:CLLocationCoordinate2DMake(__SOUTH__, __WEST__)
                coordinate:CLLocationCoordinate2DMake(__NORTH__, __EAST__)];
    // __END_BOUNDS__
    mapView.camera = [MapCamera position];
}

@end
