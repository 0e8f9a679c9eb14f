/// The part of an ancestor's picture that a tile at a higher zoom shows, enlarged to a tile.
+ (nullable UIImage *)enlarge:(nullable UIImage *)picture
                            x:(NSUInteger)x
                            y:(NSUInteger)y
                        steps:(NSUInteger)steps {
    if (!picture || steps == 0) return picture;
    UIGraphicsImageRendererFormat *format = [[UIGraphicsImageRendererFormat alloc] init];
    // One point per pixel of the file.
    format.scale = 1;
    CGSize size = picture.size;
    UIGraphicsImageRenderer *renderer = [[UIGraphicsImageRenderer alloc] initWithSize:size
                                                                               format:format];
    // The renderer shows a part of the whole picture, so that pixels beyond the part are used at its edges.
    NSUInteger count = (NSUInteger)1 << steps;
    CGRect all = CGRectMake(-size.width * (x % count), -size.height * (y % count),
                            size.width * count, size.height * count);
    return [renderer imageWithActions:^(UIGraphicsImageRendererContext *context) {
      CGContextSetInterpolationQuality(context.CGContext, kCGInterpolationHigh);
      [picture drawInRect:all];
    }];
}
