// __TITLE__ for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__

#import <GoogleMaps/GoogleMaps.h>
// __IF_TILES__
#import <UIKit/UIKit.h>

/// Tiles over the map. Where there is no tile, the map shows through.
///
///     [__NAME__ addToMapView:mapView];
///     [__NAME__ showAllInMapView:mapView];
///     [__NAME__ limitCameraOfMapView:mapView];
@interface __NAME__ : GMSTileLayer

/// The area of the tiles, for the camera: [GMSCameraUpdate fitBounds:[__NAME__ bounds]].
+ (nonnull GMSCoordinateBounds *)bounds;

/// Adds the tiles to a map. Keep the returned layer: after an update, its clearTileCache shows new tiles;
/// map = nil removes it. From zoom __MAX_ZOOM__ up to __ENLARGE_TO__ tiles are enlarged; beyond that
/// nothing is drawn.
+ (nonnull instancetype)addToMapView:(nonnull GMSMapView *)mapView;

/// Sets the camera that shows all tiles on a phone held upright.
+ (void)showAllInMapView:(nonnull GMSMapView *)mapView;

/// Limits the camera to the zooms and the area of the tiles. Leave it out if the map shows more than these
/// tiles.
+ (void)limitCameraOfMapView:(nonnull GMSMapView *)mapView;

@end

@implementation __NAME__

+ (GMSCoordinateBounds *)bounds {
    return [[GMSCoordinateBounds alloc]
        initWithCoordinate:CLLocationCoordinate2DMake(__SOUTH__, __WEST__)
                coordinate:CLLocationCoordinate2DMake(__NORTH__, __EAST__)];
}

+ (instancetype)addToMapView:(GMSMapView *)mapView {
    __NAME__ *layer = [[self alloc] init];
    // __SIZE_NOTE__
    layer.tileSize = __TILE_SIZE__;
    layer.opacity = 1;
    layer.zIndex = 100;
    layer.map = mapView;
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
    mapView.cameraTargetBounds = [__NAME__ bounds];
    // __END_CAMERA_BOUNDS__
}

- (void)requestTileForX:(NSUInteger)x
                      y:(NSUInteger)y
                   zoom:(NSUInteger)zoom
               receiver:(id<GMSTileReceiver>)receiver {
    // Beyond the last zoom with tiles, an ancestor tile is enlarged.
    NSUInteger steps = zoom > __MAX_ZOOM__ ? zoom - __MAX_ZOOM__ : 0;
    NSUInteger column = x >> steps, row = y >> steps, level = zoom - steps;
    if (zoom > __ENLARGE_TO__ || ![__NAME__ hasTileForX:column y:row zoom:level]) {
        // "Never": the map does not ask again.
        [receiver receiveTileWithX:x y:y zoom:zoom image:kGMSTileLayerNoTile];
        return;
    }
    NSURL *url = [NSURL URLWithString:[__NAME__ addressForX:column y:row zoom:level]];
    // A copy in the URL cache serves the other parts of an ancestor.
    NSURLSessionDataTask *task = [NSURLSession.sharedSession
          dataTaskWithURL:url
        completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {
          NSInteger status = ((NSHTTPURLResponse *)response).statusCode;
          // A missing tile is transparent. After any other error, nil means "not now": the map asks again.
          BOOL isMissing = status == 403 || status == 404 || status == 410;
          UIImage *file = data ? [UIImage imageWithData:data] : nil;
          UIImage *image = isMissing ? kGMSTileLayerNoTile
                                     : [__NAME__ enlarge:file x:x y:y steps:steps];
          dispatch_async(dispatch_get_main_queue(), ^{
            [receiver receiveTileWithX:x y:y zoom:zoom image:image];
          });
        }];
    [task resume];
}

+ (BOOL)hasTileForX:(NSUInteger)x y:(NSUInteger)y zoom:(NSUInteger)zoom {
    // The tiles that exist: zoom, first and last column from the west, first and last row from the
    // north.
    static const NSUInteger limits[][5] = {
        __LIMITS__
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const NSUInteger *part = limits[i];
        if (part[0] == zoom && part[1] <= x && x <= part[2] && part[3] <= y && y <= part[4]) {
            return YES;
        }
    }
    return NO;
}

+ (NSString *)addressForX:(NSUInteger)x y:(NSUInteger)y zoom:(NSUInteger)zoom {
    return __URL__;
}
__QUADKEY__

__ENLARGING__

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
