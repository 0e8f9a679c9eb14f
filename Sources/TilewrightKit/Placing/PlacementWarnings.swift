import Platform
import Georeferencing
import Raster
import Tiling

/// What is not an error of a position, and what the user should know.
struct PlacementWarnings {
    private let position: Position
    private let placement: Placement
    private let request: ImageRequest
    private let info: RasterInfo

    /// Looks at the position of an image.
    ///
    /// - Parameter info: the whole image, as the file holds it.
    init(_ position: Position, _ placement: Placement, request: ImageRequest, info: RasterInfo) {
        (self.position, self.placement, self.request, self.info) = (position, placement, request, info)
    }

    /// The warnings, a line each.
    var all: [Warning] {
        func named(_ name: String, _ text: String?) -> [Warning] { text.map { [Warning(name, $0)] } ?? [] }
        return named("orientation", orientation) + fitted
            + PlacementShape(position, placement, title: request.title).warnings
            + named("mirrored", mirror) + named("datum-shift", datumShift) + named("not-spherical", ellipsoid)
            + named("positions-differ", placement.disagreement(of: position, info: info, request: request))
    }

    private var orientation: String? {
        guard placement.view.ignoresOrientation else { return nil }
        return "\(request.title) has an orientation tag, which does not count, as the position comes from "
            + "\(position.summary); if that was made for the upright image, add --orient yes"
    }

    private var fitted: [Warning] {
        guard let fit = placement.fit else { return [] }
        var warnings = strayPoints(fit)
        if let error = fit.error {
            warnings.append(Warning("point-error", "\(error.message); \(error.remedy)"))
        } else if fit.isMirrored {
            warnings.append(
                Warning(
                    "mirrored",
                    "the control points mirror the image: are two of them interchanged, or longitude "
                        + "and latitude?"))
        }
        return warnings
    }

    /// Points may lie on the sheet's edge, and clicks a little beyond.
    private func strayPoints(_ fit: ControlPointFit) -> [Warning] {
        let view = placement.view
        let points = fit.residuals.map(\.point.pixel)
        let (width, height) = (Double(view.width), Double(view.height))
        let stray = points.filter { min($0.x, $0.y, width - $0.x, height - $0.y) < -1 }
        if stray.isEmpty { return [] }
        return [
            Warning(
                "points-outside",
                "\(stray.count) of \(points.count) control points \(stray.count == 1 ? "lies" : "lie") "
                    + "outside \(request.title), which is \(view.width) x \(view.height): were they taken on "
                    + "another version of it?")
        ]
    }

    /// Rows that run north are allowed in files; a plan that reads from right to left is rare.
    private var mirror: String? {
        guard case .affine(let transform) = placement.viewGeoreference.pixelToCRS,
            transform.determinant > 0
        else { return nil }
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

    /// Web Mercator is that of a sphere. What calls itself so and has the formulas of the ellipsoid, as WKT without its
    /// extension has, is meant as the other nearly always: at 50 degrees it is 34 km off.
    private var ellipsoid: String? {
        let crs = placement.georeference.crs
        let name = crs.name.lowercased()
        let claims = ["google", "web mercator", "web_mercator", "pseudo-mercator", "popular visualisation"]
        guard claims.contains(where: name.contains), crs.isEllipsoidalMercator else { return nil }
        return
            "\(crs.name) is by its definition not the Mercator of a sphere, as Google's maps are, and lies up to 43 km "
            + "elsewhere: if its name is right, add --crs EPSG:3857"
    }

    /// A datum shift that may be off by more than half a metre is worth knowing on a floor plan.
    private var datumShift: String? {
        guard let accuracy = placement.mapping.datumAccuracy, accuracy > 0.5 else { return nil }
        let amount =
            accuracy.isFinite
            ? "good to \(accuracy.text(decimals: 1)) m only" : "not known to any accuracy"
        let shift = "the shift from \(placement.georeference.crs.name) to WGS 84 is \(amount); "
        guard let better = placement.mapping.betterShift else {
            return shift + "PROJ knows no grid here that makes it clearly better"
        }
        let commands = better.missingGrids.map { "projsync --file \($0)" }.joined(separator: " && ")
        return shift
            + "'\(commands)' gets \(better.missingGrids.count == 1 ? "a grid that makes" : "grids that make") "
            + "it good to \(better.accuracy.text(decimals: 1)) m"
    }
}
