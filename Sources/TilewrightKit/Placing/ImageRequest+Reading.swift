import Codecs
import Platform
import Georeferencing
package import Raster

extension ImageRequest {
    /// What names the image's file, also if that is an archive.
    package var reference: ImageReference { ImageReference(path, page: pageNumber) }

    /// How a file is read, and a colour of its pixels that becomes transparent: that of `--nodata`, or
    /// else what a file beside it says, as a value of all bands or as one for each. Reads that file.
    ///
    /// - Throws: `.usage` for a range without a width; a `Failure` if that file cannot be read.
    package func reading() throws -> (options: ReadOptions, nodata: ColorKey?) {
        if let rescale { try Self.check(rescale) }
        var options = ReadOptions(
            bands: bands, range: rescale, keepsColors: keepColors)
        let auxiliary = try PAMFile.find(beside: path, page: pageNumber)
        options.scale = auxiliary?.sampleScale.flatMap { SampleScale(factor: $0.factor, offset: $0.offset) }
        if let nodata { return (options, nodata) }
        let values = auxiliary?.nodataValues ?? []
        if Set(values).count == 1 { options.nodata = values[0] }
        return (options, Set(values).count > 1 ? ColorKey(ofBands: values) : nil)
    }
}

extension ImageRequest {
    /// The image as its file holds it, wherever it lies.
    ///
    /// - Parameter resources: an image with more pixels than they allow is refused.
    package func fileInfo(_ resources: BuildResources = BuildResources()) throws -> RasterInfo {
        let content = try ImageContent(of: self, resources: resources)
        let limits = PixelLimits(resources.maxPixels)
        return try content.described(
            content.open(options: reading().options, checkingSize: limits.check).info)
    }

    /// Looks where the image lies: failures name the image, unless they name a file of their own.
    func placing<Result>(_ look: () throws -> Result) throws -> Result {
        do { return try look() } catch let failure as Failure where failure.attempt == nil {
            throw failure.inAttempt("place \(title)")
        }
    }
}

extension ColorKey {
    /// The colour of three bands of 8 bits; nil if the values are no such colour.
    fileprivate init?(ofBands values: [Double]) {
        let levels = values.compactMap { UInt8(exactly: $0) }
        guard levels.count == 3 else { return nil }
        self.init(red: levels[0], green: levels[1], blue: levels[2], tolerance: 0)
    }
}
