import Diagnostics
import Raster

/// The images of a build, each placed.
struct PlacedImages {
    /// At least one, each over the ones before it.
    let all: [PlacedImage]

    /// Places the images of files; several bring their positions along.
    ///
    /// - Parameter limits: hold for each image by itself here.
    init(
        paths: [String], image: ImageOptions, options: PositionOptions, limits: PixelLimits
    ) throws {
        if paths.count > 1 { try Self.checkCommon(image, options, count: paths.count) }
        let images = try paths.map { path in
            try PlacedImage(
                path: path, image: image, options: options, checkingSize: limits.check)
        }
        all = image.rescale == nil ? Self.scaledAlike(images) : images
    }

    /// Things that are not errors and that the user should know, each once.
    var warnings: [String] {
        all.flatMap(\.warnings).reduce(into: []) { warnings, warning in
            if !warnings.contains(warning) { warnings.append(warning) }
        }
    }

    /// Sheets of one survey must not differ in brightness because their data do: all take the range
    /// of all.
    private static func scaledAlike(_ images: [PlacedImage]) -> [PlacedImage] {
        let ranges = images.compactMap(\.fileInfo.sampleRange)
        guard ranges.count > 1, let low = ranges.map(\.lowerBound).min(),
            let high = ranges.map(\.upperBound).max()
        else { return images }
        return images.map { $0.fileInfo.sampleRange == nil ? $0 : $0.scaled(to: low...high) }
    }

    /// Options that speak of one image are wrong for several.
    private static func checkCommon(
        _ image: ImageOptions, _ options: PositionOptions, count: Int
    ) throws {
        let position = options.explicitNames.first
        guard let name = position ?? (image.crop == nil ? nil : "--crop") else { return }
        throw Failure(
            .usage, "\(name) speaks of one image, and there are \(count)",
            remedy: position == nil
                ? "cut the images first, or build each into an OUTPUT of its own"
                : "put a world file, .points or another sidecar beside each of them")
    }
}
