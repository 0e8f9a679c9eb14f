/// Of an ancestor's picture, the part that a tile some zooms beyond it shows, as large as a tile.
+ (nullable UIImage *)enlarge:(nullable UIImage *)picture
                            x:(NSUInteger)x
                            y:(NSUInteger)y
                        steps:(NSUInteger)steps {
    if (!picture || steps == 0) return picture;
    UIGraphicsImageRendererFormat *format = [[UIGraphicsImageRendererFormat alloc] init];
    // A point is a pixel of the file.
    format.scale = 1;
    CGSize size = picture.size;
    UIGraphicsImageRenderer *renderer = [[UIGraphicsImageRenderer alloc] initWithSize:size
                                                                               format:format];
    // All of it, of which the renderer shows a part: so pixels beyond the part count at its edges.
    NSUInteger count = (NSUInteger)1 << steps;
    CGRect all = CGRectMake(-size.width * (x % count), -size.height * (y % count),
                            size.width * count, size.height * count);
    return [renderer imageWithActions:^(UIGraphicsImageRendererContext *context) {
      CGContextSetInterpolationQuality(context.CGContext, kCGInterpolationHigh);
      [picture drawInRect:all];
    }];
}
