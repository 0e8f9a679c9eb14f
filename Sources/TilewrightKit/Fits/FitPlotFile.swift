import Codecs
import Platform
import Georeferencing
import Plotting
import Raster
import Tiling

/// The picture of a fit, as a PNG file.
public struct FitPlotFile {
    private let path: String
    private let draw: () throws -> Canvas

    /// Describes the picture of an image that was placed by control points: the image, its points, and how
    /// far each is off, enlarged.
    ///
    /// - Throws: a `Failure` of kind `usage` if there is no fit, or for a name that is not a PNG file's, or
    ///   is the image's own.
    public init(_ image: PlacedImage, path: String) throws {
        let fit = try image.requiredFit()
        try Self.check(path, image.request)
        self.path = path
        draw = { FitPlot(fit, on: try Self.plottedImage(image)).draw() }
    }

    /// Describes the picture of an image whose control points have no fit: as well as they agree without
    /// those that are probably wrong, or by a transform with less freedom.
    ///
    /// - Returns: nil if nothing can be drawn: there are no points, or too few.
    /// - Throws: a `Failure` as above.
    public init?(withoutFit request: ImageRequest, path: String) throws {
        try Self.check(path, request)
        let options = try request.reading().options
        let info = try request.fileInfo()
        let position = try Position(request.position, of: request, info: info)
        let view = ImageView(info, position: position, orient: request.position.orient)
        guard let points = try position.controlPoints(width: view.width, height: view.height),
            let nearest = NearestFit(
                points, model: request.position.transform, width: view.width, height: view.height,
                crop: request.crop)
        else { return nil }
        let count = points.filter(\.isEnabled).count
        let model = request.position.transform ?? .standard(forPoints: count)
        self.path = path
        draw = {
            let file = try ImageContent(of: request).open(options: options)
            return FitPlot(
                nearest, missing: model, on: try Self.plotted(file, 1, view: view, crop: request.crop)
            ).draw()
        }
    }

    private static func check(_ path: String, _ image: ImageRequest) throws {
        guard path.lowercased().hasSuffix(".png") else {
            throw Failure(
                .usage, "cannot write '\(path)': the picture of a fit is a PNG file",
                remedy: "let its name end in .png")
        }
        guard !OutputFile.areSame(path, image.path) else {
            throw Failure(
                .usage, "cannot write '\(path)': that is the image itself",
                remedy: "give the picture another name")
        }
        try OutputPicture.check(path, isNoneOf: [image], others: [])
    }

    /// Reads the image once more, and writes its picture.
    public func write() throws {
        let canvas = try draw()
        try OutputFile.write(
            PNGImage.encode(rgba: canvas.rgba, width: canvas.width, height: canvas.height), to: path
        )
    }

    private static func plottedImage(_ image: PlacedImage) throws -> PlottedImage {
        let side = boxes(max(image.fileInfo.width, image.fileInfo.height))
        let (file, reduction) =
            try image.opened(by: image.fileInfo.reductions.filter { $0 <= side })
            ?? (image.openFile(reducedBy: 1), 1)
        return try plotted(file, reduction, view: image.placement.view, crop: image.request.crop)
    }

    private static func plotted(
        _ file: any RasterSource, _ reduction: Int, view: ImageView, crop: PixelWindow?
    ) throws -> PlottedImage {
        PlottedImage(
            try ReducedImage(file, box: boxes(max(file.info.width, file.info.height))),
            reduction: reduction, storedFromView: view.storedFromView, width: view.width,
            height: view.height, crop: crop)
    }

    /// How many pixels make one of the picture.
    private static func boxes(_ pixels: Int) -> Int {
        (pixels + PlottedImage.longestSide - 1) / PlottedImage.longestSide
    }
}
