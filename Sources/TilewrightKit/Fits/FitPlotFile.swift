import Codecs
import Diagnostics
import Files
import Georeferencing
import Plotting
import Raster
import Tiling

/// The picture of a fit, as a PNG file.
public struct FitPlotFile {
    private let image: PlacedImage
    private let fit: ControlPointFit
    private let path: String

    /// Describes the picture of an image that was placed by control points: the image, its points, and how
    /// far each is off, enlarged.
    ///
    /// - Throws: a `Failure` of kind `usage` if there is no fit, or for a name that is not a PNG file's, or
    ///   is the image's own.
    public init(_ image: PlacedImage, path: String) throws {
        let fit = try image.requiredFit()
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
        (self.image, self.fit, self.path) = (image, fit, path)
    }

    /// Reads the image once more, and writes its picture.
    public func write() throws {
        let canvas = FitPlot(fit, on: try plottedImage()).draw()
        try OutputFile.write(
            PNGImage.encode(rgba: canvas.rgba, width: canvas.width, height: canvas.height), to: path
        )
    }

    private func plottedImage() throws -> PlottedImage {
        let side = Self.boxes(max(image.fileInfo.width, image.fileInfo.height))
        let (file, reduction) =
            try image.opened(by: image.fileInfo.reductions.filter { $0 <= side })
            ?? (image.openFile(reducedBy: 1), 1)
        let box = Self.boxes(max(file.info.width, file.info.height))
        return PlottedImage(
            try ReducedImage(file, box: box), reduction: reduction,
            storedFromView: image.placement.view.storedFromView,
            width: image.placement.view.width, height: image.placement.view.height,
            crop: image.request.crop)
    }

    /// How many pixels make one of the picture.
    private static func boxes(_ pixels: Int) -> Int {
        (pixels + PlottedImage.longestSide - 1) / PlottedImage.longestSide
    }
}
