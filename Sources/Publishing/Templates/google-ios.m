// __TITLE__: map tiles for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__

#import <GoogleMaps/GoogleMaps.h>
#import <UIKit/UIKit.h>

/// Tiles that lie over the map where they exist, and nothing elsewhere.
@interface __NAME__ : GMSTileLayer

/// Where the tiles lie, for the camera: [GMSCameraUpdate fitBounds:[__NAME__ bounds]].
+ (nonnull GMSCoordinateBounds *)bounds;

/// Lays the tiles over a map. Keep what it returns: clearTileCache shows new tiles after an update,
/// map = nil takes them off. Beyond zoom __MAX_ZOOM__ nothing is drawn: setMinZoom:maxZoom: of the
/// map keeps it in view.
+ (nonnull instancetype)addToMapView:(nonnull GMSMapView *)mapView;

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

- (void)requestTileForX:(NSUInteger)x
                      y:(NSUInteger)y
                   zoom:(NSUInteger)zoom
               receiver:(id<GMSTileReceiver>)receiver {
    if (![__NAME__ hasTileForX:x y:y zoom:zoom]) {
        // "Never": the map does not ask again.
        [receiver receiveTileWithX:x y:y zoom:zoom image:kGMSTileLayerNoTile];
        return;
    }
    NSURL *url = [NSURL URLWithString:[__NAME__ addressForX:x y:y zoom:zoom]];
    NSURLSessionDataTask *task = [NSURLSession.sharedSession
          dataTaskWithURL:url
        completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {
          NSInteger status = ((NSHTTPURLResponse *)response).statusCode;
          // A tile that is missing was transparent; any other fault is "not now", which nil says:
          // the map asks again.
          BOOL isMissing = status == 403 || status == 404 || status == 410;
          UIImage *image = isMissing ? kGMSTileLayerNoTile : data ? [UIImage imageWithData:data] : nil;
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

@end
