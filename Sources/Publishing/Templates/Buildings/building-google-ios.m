// __TITLE__: the floors of a building for the Google Maps SDK for iOS. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__

#import <GoogleMaps/GoogleMaps.h>
#import <UIKit/UIKit.h>
// __END_IMPORTS__

/// A floor, as building.json describes it.
@interface __FLOOR__ : NSObject
/// The name by which showFloor: finds it.
@property(nonatomic, readonly, nonnull) NSString *floor;
/// The name for people.
@property(nonatomic, readonly, nonnull) NSString *label;
/// The text of its button.
@property(nonatomic, readonly, nonnull) NSString *shortName;
/// Whom to credit; may be empty.
@property(nonatomic, readonly, nonnull) NSString *attribution;
/// The first zoom with tiles.
@property(nonatomic, readonly) NSInteger minzoom;
/// The last zoom with tiles.
@property(nonatomic, readonly) NSInteger maxzoom;
/// The area of the floor, for the camera: [GMSCameraUpdate fitBounds:floors.floor.bounds].
@property(nonatomic, readonly, nonnull) GMSCoordinateBounds *bounds;
@end

/// Shows one floor at a time, and switches between them. Call its methods on the main thread.
///
///     [floors addToMapView:mapView];
///     [floors showAll];
///     [floors limitCamera];
@interface __NAME__ : NSObject

/// The name of the building.
@property(nonatomic, readonly, nonnull) NSString *name;
/// The floors from the lowest.
@property(nonatomic, readonly, nonnull) NSArray<__FLOOR__ *> *floors;
/// The floor that is shown.
@property(nonatomic, readonly, nonnull) __FLOOR__ *floor;
/// Called with the floor when another floor is shown, or when the floor changed.
@property(nonatomic, copy, nullable) void (^onChange)(__FLOOR__ *_Nonnull floor);
/// Called with the error if a tile cannot be loaded; the map asks for it again.
@property(nonatomic, copy, nullable) void (^onTileError)(NSError *_Nonnull error);

/// Reads the building's index. The result is the floors or an error.
+ (void)loadWithCompletion:(nonnull void (^)(__NAME__ *_Nullable floors,
                                             NSError *_Nullable error))completion;

/// Reads the index again and shows its changes. After an error, everything stays as it is.
- (void)reloadWithCompletion:(nonnull void (^)(NSError *_Nullable error))completion;

/// Adds the floor to a map. Beyond the floor's last zoom its tiles are enlarged.
- (void)addToMapView:(nonnull GMSMapView *)mapView;

/// Sets the camera that shows the building on a phone held upright.
- (void)showAll;

/// Limits the camera to the zooms and the area of the building. Leave it out if the map shows more than the
/// building.
- (void)limitCamera;

/// Removes the floor from its map.
- (void)remove;

/// Shows this floor instead of the current one. NO if none has that name.
- (BOOL)showFloor:(nonnull NSString *)name;

@end

// Private members.

@interface __FLOOR__ ()
/// Members of building.json: addresses, limits and more.
@property(nonatomic, readonly, nonnull) NSDictionary<NSString *, id> *members;
+ (BOOL)isList:(nullable id)value ofCount:(NSUInteger)count;
+ (nonnull GMSCoordinateBounds *)boundsWithEdges:(nonnull NSArray<NSNumber *> *)edges;
@end

@implementation __FLOOR__

/// Nil if a member is missing or has another type.
- (nullable instancetype)initWithMembers:(nonnull id)members {
    if (!(self = [super init]) || ![members isKindOfClass:NSDictionary.class]) return nil;
    _members = members;
    for (NSString *key in @[ @"floor", @"label", @"shortName", @"tiles", @"scheme", @"digest" ]) {
        if (![_members[key] isKindOfClass:NSString.class]) return nil;
    }
    for (NSString *key in @[ @"minzoom", @"maxzoom", @"tileSize" ]) {
        if (![_members[key] isKindOfClass:NSNumber.class]) return nil;
    }
    if (![__FLOOR__ isList:_members[@"bounds"] ofCount:4]) return nil;
    if (![_members[@"limits"] isKindOfClass:NSArray.class]) return nil;
    for (id part in _members[@"limits"]) {
        if (![__FLOOR__ isList:part ofCount:5]) return nil;
    }
    _floor = _members[@"floor"];
    _label = _members[@"label"];
    _shortName = _members[@"shortName"];
    NSString *attribution = _members[@"attribution"];
    _attribution = [attribution isKindOfClass:NSString.class] ? attribution : @"";
    _minzoom = [_members[@"minzoom"] integerValue];
    _maxzoom = [_members[@"maxzoom"] integerValue];
    _bounds = [__FLOOR__ boundsWithEdges:_members[@"bounds"]];
    return self;
}

+ (BOOL)isList:(nullable id)value ofCount:(NSUInteger)count {
    if (![value isKindOfClass:NSArray.class] || [value count] != count) return NO;
    for (id number in value) {
        if (![number isKindOfClass:NSNumber.class]) return NO;
    }
    return YES;
}

+ (nonnull GMSCoordinateBounds *)boundsWithEdges:(nonnull NSArray<NSNumber *> *)edges {
    double east = edges[2].doubleValue;
    // Beyond 180 degrees, the east is on the other side of the antimeridian.
    if (east > 180) east -= 360;
    return [[GMSCoordinateBounds alloc]
        initWithCoordinate:CLLocationCoordinate2DMake(edges[1].doubleValue, edges[0].doubleValue)
                coordinate:CLLocationCoordinate2DMake(edges[3].doubleValue, east)];
}

- (BOOL)hasTileForX:(NSUInteger)x y:(NSUInteger)y zoom:(NSUInteger)zoom {
    // Zoom, first column and row, last column and row; rows count from the north.
    for (NSArray<NSNumber *> *part in _members[@"limits"]) {
        if (part[0].unsignedIntegerValue == zoom && part[1].unsignedIntegerValue <= x &&
            part[2].unsignedIntegerValue <= y && x <= part[3].unsignedIntegerValue &&
            y <= part[4].unsignedIntegerValue) {
            return YES;
        }
    }
    return NO;
}

/// Nil if there is no such tile.
- (nullable NSURL *)addressForX:(NSUInteger)x y:(NSUInteger)y zoom:(NSUInteger)zoom {
    if (![self hasTileForX:x y:y zoom:zoom]) return nil;
    NSString *path = _members[@"tiles"];
    BOOL isFromSouth =
        [_members[@"scheme"] isEqualToString:@"tms"] || [path containsString:@"{-y}"];
    NSUInteger row = isFromSouth ? ((NSUInteger)1 << zoom) - 1 - y : y;
    // One digit per zoom: 0 NW, 1 NE, 2 SW, 3 SE.
    NSMutableString *quadkey = [NSMutableString string];
    for (NSUInteger bit = zoom; bit-- > 0;) {
        [quadkey appendFormat:@"%lu", (unsigned long)((x >> bit & 1) | (y >> bit & 1) << 1)];
    }
    NSDictionary<NSString *, NSString *> *values = @{
        @"{z}" : @(zoom).stringValue,
        @"{x}" : @(x).stringValue,
        @"{y}" : @(row).stringValue,
        @"{-y}" : @(row).stringValue,
        @"{quadkey}" : quadkey,
    };
    for (NSString *key in values) {
        path = [path stringByReplacingOccurrencesOfString:key withString:values[key]];
    }
    // The address contains the first digits of the digest, so that a cache keeps tiles until they change.
    NSString *digest = _members[@"digest"];
    NSString *mark = [path containsString:@"?"] ? @"&" : @"?";
    path = [path stringByAppendingFormat:@"%@v=%.8s", mark, digest.UTF8String];
    return [NSURL URLWithString:path relativeToURL:[NSURL URLWithString:__INDEX__]];
}

@end

/// The tiles of a floor.
@interface __LAYER__ : GMSTileLayer
@property(nonatomic, nonnull) __FLOOR__ *floor;
@property(nonatomic) NSUInteger lastZoom;
@property(nonatomic, copy, nonnull) void (^report)(NSError *_Nonnull error);
@end

@implementation __LAYER__ {
    NSURLSession *_session;
}

- (instancetype)init {
    if ((self = [super init])) {
        _session =
            [NSURLSession sessionWithConfiguration:NSURLSessionConfiguration.defaultSessionConfiguration];
    }
    return self;
}

/// Cancels requests that are not finished. An invalidated session accepts no new requests.
- (void)cancel {
    @synchronized(self) {
        [_session invalidateAndCancel];
        _session = nil;
    }
}

- (void)requestTileForX:(NSUInteger)x
                      y:(NSUInteger)y
                   zoom:(NSUInteger)zoom
               receiver:(id<GMSTileReceiver>)receiver {
    // Beyond the last zoom with tiles, an ancestor tile is enlarged.
    NSUInteger last = (NSUInteger)self.floor.maxzoom, steps = zoom > last ? zoom - last : 0;
    NSURL *url = [self.floor addressForX:x >> steps y:y >> steps zoom:zoom - steps];
    if (!url || zoom > self.lastZoom) {
        // "Never": the map does not ask again.
        [receiver receiveTileWithX:x y:y zoom:zoom image:kGMSTileLayerNoTile];
        return;
    }
    // The address changes with the tiles, so that a cached copy is valid.
    NSURLRequest *request = [NSURLRequest requestWithURL:url
                                             cachePolicy:NSURLRequestReturnCacheDataElseLoad
                                         timeoutInterval:60];
    void (^report)(NSError *) = self.report;
    @synchronized(self) {
        [[_session dataTaskWithRequest:request
                     completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {
                       NSInteger status = ((NSHTTPURLResponse *)response).statusCode;
                       // A missing tile is transparent. After any other error, nil means "not now": the map
                       // asks again.
                       BOOL isMissing = status == 403 || status == 404 || status == 410;
                       UIImage *file = status == 200 ? [UIImage imageWithData:data] : nil;
                       UIImage *image = isMissing ? kGMSTileLayerNoTile
                                                  : [__LAYER__ enlarge:file x:x y:y steps:steps];
                       NSError *problem = error;
                       if (!image && !error) {
                           problem = [NSError errorWithDomain:NSURLErrorDomain
                                                         code:NSURLErrorBadServerResponse
                                                     userInfo:nil];
                       }
                       dispatch_async(dispatch_get_main_queue(), ^{
                         [receiver receiveTileWithX:x y:y zoom:zoom image:image];
                         if (problem && problem.code != NSURLErrorCancelled) report(problem);
                       });
                     }] resume];
    }
}

__ENLARGING__

@end

@implementation __NAME__ {
    NSArray<NSNumber *> *_edges, *_target;
    double _zoom;
    __weak GMSMapView *_mapView;
    __LAYER__ *_layer;
}

+ (void)loadWithCompletion:(void (^)(__NAME__ *floors, NSError *error))completion {
    __NAME__ *floors = [[self alloc] init];
    [floors reloadWithCompletion:^(NSError *error) {
      completion(error ? nil : floors, error);
    }];
}

- (void)reloadWithCompletion:(void (^)(NSError *error))completion {
    // The server says whether the app's copy is still valid.
    NSURLRequest *request =
        [NSURLRequest requestWithURL:[NSURL URLWithString:__INDEX__]
                         cachePolicy:NSURLRequestReloadRevalidatingCacheData
                     timeoutInterval:60];
    [[NSURLSession.sharedSession
          dataTaskWithRequest:request
            completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {
              NSInteger status = ((NSHTTPURLResponse *)response).statusCode;
              dispatch_async(dispatch_get_main_queue(), ^{
                if (error) {
                    completion(error);
                } else if (status != 200) {
                    completion([self problem:@(status).stringValue]);
                } else {
                    completion([self readIndex:data]);
                }
              });
            }] resume];
}

/// The error of the index; nil if the index is valid.
- (nullable NSError *)readIndex:(nonnull NSData *)data {
    NSError *error = nil;
    NSDictionary *index = [NSJSONSerialization JSONObjectWithData:data options:0 error:&error];
    if (error) return error;
    if (![index isKindOfClass:NSDictionary.class] || ![index[@"version"] isEqual:@1] ||
        ![index[@"name"] isKindOfClass:NSString.class] ||
        ![index[@"floors"] isKindOfClass:NSArray.class]) {
        return [self problem:@"not an index of version 1"];
    }
    NSDictionary *camera = index[@"camera"];
    if (![camera isKindOfClass:NSDictionary.class] || ![__FLOOR__ isList:camera[@"target"] ofCount:2] ||
        ![camera[@"zoom"] isKindOfClass:NSNumber.class] ||
        ![__FLOOR__ isList:index[@"bounds"] ofCount:4]) {
        return [self problem:@"it does not say where the building is"];
    }
    NSMutableArray<__FLOOR__ *> *floors = [NSMutableArray array];
    __FLOOR__ *first = nil, *same = nil;
    for (id members in index[@"floors"]) {
        __FLOOR__ *floor = [[__FLOOR__ alloc] initWithMembers:members];
        if (!floor) return [self problem:@"a floor is incomplete"];
        [floors addObject:floor];
        if (!first || [members[@"default"] isEqual:@YES]) first = floor;
        if ([floor.floor isEqualToString:_floor.floor]) same = floor;
    }
    if (!first) return [self problem:@"there are no floors"];
    _name = index[@"name"];
    _floors = floors;
    _edges = index[@"bounds"];
    _target = camera[@"target"];
    _zoom = [camera[@"zoom"] doubleValue];
    __FLOOR__ *floor = same ? same : first;
    if (![floor.members isEqual:_floor.members]) [self changeToFloor:floor];
    return nil;
}

- (nonnull NSError *)problem:(nonnull NSString *)what {
    NSString *text = [NSString stringWithFormat:@"%@: %@", __INDEX__, what];
    return [NSError errorWithDomain:@"__NAME__"
                               code:1
                           userInfo:@{NSLocalizedDescriptionKey : text}];
}

- (void)addToMapView:(GMSMapView *)mapView {
    _mapView = mapView;
    [self lay];
}

- (void)remove {
    [self clear];
    _mapView = nil;
}

- (void)showAll {
    double last = (double)[self lastZoom];
    _mapView.camera = [GMSCameraPosition cameraWithLatitude:_target[1].doubleValue
                                                  longitude:_target[0].doubleValue
                                                       zoom:(float)(_zoom < last ? _zoom : last)];
}

- (void)limitCamera {
    NSInteger first = (NSInteger)_zoom;
    for (__FLOOR__ *floor in _floors) {
        if (floor.minzoom < first) first = floor.minzoom;
    }
    [_mapView setMinZoom:(float)first maxZoom:(float)[self lastZoom]];
    // These bounds limit the target in the middle of the view; the rest of the view may be outside.
    _mapView.cameraTargetBounds = [__FLOOR__ boundsWithEdges:_edges];
}

/// The zoom up to which tiles are enlarged.
- (NSInteger)lastZoom {
    NSInteger last = 0;
    for (__FLOOR__ *floor in _floors) {
        if (floor.maxzoom > last) last = floor.maxzoom;
    }
    return __LAST_ZOOM__;
}

- (BOOL)showFloor:(NSString *)name {
    for (__FLOOR__ *floor in _floors) {
        if (![floor.floor isEqualToString:name]) continue;
        if (![floor.members isEqual:_floor.members]) [self changeToFloor:floor];
        return YES;
    }
    return NO;
}

- (void)changeToFloor:(nonnull __FLOOR__ *)floor {
    _floor = floor;
    [self lay];
    if (self.onChange) self.onChange(floor);
}

- (void)lay {
    GMSMapView *mapView = _mapView;
    if (!mapView) return;
    [self clear];
    _layer = [[__LAYER__ alloc] init];
    _layer.floor = _floor;
    _layer.lastZoom = (NSUInteger)[self lastZoom];
    __weak __NAME__ *weakSelf = self;
    _layer.report = ^(NSError *error) {
      __NAME__ *floors = weakSelf;
      if (floors.onTileError) floors.onTileError(error);
    };
    // Pixels of a file, not points: on displays of double density, files of 256 pixels are drawn at
    // 128 points. Files of 512 pixels are better there.
    _layer.tileSize = [_floor.members[@"tileSize"] integerValue];
    _layer.opacity = 1;
    _layer.zIndex = 100;
    _layer.map = mapView;
}

- (void)clear {
    [_layer cancel];
    [_layer clearTileCache];
    _layer.map = nil;
    _layer = nil;
}

@end
