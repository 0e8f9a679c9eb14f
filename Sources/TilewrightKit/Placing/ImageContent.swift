import Codecs
import Platform
import Georeferencing
import Raster

/// An image's file as readers open it: the file itself, a copy of the image that a KMZ holds, which is gone with the
/// last of its owners, or a page of a document and those who draw it.
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
