import Diagnostics
package import Raster

/// Opens image files, whatever their names say.
package enum ImageFile {
    /// Opens a PNG, JPEG or TIFF file and reads its header.
    ///
    /// The type is told from the file's first bytes.
    ///
    /// - Parameters:
    ///   - options: how samples become pixels.
    ///   - check: throws where an image of that many columns and rows is not wanted; called before
    ///     anything is read that takes long, which is the range of a TIFF's data.
    /// - Throws: `.missingInput` if there is no regular file that can be read, `.badInput` if it is
    ///   empty, damaged, too large or of another type; the remedy is a command that makes a PNG of
    ///   it, where one is known.
    package static func open(
        path: String, options: ReadOptions = ReadOptions(),
        checkingSize check: (_ width: Int, _ height: Int) throws -> Void = { _, _ in }
    ) throws -> any RasterSource {
        try source(path: path, options: options) { width, height in
            guard max(width, height) <= RasterInfo.longestEdge else {
                throw Failure(
                    .badInput,
                    "cannot read '\(path)': it is \(width) x \(height) pixels, and an edge has "
                        + "\(RasterInfo.longestEdge) at most",
                    remedy: "cut it into parts, and build each into an OUTPUT of its own")
            }
            try check(width, height)
        }
    }

    /// The files that pixels of an image are read from: itself, and overviews beside it.
    package static func paths(of path: String) throws -> [String] {
        let overviews = path + TIFFDirectories.overviewExtension
        do { _ = try FileHead(path: overviews) } catch let failure as Failure {
            if failure.isOfSystem { throw failure }
            return [path]
        }
        return [path, overviews]
    }

    private static func source(
        path: String, options: ReadOptions, checkingSize check: (Int, Int) throws -> Void
    ) throws -> any RasterSource {
        let head = try FileHead(path: path)
        switch FileType(head: head.bytes) {
        case .png:
            let source = try PNGSource(path: path, options: options)
            try check(source.info.width, source.info.height)
            return try ConvertedSource.applying(
                options, to: transparent(source, nodata: source.nodata), path: path)
        case .jpeg:
            let source = try JPEGSource(path: path, options: options)
            try check(source.info.width, source.info.height)
            return try ConvertedSource.applying(
                options, to: transparent(source, nodata: source.nodata), path: path)
        case .tiff: return try TIFFSource(path: path, options: options, checkingSize: check)
        case .other(let type): throw type.failure(path: path)
        case nil where head.bytes.isEmpty:
            throw Failure(.badInput, "cannot read '\(path)': the file is empty")
        case nil:
            throw Failure(
                .badInput, "cannot read '\(path)': it is not an image of a type that we know",
                remedy: "PNG, JPEG and TIFF files are read")
        }
    }

    /// A source with the pixels transparent that are no data.
    private static func transparent(
        _ source: some RasterSource, nodata: NodataLevel?
    ) -> any RasterSource {
        nodata.map { ConvertedSource(source, nodata: $0.color) } ?? source
    }
}
