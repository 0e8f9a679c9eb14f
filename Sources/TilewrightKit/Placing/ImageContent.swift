import Codecs
import Georeferencing
import Platform
package import Raster

/// An image's file as readers open it: the file itself, a page of a document, or a copy of the image in a
/// KMZ. The copy is deleted with its last owner.
struct ImageContent: Sendable {
    /// The file for the reader. It exists as long as this object.
    let reference: ImageReference

    /// The page, if the file is a document whose pages are drawn.
    let drawn: PageImage?

    /// The copy, its name in the archive, and the number of overlays there; the page chooses one.
    private let archived: (copy: ReadableScratchFile, name: String, overlayCount: Int)?

    /// Opens a file, and copies the image out of a KMZ.
    ///
    /// - Parameters:
    ///   - resources: the folder for the copy, and the limits of renderers.
    ///   - reads: records the parts of files that are read.
    /// - Throws: a `Failure` if a KMZ or a document cannot be read, or the file cannot be opened.
    init(
        of request: ImageRequest, resources: BuildResources = BuildResources(), reads: FileReads? = nil
    ) throws {
        let folder = resources.scratchDirectory ?? Self.temporaryDirectory
        guard try KMZFile.isKMZ(request.path) else {
            var reference = request.reference
            reference.reads = reads
            (self.reference, archived) = (reference, nil)
            drawn = try PageImage(request, limits: resources.rendererLimits, scratch: folder)
            return
        }
        drawn = nil
        let archive = try KMZFile(contentsOf: request.path)
        let (name, copy) = try archive.copyImage(request.page, into: folder)
        reference = ImageReference(copy.path, named: "\(request.path): \(name)")
        archived = (copy, name, archive.overlays.count)
    }

    /// Opens the image; see `ImageFile.open`.
    func open(
        options: ReadOptions, checkingSize check: (_ width: Int, _ height: Int) throws -> Void = { _, _ in }
    ) throws -> any RasterSource {
        if let drawn {
            do { try check(drawn.info.width, drawn.info.height) } catch var failure as Failure {
                failure.remedy = drawn.smallerPageAdvice
                throw failure
            }
            return drawn.source()
        }
        return try ImageFile.open(reference, options: options, checkingSize: check)
    }

    /// The libraries whose versions decide the pixels; for a page, those of its renderer.
    var libraries: String {
        get throws { try drawn?.drawing.libraries ?? ImageFile.libraries(of: reference) }
    }

    /// The properties of the image, with its name in the archive.
    func described(_ info: RasterInfo) -> RasterInfo {
        guard let archived else { return info }
        var info = info
        info.summary += ", '\(archived.name)' in the archive"
        info.pageCount = archived.overlayCount
        return info
    }

    /// The default folder for scratch files.
    static var temporaryDirectory: String {
        getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }
}

extension ImageRequest {
    /// The name of the image's file, even if the file is an archive.
    package var reference: ImageReference { ImageReference(path, page: pageNumber) }

    /// The options for reading, and the colour that becomes transparent: that of `--nodata`, or else that of
    /// the `.aux.xml`, with one value for all bands or one for each. Reads the `.aux.xml`.
    ///
    /// - Throws: `.usage` for a range without a width; a `Failure` if the `.aux.xml` cannot be read.
    package func reading() throws -> (options: ReadOptions, nodata: ColorKey?) {
        if let rescale { try Self.check(rescale) }
        try FarSources.open([self])
        var options = ReadOptions(bands: bands, range: rescale, keepsColors: keepColors)
        let auxiliary = try PAMFile.find(nextTo: path, page: pageNumber)
        options.scale = auxiliary?.sampleScale.flatMap { SampleScale(factor: $0.factor, offset: $0.offset) }
        if let nodata { return (options, nodata) }
        let values = auxiliary?.nodataValues ?? []
        if Set(values).count == 1 { options.nodata = values[0] }
        return (options, Set(values).count > 1 ? ColorKey(ofBands: values) : nil)
    }

    /// The image as its file holds it, with or without a position.
    ///
    /// - Parameter resources: the limits: an image with more pixels is refused.
    package func fileInfo(_ resources: BuildResources = BuildResources()) throws -> RasterInfo {
        let content = try ImageContent(of: self, resources: resources)
        let limits = PixelLimits(resources.maxPixels)
        return try content.described(
            content.open(options: reading().options, checkingSize: limits.check).info)
    }

    /// Runs a search for the position: failures name the image, unless they name a file.
    func placing<Result>(_ look: () throws -> Result) throws -> Result {
        do { return try look() } catch let failure as Failure where failure.attempt == nil {
            throw failure.inAttempt("place \(title)")
        }
    }
}

extension ColorKey {
    /// The colour of three bands of 8 bits; nil if the values are not such a colour.
    fileprivate init?(ofBands values: [Double]) {
        let levels = values.compactMap { UInt8(exactly: $0) }
        guard levels.count == 3 else { return nil }
        self.init(red: levels[0], green: levels[1], blue: levels[2], tolerance: 0)
    }
}

extension RasterInfo {
    /// The tags with the position of a GeoTIFF; nil for other files. They are converted here, since `Raster`
    /// knows nothing of the Earth, and `Georeferencing` nothing of image files.
    var geoTIFFTags: GeoTIFFTags? { GeoTIFFTags(numbers: fileTags.numbers, text: fileTags.text) }

    /// The pixels of the file, with the units of a TIFF.
    var pixelUnits: PixelUnits {
        // ResolutionUnit of TIFF 6.0: an inch, or a centimetre.
        let unitsPerInch: [Double: Double] = [2: 1, 3: 2.54]
        let units = fileTags.numbers(296).first.flatMap { unitsPerInch[$0] }
        let scale = resolution.flatMap { resolution in
            units.map { Point(x: resolution.across / $0, y: resolution.down / $0) }
        }
        return PixelUnits(width: width, height: height, pixelsPerUnit: scale, tags: geoTIFFTags)
    }
}
