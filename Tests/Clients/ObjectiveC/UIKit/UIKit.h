// The public names of UIKit and Foundation that snippets use.
#pragma once

typedef unsigned long NSUInteger;
typedef long NSInteger;
typedef signed char BOOL;
typedef double CGFloat;
typedef __SIZE_TYPE__ size_t;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#pragma clang assume_nonnull begin

@class NSString;

__attribute__((objc_root_class))
@interface NSObject
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
+ (NSNumber *)numberWithUnsignedInteger:(NSUInteger)value;
@property(readonly, copy) NSString *stringValue;
@end

@interface NSArray<__covariant ObjectType> : NSObject <NSFastEnumeration>
+ (instancetype)arrayWithObjects:(const ObjectType _Nonnull[_Nullable])objects
                           count:(NSUInteger)count;
@end

@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSFastEnumeration>
+ (instancetype)dictionaryWithObjects:(const ObjectType _Nonnull[_Nullable])objects
                              forKeys:(const id<NSCopying> _Nonnull[_Nullable])keys
                                count:(NSUInteger)count;
- (nullable ObjectType)objectForKeyedSubscript:(KeyType)key;
@end

@interface NSString : NSObject <NSCopying>
+ (instancetype)stringWithFormat:(NSString *)format, ...
    __attribute__((format(__NSString__, 1, 2)));
- (NSString *)stringByReplacingOccurrencesOfString:(NSString *)target
                                        withString:(NSString *)replacement;
@end

@interface NSMutableString : NSString
+ (instancetype)string;
- (void)appendFormat:(NSString *)format, ... __attribute__((format(__NSString__, 1, 2)));
@end

@interface NSURL : NSObject
+ (nullable instancetype)URLWithString:(NSString *)text;
@end

@interface UIImage : NSObject
@end

@interface UITraitCollection : NSObject
@property(nonatomic, readonly) CGFloat displayScale;
@end

@interface UIView : NSObject
@property(nonatomic, readonly) UITraitCollection *traitCollection;
@end

@interface OS_dispatch_queue : NSObject
@end
typedef OS_dispatch_queue *dispatch_queue_t;
typedef unsigned long long dispatch_time_t;
#define DISPATCH_TIME_NOW (0ull)
#define NSEC_PER_SEC 1000000000ull
dispatch_queue_t dispatch_get_main_queue(void);
dispatch_time_t dispatch_time(dispatch_time_t when, long long delta);
void dispatch_after(dispatch_time_t when, dispatch_queue_t queue, void (^block)(void));

#pragma clang assume_nonnull end
