import Platform
import Georeferencing
import Raster
import Tiling

extension Placement {
    /// In pixels: programs round the numbers that they write.
    private static let rounding = 1.0
    /// A fit is so many times worse at the corners than at its points.
    private static let extrapolation = 3.0

    /// What the user should know if several files say where an image lies, and disagree.
    ///
    /// - Parameter position: the one that was taken.
    func disagreement(
        of position: Position, info: RasterInfo, request: ImageRequest
    ) -> String? {
        guard request.position.source == .files,
            let files = try? PositionFiles(
                of: request, info: info,
                crs: try? request.position.crs.map { try CRS($0) },
                keepsPoints: request.position.transform != nil)
        else { return nil }
        for other in files.positions().dropFirst() {
            // One that puts the image nowhere is out of use, like one that is not there.
            guard
                let placement = try? Placement(
                    other, of: info, crop: request.crop, request: request.position)
            else { continue }
            let distance = distance(to: placement)
            if distance <= Self.rounding + max(uncertainty, placement.uncertainty) { continue }
            let amount =
                distance.isFinite ? "up to \(distance.text(decimals: 1)) pixels" : "far"
            return
                "\(position.summary) and \(other.summary) put corners of \(request.title) \(amount) apart; "
                + "the first counts: remove what is wrong"
        }
        return nil
    }

    /// How well the corners are known, in pixels: exactly if nothing was fitted.
    private var uncertainty: Double {
        let misses = fit?.residuals.map(\.miss.pixels) ?? []
        return Self.extrapolation * (misses.max() ?? 0)
    }
}
