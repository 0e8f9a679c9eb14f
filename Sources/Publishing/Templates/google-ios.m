// __TITLE__ for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__

#import <GoogleMaps/GoogleMaps.h>
// __IF_TILES__
#import <UIKit/UIKit.h>

/// Tiles over the map. Where there is no tile, the map shows through.
@interface __NAME__ : NSObject
/// Adds the tiles to a map. Keep the returned layer: after an update, its clearTileCache shows new tiles;
/// map = nil removes it.
+ (nonnull GMSTileLayer *)addToMapView:(nonnull GMSMapView *)mapView;
/// Sets the camera that shows all tiles on a phone held upright.
+ (void)showAllInMapView:(nonnull GMSMapView *)mapView;
/// Limits the camera to the tiles. Leave it out if the map shows more than these tiles.
+ (void)limitCameraOfMapView:(nonnull GMSMapView *)mapView;
@end

@implementation __NAME__

+ (GMSTileLayer *)addToMapView:(GMSMapView *)mapView {
    // Without an address there is no tile: the map does not ask again.
    GMSURLTileLayer *layer = [GMSURLTileLayer
        tileLayerWithURLConstructor:^NSURL *(NSUInteger x, NSUInteger y, NSUInteger zoom) {
          return [self hasTileForX:x y:y zoom:zoom] ? [NSURL URLWithString:__URL__] : nil;
        }];
    // In pixels. With this size, tiles have the camera's zoom on every display; pictures are scaled.
    layer.tileSize = 256 * MAX(1, mapView.traitCollection.displayScale);
    layer.opacity = 1;
    layer.zIndex = 100;
    layer.map = mapView;
    // If Google's map or its own floor plans are in the way:
    // mapView.mapType = kGMSTypeNone;
    // mapView.indoorEnabled = NO;
    return layer;
}

+ (void)showAllInMapView:(GMSMapView *)mapView {
    mapView.camera = [GMSCameraPosition cameraWithLatitude:__CAMERA_LATITUDE__
                                                 longitude:__CAMERA_LONGITUDE__
                                                      zoom:__CAMERA_ZOOM__];
}

+ (void)limitCameraOfMapView:(GMSMapView *)mapView {
    [mapView setMinZoom:__CAMERA_MIN_ZOOM__ maxZoom:__CAMERA_MAX_ZOOM__];
    // __IF_CAMERA_BOUNDS__
    // These bounds limit the target in the middle of the view; the rest of the view may be outside.
    mapView.cameraTargetBounds = [[GMSCoordinateBounds alloc]
        initWithCoordinate:CLLocationCoordinate2DMake(__SOUTH__, __WEST__)
                coordinate:CLLocationCoordinate2DMake(__NORTH__, __EAST__)];
    // __END_CAMERA_BOUNDS__
}

+ (BOOL)hasTileForX:(NSUInteger)x y:(NSUInteger)y zoom:(NSUInteger)zoom {
    // Zoom, first column, first row, last column, last row, from the north-west.
    static const NSUInteger limits[][5] = {
        __LIMITS__
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const NSUInteger *one = limits[i];
        if (one[0] == zoom && one[1] <= x && x <= one[3] && one[2] <= y && y <= one[4]) {
            return YES;
        }
    }
    return NO;
}
__QUADKEY__

@end
// __END_TILES__
// __IF_CAMERA__

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
// __END_CAMERA__
