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
// __END_TILES__
// __IF_CAMERA__

/// The first camera of the map, and its limits.
@interface __NAME__ : NSObject
/// The camera: mapView.camera = MapCamera.position. The SDK allows a viewing angle of 65 degrees from zoom 16
/// on, and less below.
+ (nonnull GMSCameraPosition *)position;
// __END_CAMERA__
// __IF_CAMERA_LIMITS__
/// Limits the camera. Leave it out if the map shows more.
+ (void)limitCameraOfMapView:(nonnull GMSMapView *)mapView;
// __END_CAMERA_LIMITS__
@end

@implementation __NAME__
// __IF_TILES__

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
// __IF_QUADKEY__

/// The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.
+ (NSString *)quadkeyForX:(NSUInteger)x y:(NSUInteger)y zoom:(NSUInteger)zoom {
    NSMutableString *key = [NSMutableString string];
    for (NSUInteger bit = zoom; bit-- > 0;) {
        [key appendFormat:@"%lu", (unsigned long)((x >> bit & 1) | (y >> bit & 1) << 1)];
    }
    return key;
}
// __END_QUADKEY__
// __END_TILES__
// __IF_CAMERA__

+ (GMSCameraPosition *)position {
    return [GMSCameraPosition cameraWithLatitude:__CAMERA_LATITUDE__
                                       longitude:__CAMERA_LONGITUDE__
                                            zoom:__CAMERA_ZOOM__
                                         bearing:__CAMERA_BEARING__
                                    viewingAngle:__CAMERA_TILT__];
}
// __END_CAMERA__
// __PART_CAMERA_M__

@end
