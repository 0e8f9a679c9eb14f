import Codecs
import Georeferencing
import Platform
package import Raster

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An image's file as readers open it: the file itself, a copy of the image that a KMZ holds, which is gone
/// with the last of its owners, or a page of a document and those who draw it.
struct ImageContent: Sendable {
    /// What names it to its reader, as long as this is there.
    let reference: ImageReference

    /// The page, if the file is a document whose pages are drawn.
    let drawn: PageImage?

    private let copy: ReadableScratchFile?
    /// The name of the image in its archive.
    private let archivedName: String?
    /// How many overlays the archive has; the page tells which one it is.
    private let overlayCount: Int

    /// Looks at a file, and copies the image out of it if it is a KMZ.
    ///
    /// - Parameters:
    ///   - resources: where the copy goes, and what renderers of a document may take.
    ///   - reads: is told which parts of files are read.
    /// - Throws: a `Failure`; of any other file, only if it cannot be opened.
    init(
        of request: ImageRequest, resources: BuildResources = BuildResources(), reads: FileReads? = nil
    ) throws {
        guard try KMZFile.isKMZ(request.path) else {
            var reference = request.reference
            reference.reads = reads
            (self.reference, copy, archivedName, overlayCount) = (reference, nil, nil, 0)
            drawn = try PageImage(
                request, limits: resources.rendererLimits,
                scratch: resources.scratchDirectory ?? Self.temporaryDirectory)
            return
        }
        drawn = nil
        let folder = resources.scratchDirectory ?? Self.temporaryDirectory
        let archive = try KMZFile(contentsOf: request.path)
        let (name, copy) = try archive.copyImage(request.page, into: folder)
        reference = ImageReference(copy.path, named: "\(request.path): \(name)")
        (self.copy, archivedName, overlayCount) = (copy, name, archive.overlays.count)
    }

    /// Opens it; `ImageFile.open`.
    func open(
        options: ReadOptions, checkingSize check: (_ width: Int, _ height: Int) throws -> Void = { _, _ in }
    ) throws -> any RasterSource {
        if let drawn {
            try check(drawn.info.width, drawn.info.height)
            return drawn.source()
        }
        return try ImageFile.open(reference, options: options, checkingSize: check)
    }

    /// The libraries whose versions decide the pixels; `ImageFile.libraries`. Of a page, its drawing says it.
    var libraries: String {
        get throws { try drawn?.drawing.libraries ?? ImageFile.libraries(of: reference) }
    }

    /// What is known of the image, with its name in the archive.
    func described(_ info: RasterInfo) -> RasterInfo {
        guard let archivedName else { return info }
        var info = info
        info.summary += ", '\(archivedName)' in the archive"
        info.pageCount = overlayCount
        return info
    }

    /// Where scratch files go by default.
    static var temporaryDirectory: String {
        getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }
}

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
