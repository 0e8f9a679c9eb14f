package import ArgumentParser
package import Raster
package import TilewrightKit
package import Tiling

/// The pixels of an image that are used, and how they are read.
package struct ImageOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The page of a PDF or TIFF, or the overlay of a KMZ, counted from 1; applies to all images. "
                + "(default: 1; required for a KMZ with several overlays)", valueName: "N"),
        transform: ImageRequest.page(parsing:))
    package var page: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The layout of a CAD drawing. (default: the model space)", valueName: "NAME"))
    package var layout: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The layers of a PDF or CAD drawing to show. (default: those that the document shows or plots)",
            valueName: "NAME,..."),
        transform: ImageRequest.layers(parsing:))
    package var layers: [String]?

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the password of an encrypted PDF.", valueName: "FILE"),
        completion: .file())
    package var passwordFile: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Use only this part of the image, for example without the margin and title block.",
            valueName: "COL,ROW,WIDTH,HEIGHT"),
        transform: { try PixelWindow(parsingCrop: $0) })
    package var crop: PixelWindow?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The colour, in sRGB, that becomes transparent before any resampling.",
            valueName: "R,G,B[,TOLERANCE]"),
        transform: { try ColorKey(parsing: $0, as: "nodata colour") })
    package var nodata: ColorKey?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The colour, in sRGB, of the paper under a drawing. The paper becomes transparent, and the "
                + "edges of lines partly transparent.",
            valueName: "R,G,B[,TOLERANCE]"),
        transform: { try ColorKey(parsing: $0, as: "colour of the paper") })
    package var paper: ColorKey?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The bands to use, counted from 1: one for gray or three for colours, optionally one for alpha.",
            valueName: "N,..."),
        transform: ImageRequest.bands(parsing:))
    package var bands: [Int]?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The sample values that become black and white, or percentages: with 2%,98%, 2 % of the samples "
                + "are below and 2 % above. (default: the type's range; for a TIFF with more than 8 bits, "
                + "the data's range if it has no colour profile or if --bands is given)",
            valueName: "MIN,MAX"),
        transform: ImageRequest.range(parsing:))
    package var rescale: SampleRange?

    @Flag(help: "Ignore the file's colour profile; its numbers are read as sRGB.")
    package var keepColors = false

    package init() {}
}

extension ImageOptions {
    /// The names of the options that were given.
    package var given: [String] {
        [
            page.map { _ in "--page" }, layout.map { _ in "--layout" }, layers.map { _ in "--layers" },
            passwordFile.map { _ in "--password-file" }, crop.map { _ in "--crop" },
            nodata.map { _ in "--nodata" }, paper.map { _ in "--paper" },
            bands.map { _ in "--bands" },
            rescale.map { _ in "--rescale" }, keepColors ? "--keep-colors" : nil,
        ].compactMap(\.self)
    }

    /// The request for one image.
    package func request(_ path: String, at position: PositionRequest) -> ImageRequest {
        var request = ImageRequest(path, at: position)
        request.page = page
        request.layout = layout
        request.layers = layers
        request.passwordFile = passwordFile
        request.crop = crop
        request.nodata = nodata
        request.paper = paper
        request.bands = bands
        request.rescale = rescale
        request.keepColors = keepColors
        return request
    }

    /// The requests for several images.
    ///
    /// - Throws: `.usage` if there are several images, but an option is for a single one.
    package func requests(_ paths: [String], at position: PositionRequest) throws -> [ImageRequest] {
        try request("", at: position).repeated(for: paths)
    }
}
