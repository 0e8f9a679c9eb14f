package import ArgumentParser
package import Raster
package import TilewrightKit
package import Tiling

/// Which pixels of an image count, and how they are read.
package struct ImageOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The page of a PDF or TIFF, or the overlay of a KMZ, counted from 1; of several images, the same "
                + "of each. (default: 1)", valueName: "N"),
        transform: ImageRequest.page(parsing:))
    package var page: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The layers of a PDF to show. (default: those that the document shows)",
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
            "Leaves out a sheet's margin and title block.", valueName: "COL,ROW,WIDTH,HEIGHT"),
        transform: { try PixelWindow(parsingCrop: $0) })
    package var crop: PixelWindow?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A colour, in sRGB, that becomes transparent before any resampling.",
            valueName: "R,G,B[,TOLERANCE]"),
        transform: { try ColorKey(parsing: $0, as: "nodata colour") })
    package var nodata: ColorKey?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The colour, in sRGB, of the sheet that a drawing is lifted off: paper becomes transparent, "
                + "and edges become ink with partial alpha.",
            valueName: "R,G,B[,TOLERANCE]"),
        transform: { try ColorKey(parsing: $0, as: "colour of the paper") })
    package var paper: ColorKey?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Bands to take, counted from 1: one for gray, or three, and one more for alpha.",
            valueName: "N[,N,N[,N]]"),
        transform: ImageRequest.bands(parsing:))
    package var bands: [Int]?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sample values that become black and white, or percentages: 2%,98% leaves 2 % of the samples below and above. "
                + "(default: the type's range for up to 8 bits, the data's range for more)",
            valueName: "MIN,MAX"),
        transform: ImageRequest.range(parsing:))
    package var rescale: SampleRange?

    @Flag(help: "Take the file's numbers as sRGB, and ignore its colour profile.")
    package var keepColors = false

    package init() {}
}

extension ImageOptions {
    /// The names of the options that were given.
    package var given: [String] {
        [
            page.map { _ in "--page" }, layers.map { _ in "--layers" },
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
    /// - Throws: `.usage` if there are several, and an option is meant for one.
    package func requests(_ paths: [String], at position: PositionRequest) throws -> [ImageRequest] {
        try request("", at: position).repeated(for: paths)
    }
}
