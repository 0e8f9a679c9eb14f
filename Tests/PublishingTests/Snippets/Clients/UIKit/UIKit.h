// The public names of UIKit and Foundation that snippets use.
#pragma once

typedef unsigned long NSUInteger;
typedef long NSInteger;
typedef signed char BOOL;
typedef __SIZE_TYPE__ size_t;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)

#pragma clang assume_nonnull begin

@interface NSObject
+ (instancetype)alloc;
- (instancetype)init;
@end

@interface NSString : NSObject
+ (instancetype)stringWithFormat:(NSString *)format, ...
    __attribute__((format(__NSString__, 1, 2)));
@end

@interface NSMutableString : NSString
+ (instancetype)string;
- (void)appendFormat:(NSString *)format, ... __attribute__((format(__NSString__, 1, 2)));
@end

@interface NSData : NSObject
@end

@interface NSError : NSObject
@end

@interface NSURL : NSObject
+ (nullable instancetype)URLWithString:(NSString *)text;
@end

@interface NSURLResponse : NSObject
@end

@interface NSHTTPURLResponse : NSURLResponse
@property(readonly) NSInteger statusCode;
@end

@interface NSURLSessionDataTask : NSObject
- (void)resume;
@end

@interface NSURLSession : NSObject
@property(class, readonly) NSURLSession *sharedSession;
- (NSURLSessionDataTask *)dataTaskWithURL:(NSURL *)url
                        completionHandler:(void (^)(NSData *_Nullable data,
                                                    NSURLResponse *_Nullable response,
                                                    NSError *_Nullable error))handler;
@end

@interface UIImage : NSObject
+ (nullable UIImage *)imageWithData:(NSData *)data;
@end

@interface OS_dispatch_queue : NSObject
@end
typedef OS_dispatch_queue *dispatch_queue_t;
dispatch_queue_t dispatch_get_main_queue(void);
void dispatch_async(dispatch_queue_t queue, void (^block)(void));

#pragma clang assume_nonnull end
