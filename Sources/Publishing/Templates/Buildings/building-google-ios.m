// __TITLE__: the floors of a building for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__

#import <GoogleMaps/GoogleMaps.h>
#import <UIKit/UIKit.h>
// __END_IMPORTS__

/// Shows one floor at a time. Print this code again if floors or zooms change.
@interface __NAME__ : NSObject
/// The names of the floors, from the lowest.
@property(class, nonatomic, readonly, nonnull) NSArray<NSString *> *floors;
/// The tiles on the map: after an update, its clearTileCache shows new tiles; map = nil removes it.
@property(nonatomic, readonly, nullable) GMSTileLayer *layer;
/// Shows a floor instead of the current one.
- (void)showFloor:(nonnull NSString *)floor inMapView:(nonnull GMSMapView *)mapView;
/// Sets the camera that shows the building on a phone held upright.
+ (void)showAllInMapView:(nonnull GMSMapView *)mapView;
/// Limits the camera to the building. Leave it out if the map shows more.
+ (void)limitCameraOfMapView:(nonnull GMSMapView *)mapView;
@end

@implementation __NAME__

+ (NSArray<NSString *> *)floors {
    return @[
        __FLOORS__
    ];
}

/// The addresses of the floors' tiles.
+ (NSDictionary<NSString *, NSString *> *)addresses {
    return @{
        __ADDRESSES__
    };
}

- (void)showFloor:(NSString *)floor inMapView:(GMSMapView *)mapView {
    NSString *address = __NAME__.addresses[floor];
    // Without an address there is no tile: the map does not ask again.
    GMSURLTileLayer *layer = [GMSURLTileLayer
        tileLayerWithURLConstructor:^NSURL *(NSUInteger x, NSUInteger y, NSUInteger zoom) {
          if (!address || zoom < __CAMERA_MIN_ZOOM__ || zoom > __CAMERA_MAX_ZOOM__) {
              return nil;
          }
          NSString *text = address;
          NSUInteger fromSouth = ((NSUInteger)1 << zoom) - 1 - y;
          NSDictionary<NSString *, NSNumber *> *numbers =
              @{@"{z}" : @(zoom), @"{x}" : @(x), @"{y}" : @(y), @"{-y}" : @(fromSouth)};
          for (NSString *name in numbers) {
              text = [text stringByReplacingOccurrencesOfString:name
                                                     withString:numbers[name].stringValue];
          }
          return [NSURL URLWithString:text];
        }];
    // In pixels. With this size, tiles have the camera's zoom on every display; pictures are scaled.
    layer.tileSize = 256 * MAX(1, mapView.traitCollection.displayScale);
    GMSTileLayer *old = self.layer;
    layer.zIndex = old ? old.zIndex + 1 : 100;
    layer.fadeIn = !old;
    layer.map = mapView;
    // If Google's map or its own floor plans are in the way:
    // mapView.mapType = kGMSTypeNone;
    // mapView.indoorEnabled = NO;
    _layer = layer;
    // The old floor goes when the new one has come, so that nothing flashes between them.
    dispatch_after(dispatch_time(DISPATCH_TIME_NOW, NSEC_PER_SEC / 2), dispatch_get_main_queue(), ^{
      old.map = nil;
    });
}
// __PART_CAMERA_M__

@end
