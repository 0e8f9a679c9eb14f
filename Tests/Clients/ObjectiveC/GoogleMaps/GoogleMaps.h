// The public names of the Google Maps SDK for iOS that snippets use, after its reference:
// https://developers.google.com/maps/documentation/ios-sdk/reference/objc.
#pragma once

#import <UIKit/UIKit.h>

#pragma clang assume_nonnull begin

typedef struct {
    double latitude;
    double longitude;
} CLLocationCoordinate2D;
CLLocationCoordinate2D CLLocationCoordinate2DMake(double latitude, double longitude);

@interface GMSCoordinateBounds : NSObject
- (id)initWithCoordinate:(CLLocationCoordinate2D)coordinate
              coordinate:(CLLocationCoordinate2D)other;
@end

@interface GMSCameraPosition : NSObject
+ (instancetype)cameraWithLatitude:(double)latitude longitude:(double)longitude zoom:(float)zoom;
+ (instancetype)cameraWithLatitude:(double)latitude
                         longitude:(double)longitude
                              zoom:(float)zoom
                           bearing:(double)bearing
                      viewingAngle:(double)viewingAngle;
@end

typedef enum : NSUInteger { kGMSTypeNormal, kGMSTypeNone } GMSMapViewType;

@interface GMSMapView : UIView
@property(nonatomic) GMSMapViewType mapType;
@property(nonatomic, getter=isIndoorEnabled) BOOL indoorEnabled;
@property(nonatomic, copy) GMSCameraPosition *camera;
@property(nonatomic, nullable) GMSCoordinateBounds *cameraTargetBounds;
- (void)setMinZoom:(float)minZoom maxZoom:(float)maxZoom;
@end

extern UIImage *const kGMSTileLayerNoTile;

@protocol GMSTileReceiver
- (void)receiveTileWithX:(NSUInteger)x
                       y:(NSUInteger)y
                    zoom:(NSUInteger)zoom
                   image:(nullable UIImage *)image;
@end

@interface GMSTileLayer : NSObject
- (void)requestTileForX:(NSUInteger)x
                      y:(NSUInteger)y
                   zoom:(NSUInteger)zoom
               receiver:(id<GMSTileReceiver>)receiver;
- (void)clearTileCache;
@property(nonatomic, weak, nullable) GMSMapView *map;
@property(nonatomic) int zIndex;
@property(nonatomic) NSInteger tileSize;
@property(nonatomic) float opacity;
@property(nonatomic) BOOL fadeIn;
@end

typedef NSURL *_Nullable (^GMSTileURLConstructor)(NSUInteger x, NSUInteger y, NSUInteger zoom);

@interface GMSURLTileLayer : GMSTileLayer
+ (instancetype)tileLayerWithURLConstructor:(GMSTileURLConstructor)constructor;
@end

#pragma clang assume_nonnull end
