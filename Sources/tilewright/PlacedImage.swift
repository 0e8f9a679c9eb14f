import Codecs
import Diagnostics
import Georeferencing
import Raster
import Tiling

/// An image, and where it lies.
struct PlacedImage {
    /// The file.
    let path: String
    /// The pixels that count: cropped, and with the nodata colour made transparent.
    private(set) var info: RasterInfo
    /// Columns and rows of the pieces in which they can be read in any order, if they can.
    let blockSize: (width: Int, height: Int)?
    /// The whole image, as the file holds it.
    private(set) var fileInfo: RasterInfo
    /// The pixels that count, in the whole image as the file holds it.
    let window: PixelWindow
    /// Where the source's pixels lie.
    let mapping: ImageMapping
    /// The same before it was turned into a mapping: part of the tileset's fingerprint.
    let georeference: Georeference
    /// Where the pixels of the whole file lie, as it is stored.
    let fileGeoreference: Georeference
    /// How the position was given.
    let position: Position
    /// The fit, where the position is control points.
    let fit: ControlPointFit?
    /// The corners of the part that counts, as it is seen: top left, top right, bottom right, bottom
    /// left, in degrees.
    let lonLatCorners: [Point]
    /// Things that are not errors and that the user should know.
    let warnings: [String]

    /// How the file is read.
    let readOptions: ReadOptions
    /// The colour that becomes transparent.
    let nodata: NodataColor?
    /// The image as the coordinates of its position see it.
    let view: ImageView

    /// Places the image of a file.
    ///
    /// - Parameter check: throws where a size is too large.
    /// - Throws: `Failure` where the image cannot be read, or where nothing says where it lies.
    init(
        path: String, image: ImageOptions, options: PositionOptions,
        checkingSize check: (_ width: Int, _ height: Int) throws -> Void
    ) throws {
        (readOptions, nodata) = try image.reading(of: path)
        let file = try ImageFile.open(path: path, options: readOptions, checkingSize: check)
        let position = try Self.naming(path) {
            try Position(options, image: path, tags: file.info.geoTIFFTags)
        }
        let placement = try Self.naming(path) {
            try ImagePlacement(position, of: file.info, crop: image.crop, options: options)
        }
        self.path = path
        (view, window, fit) = (placement.view, placement.window, placement.fit)
        fileGeoreference = placement.fileGeoreference
        (georeference, mapping) = (placement.georeference, placement.mapping)
        let source = Self.counting(file, window: window, nodata: nodata)
        info = source.info
        blockSize = source.windows?.blockSize
        fileInfo = file.info
        self.position = position
        lonLatCorners = view.corners(mapping.lonLatCorners())
        warnings =
            file.info.warnings + Self.warnings(view: view, position: position, fit: fit, path: path)
            + [
                Self.mirrorWarning(position, placement.viewGeoreference),
                Self.datumWarning(mapping, georeference),
                placement.disagreement(
                    of: position, path: path, info: file.info, crop: image.crop, options: options),
            ].compactMap { $0 }
    }

    /// Whether some of the file's pixels do not count.
    var isCropped: Bool { window.width < fileInfo.width || window.height < fileInfo.height }

    /// Opens the pixels that count.
    ///
    /// - Parameter factor: 1, or one of the `RasterInfo.reductions`: squares of so many pixels are
    ///   read as one.
    func open(reducedBy factor: Int) throws -> any RasterSource {
        counting(try openFile(reducedBy: factor), reducedBy: factor)
    }

    /// Opens all of the file's pixels, likewise.
    func openFile(reducedBy factor: Int) throws -> any RasterSource {
        var options = readOptions
        options.reduction = factor
        // What was found in all of the data holds for its overviews, and need not be found again.
        options.range = fileInfo.sampleRange ?? options.range
        return try ImageFile.open(path: path, options: options)
    }

    /// Those pixels of the file that count.
    func counting(_ file: any RasterSource, reducedBy factor: Int) -> any RasterSource {
        let reduced = factor == 1 ? window : reduction(by: factor).reducedWindow
        return Self.counting(file, window: reduced, nodata: nodata)
    }

    /// The same image with other sample values for black and white.
    func scaled(to range: ClosedRange<Double>) -> PlacedImage {
        var image = self
        image.fileInfo.sampleRange = range
        image.info.sampleRange = range
        return image
    }

    /// Where the pixels lie that are read with a factor.
    func mapping(reducedBy factor: Int) -> ImageMapping {
        if factor == 1 { return mapping }
        return mapping.inPixels(reduction(by: factor).reducedFromWindow)
    }

    private func reduction(by factor: Int) -> Reduction {
        guard fileInfo.reductionsCoverEdges else { return Reduction(of: window, by: factor) }
        let whole = (width: fileInfo.width, height: fileInfo.height)
        return Reduction(
            of: window, from: whole,
            to: ((whole.width + factor - 1) / factor, (whole.height + factor - 1) / factor))
    }

    private static func counting(
        _ file: any RasterSource, window: PixelWindow, nodata: NodataColor?
    ) -> any RasterSource {
        let isWhole = window.width == file.info.width && window.height == file.info.height
        let part = isWhole ? file : CroppedSource(file, window: window)
        return nodata.map { ConvertedSource(part, nodata: $0) } ?? part
    }

    /// Adds the image's name to a failure that knows of none.
    private static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var failure as Failure where !failure.message.hasPrefix("cannot ") {
            failure.message = "cannot place '\(path)': \(failure.message)"
            throw failure
        }
    }

    /// Rows that run north are allowed in files; a plan that reads from right to left is rare.
    private static func mirrorWarning(_ position: Position, _ placed: Georeference) -> String? {
        guard case .affine(let transform) = placed.pixelToCRS, transform.determinant > 0 else {
            return nil
        }
        switch position {
        case .worldFile:
            return
                "the \(position.summary) mirrors the image: is the sign of its fourth number right?"
        case .stored(let file) where file.georeference != nil:
            return
                "by its \(position.summary), the image is seen as in a mirror: do its rows really "
                + "run north?"
        default: return nil
        }
    }

    /// A datum shift that may be off by more than half a metre is worth knowing on a floor plan.
    private static func datumWarning(
        _ mapping: ImageMapping, _ georeference: Georeference
    ) -> String? {
        guard let accuracy = mapping.datumAccuracy, accuracy > 0.5 else { return nil }
        let amount =
            accuracy.isFinite
            ? "good to \(accuracy.text(decimals: 1)) m only" : "not known to any accuracy"
        return "the shift from \(georeference.crs.name) to WGS 84 is \(amount); PROJ's grids for "
            + "the region make it better"
    }

    private static func warnings(
        view: ImageView, position: Position, fit: ControlPointFit?, path: String
    ) -> [String] {
        var warnings: [String] = []
        if view.ignoresOrientation {
            warnings.append(
                "'\(path)' has an orientation tag, which does not count, as the position comes from "
                    + "\(position.summary); if that was made for the upright image, add --orient yes"
            )
        }
        if let fit { warnings += strayPoints(fit, view: view, path: path) }
        if let fit, fit.isMirrored {
            warnings.append(
                "the control points mirror the image: are two of them interchanged, or longitude "
                    + "and latitude?")
        }
        if let suspect = fit?.suspect {
            warnings.append(
                "the control point '\(suspect.point.name)' is probably wrong: without it the others "
                    + "agree at least three times better; 'tilewright fit' shows the residuals")
        }
        return warnings
    }

    /// Points may lie on the sheet's edge, and clicks a little beyond.
    private static func strayPoints(
        _ fit: ControlPointFit, view: ImageView, path: String
    ) -> [String] {
        let points = fit.residuals.map(\.point.pixel)
        let (width, height) = (Double(view.width), Double(view.height))
        let stray = points.filter {
            min($0.x, $0.y, width - $0.x, height - $0.y) < -1
        }
        if stray.isEmpty { return [] }
        return [
            "\(stray.count) of \(points.count) control points \(stray.count == 1 ? "lies" : "lie") "
                + "outside '\(path)', which is \(view.width) x \(view.height): were they taken on "
                + "another version of it?"
        ]
    }
}
