import Codecs
import Publishing
import Raster
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A reduced picture of an image as its file stores it.
///
/// Memory: four bytes for each of its pixels, and as many again while it is encoded. Reads the image once.
struct PlanPicture {
    /// The whole image.
    let info: RasterInfo
    /// Pixels of the image per pixel of the picture, along both axes.
    let scale: Point
    /// Columns and rows of the image that the picture covers: its last pixels may reach beyond the image's edges.
    let extent: Point
    /// The picture: JPEG if the image is a photograph, else PNG.
    let picture: PlacingPage.Picture

    /// Reads an image.
    ///
    /// - Parameter longestEdge: the longer edge of the picture, at most.
    /// - Throws: a `Failure` if the image cannot be read.
    init(of image: ImageRequest, longestEdge: Int) throws {
        let options = try image.reading().options
        let limits = PixelLimits(BuildResources.standardMaxPixels, isAdjustable: false)
        let content = try ImageContent(of: image)
        let whole = try content.open(options: options, checkingSize: limits.check)
        info = whole.info
        let (source, factor) = try Self.smaller(whole, content, options, longestEdge)
        let longer = max(source.info.width, source.info.height)
        let box = (longer + longestEdge - 1) / longestEdge
        let boxed = BoxedSource(source, box: box)
        let reduction = Self.reduction(from: whole.info, to: source.info, by: factor)
        scale = Point(x: Double(box) * reduction.x, y: Double(box) * reduction.y)
        let rgba = try Self.rgba(of: boxed)
        let (width, height) = (boxed.info.width, boxed.info.height)
        extent = Point(x: Double(width) * scale.x, y: Double(height) * scale.y)
        let isPhotograph = whole.info.isLossy && whole.info.pixelFormat != .rgba8
        let bytes = try rgba.withUnsafeBufferPointer { pixels in
            isPhotograph
                ? try JPEGImage.encode(rgba: pixels, width: width, height: height, quality: 85)
                : try PNGImage.encode(rgba: pixels, width: width, height: height)
        }
        picture = PlacingPage.Picture(bytes, isJPEG: isPhotograph)
    }

    /// The image read by the largest reduction that leaves enough of it.
    private static func smaller(
        _ whole: any RasterSource, _ content: ImageContent, _ options: ReadOptions, _ longestEdge: Int
    ) throws -> (any RasterSource, factor: Int) {
        let longer = max(whole.info.width, whole.info.height)
        for factor in whole.info.reductions.reversed() where longer >= factor * longestEdge {
            var options = options
            options.reduction = factor
            options.range = whole.info.sampleRange.map { SampleRange($0) } ?? options.range
            // A TIFF's overview may turn out to hold no averages.
            if let reduced = try? content.open(options: options) {
                return (reduced, factor)
            }
        }
        return (whole, 1)
    }

    /// Pixels of the image per pixel of one that was read smaller. The last one may stand for fewer if the
    /// reduction is not stretched to the image's edges.
    private static func reduction(from whole: RasterInfo, to reduced: RasterInfo, by factor: Int) -> Point {
        guard whole.reductionsCoverEdges else { return Point(x: Double(factor), y: Double(factor)) }
        return Point(
            x: Double(whole.width) / Double(reduced.width), y: Double(whole.height) / Double(reduced.height))
    }

    /// The pixels of an image of 8 bits, read to its end.
    static func rgba(of source: any RasterSource) throws -> [UInt8] {
        let (width, samples) = (source.info.width, source.info.pixelFormat.bytesPerPixel)
        var line = [UInt8](repeating: 0, count: width * samples)
        var rgba = [UInt8](repeating: 255, count: width * source.info.height * 4)
        for row in 0..<source.info.height {
            try line.withUnsafeMutableBytes {
                guard let address = $0.baseAddress else { return }
                try source.readRows(1, into: address, stride: $0.count)
            }
            for column in 0..<width {
                let (from, to) = (column * samples, (row * width + column) * 4)
                for channel in 0..<3 { rgba[to + channel] = line[samples == 1 ? from : from + channel] }
                if samples == 4 { rgba[to + 3] = line[from + 3] }
            }
        }
        return rgba
    }
}

extension PlacingPage.Picture {
    /// Takes the bytes of a file.
    init(_ bytes: [UInt8], isJPEG: Bool = false) {
        self.init(
            mediaType: isJPEG ? "image/jpeg" : "image/png", base64: Data(bytes).base64EncodedString())
    }
}
