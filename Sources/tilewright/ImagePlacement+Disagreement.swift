import Georeferencing
import Raster
import Tiling

extension ImagePlacement {
    /// In pixels: programs round the numbers that they write.
    private static let rounding = 1.0
    /// A fit is so many times worse at the corners than at its points.
    private static let extrapolation = 3.0

    /// What the user should know where several files say where an image lies, and not the same.
    ///
    /// - Parameter position: the one that was taken.
    func disagreement(
        of position: Position, path: String, info: RasterInfo, crop: PixelWindow?,
        options: PositionOptions
    ) -> String? {
        guard options.explicitNames.isEmpty,
            let files = try? PositionFiles(
                image: path, tags: info.geoTIFFTags, crs: try? options.crs.map { try CRS($0) },
                keepsPoints: options.transform != nil)
        else { return nil }
        for other in files.positions().dropFirst() {
            // One that puts the image nowhere is out of use, like one that is not there.
            guard
                let placement = try? ImagePlacement(
                    other, of: info, crop: crop, options: options)
            else { continue }
            let distance = distance(to: placement)
            if distance <= Self.rounding + max(uncertainty, placement.uncertainty) { continue }
            let amount =
                distance.isFinite ? "up to \(distance.text(decimals: 1)) pixels" : "far"
            return
                "\(position.summary) and \(other.summary) put corners of '\(path)' \(amount) apart; "
                + "the first counts: remove what is wrong"
        }
        return nil
    }

    /// How well the corners are known, in pixels: exactly where nothing was fitted.
    private var uncertainty: Double {
        let misses = fit?.residuals.map(\.miss.pixels) ?? []
        return Self.extrapolation * (misses.max() ?? 0)
    }
}
