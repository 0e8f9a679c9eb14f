// The public names of UIKit and Foundation that snippets use.
#pragma once

typedef unsigned long NSUInteger;
typedef long NSInteger;
typedef signed char BOOL;
typedef __SIZE_TYPE__ size_t;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
#define NS_NOESCAPE __attribute__((noescape))

#pragma clang assume_nonnull begin

@class NSString;

@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
- (BOOL)isKindOfClass:(Class)type;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (Class)class;
+ (instancetype)alloc;
- (instancetype)init;
@end

@protocol NSCopying
@end

typedef struct {
    unsigned long state;
    id __unsafe_unretained _Nullable *_Nullable itemsPtr;
    unsigned long *_Nullable mutationsPtr;
    unsigned long extra[5];
} NSFastEnumerationState;

@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer
                                    count:(NSUInteger)count;
@end

@interface NSNumber : NSObject <NSCopying>
+ (NSNumber *)numberWithBool:(BOOL)value;
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithInteger:(NSInteger)value;
+ (NSNumber *)numberWithUnsignedInteger:(NSUInteger)value;
@property(readonly) double doubleValue;
@property(readonly) NSInteger integerValue;
@property(readonly) NSUInteger unsignedIntegerValue;
@property(readonly, copy) NSString *stringValue;
@end

@interface NSArray<__covariant ObjectType> : NSObject <NSFastEnumeration>
+ (instancetype)array;
+ (instancetype)arrayWithObjects:(const ObjectType _Nonnull[_Nullable])objects
                           count:(NSUInteger)count;
- (ObjectType)objectAtIndexedSubscript:(NSUInteger)index;
@property(readonly) NSUInteger count;
@end

@interface NSMutableArray<ObjectType> : NSArray <ObjectType>
- (void)addObject:(ObjectType)object;
@end

@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSFastEnumeration>
+ (instancetype)dictionaryWithObjects:(const ObjectType _Nonnull[_Nullable])objects
                              forKeys:(const KeyType<NSCopying> _Nonnull[_Nullable])keys
                                count:(NSUInteger)count;
- (nullable ObjectType)objectForKeyedSubscript:(KeyType)key;
@end

@interface NSString : NSObject <NSCopying>
+ (instancetype)stringWithFormat:(NSString *)format, ...
    __attribute__((format(__NSString__, 1, 2)));
- (NSString *)stringByAppendingFormat:(NSString *)format, ...
    __attribute__((format(__NSString__, 1, 2)));
- (NSString *)stringByReplacingOccurrencesOfString:(NSString *)target
                                        withString:(NSString *)replacement;
- (BOOL)containsString:(NSString *)text;
- (BOOL)isEqualToString:(nullable NSString *)text;
@property(readonly, nullable) const char *UTF8String;
@end

@interface NSMutableString : NSString
+ (instancetype)string;
- (void)appendFormat:(NSString *)format, ... __attribute__((format(__NSString__, 1, 2)));
@end

@interface NSData : NSObject
@end

extern NSString *const NSURLErrorDomain;
extern NSString *const NSLocalizedDescriptionKey;
enum { NSURLErrorCancelled = -999, NSURLErrorBadServerResponse = -1011 };

@interface NSError : NSObject
+ (instancetype)errorWithDomain:(NSString *)domain
                           code:(NSInteger)code
                       userInfo:(nullable NSDictionary<NSString *, id> *)info;
@property(readonly) NSInteger code;
@end

@interface NSURL : NSObject
+ (nullable instancetype)URLWithString:(NSString *)text;
+ (nullable instancetype)URLWithString:(NSString *)text relativeToURL:(nullable NSURL *)base;
@end

typedef enum : NSUInteger {
    NSURLRequestReturnCacheDataElseLoad = 2,
    NSURLRequestReloadRevalidatingCacheData = 5,
} NSURLRequestCachePolicy;

@interface NSURLRequest : NSObject
+ (instancetype)requestWithURL:(NSURL *)url
                   cachePolicy:(NSURLRequestCachePolicy)policy
               timeoutInterval:(double)seconds;
@end

typedef enum : NSUInteger { NSJSONReadingNone = 0 } NSJSONReadingOptions;

@interface NSJSONSerialization : NSObject
+ (nullable id)JSONObjectWithData:(NSData *)data
                          options:(NSJSONReadingOptions)options
                            error:(NSError *_Nullable *_Nullable)error;
@end

@interface NSURLResponse : NSObject
@end

@interface NSHTTPURLResponse : NSURLResponse
@property(readonly) NSInteger statusCode;
@end

@interface NSURLSessionDataTask : NSObject
- (void)resume;
@end

@interface NSURLSessionConfiguration : NSObject
@property(class, readonly) NSURLSessionConfiguration *defaultSessionConfiguration;
@end

@interface NSURLSession : NSObject
@property(class, readonly) NSURLSession *sharedSession;
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration;
- (void)invalidateAndCancel;
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request
                            completionHandler:(void (^)(NSData *_Nullable data,
                                                        NSURLResponse *_Nullable response,
                                                        NSError *_Nullable error))handler;
- (NSURLSessionDataTask *)dataTaskWithURL:(NSURL *)url
                        completionHandler:(void (^)(NSData *_Nullable data,
                                                    NSURLResponse *_Nullable response,
                                                    NSError *_Nullable error))handler;
@end

typedef double CGFloat;
typedef struct {
    CGFloat width;
    CGFloat height;
} CGSize;
typedef struct {
    CGFloat x;
    CGFloat y;
} CGPoint;
typedef struct {
    CGPoint origin;
    CGSize size;
} CGRect;
CGRect CGRectMake(CGFloat x, CGFloat y, CGFloat width, CGFloat height);

typedef struct CGContext *CGContextRef;
typedef enum : int { kCGInterpolationDefault = 0, kCGInterpolationHigh = 3 } CGInterpolationQuality;
void CGContextSetInterpolationQuality(CGContextRef _Nullable context, CGInterpolationQuality quality);

@interface UIImage : NSObject
+ (nullable UIImage *)imageWithData:(NSData *)data;
@property(nonatomic, readonly) CGSize size;
- (void)drawInRect:(CGRect)rect;
@end

@interface UIGraphicsRendererFormat : NSObject
@end

@interface UIGraphicsImageRendererFormat : UIGraphicsRendererFormat
@property(nonatomic) CGFloat scale;
@property(nonatomic) BOOL opaque;
@end

@interface UIGraphicsRendererContext : NSObject
@property(nonatomic, readonly) CGContextRef CGContext;
@end

@interface UIGraphicsImageRendererContext : UIGraphicsRendererContext
@end

@interface UIGraphicsImageRenderer : NSObject
- (instancetype)initWithSize:(CGSize)size format:(UIGraphicsImageRendererFormat *)format;
- (UIImage *)imageWithActions:
    (void(NS_NOESCAPE ^)(UIGraphicsImageRendererContext *context))actions;
@end

@interface OS_dispatch_queue : NSObject
@end
typedef OS_dispatch_queue *dispatch_queue_t;
dispatch_queue_t dispatch_get_main_queue(void);
void dispatch_async(dispatch_queue_t queue, void (^block)(void));

#pragma clang assume_nonnull end
