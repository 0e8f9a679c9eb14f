import Platform
import Tiling

/// The affine transform of a page that meets known places best, and how well.
struct GroundFit {
    /// From points of the page to coordinates.
    let georeference: Georeference
    /// Points of the page between a place and where the transform has it, of the place that is missed most.
    let worstMiss: Double
    /// Whether the map is a mirror image.
    let isMirrored: Bool

    /// Fits coordinates to points of a page, with the least squares of distances in coordinates.
    ///
    /// - Throws: a `Failure` of kind `badInput` if either lie on a line.
    init(_ page: [Point], to coordinates: [Point], crs: CRS) throws {
        guard coordinates.allSatisfy(\.isFinite), !coordinates.lieOnLine(within: 1e-6) else {
            throw Failure(.badInput, "they lie on one line on the ground")
        }
        let transform = try AffineTransform(fitting: page, to: coordinates)
        guard transform.isFinite, let inverse = transform.inverse, inverse.isFinite else {
            throw Failure(.badInput, "they lie on one line on the ground")
        }
        georeference = Georeference(crs: crs, pixelToCRS: .affine(transform))
        worstMiss = zip(page, coordinates).map { inverse($1).distance(to: $0) }.reduce(0, max)
        // The page's y runs down, and that of coordinates up.
        isMirrored = transform.determinant > 0
        guard worstMiss.isFinite else { throw Failure(.badInput, "they lie on one line on the ground") }
    }

    /// Within a tenth of a pixel at 150 to the inch.
    private static let exact = 0.05

    /// Whether no other needs to be looked for.
    var isGood: Bool { worstMiss <= Self.exact && !isMirrored }

    /// Whether it is clearly better: the other one misses twice as far, or is a mirror image without need, as a map on
    /// both sides of the antimeridian is whose longitudes are taken as they are.
    func isBetter(than other: GroundFit) -> Bool {
        if isMirrored != other.isMirrored {
            return other.isMirrored && worstMiss <= max(other.worstMiss, Self.exact)
        }
        return worstMiss < other.worstMiss / 2 && other.worstMiss > Self.exact
    }

    /// Refuses a fit that misses a place by more than a fiftieth of what lies between the places: then they are
    /// in another order than they say, or of another map. GDAL takes any fit.
    func checkMiss(of page: [Point], _ title: String) throws {
        guard let box = BoundingBox(around: page) else { return }
        let size = (box.width * box.width + box.height * box.height).squareRoot()
        guard worstMiss > size / 50 else { return }
        let miss =
            worstMiss < size
            ? "by \(worstMiss.rounded().shortText) points of a map of \(size.rounded().shortText)"
            : "by more than the map is large"
        throw Failure(
            .badInput,
            "the known places of its \(title) are not those of one map: the best that meets them misses one \(miss)",
            remedy: "say where it lies with --gcp, --corners or --bounds")
    }

    /// What the user should know, a clause each. A point is the width of a line of a drawing.
    func warnings(_ title: String) -> [String] {
        var warnings: [String] = []
        if worstMiss > 1 {
            warnings.append(
                "the known places of its \(title) are met within \(worstMiss.tenths) points "
                    + "(\((worstMiss * 25.4 / 72).tenths) mm on the sheet)")
        }
        if isMirrored { warnings.append("by its \(title) the map is a mirror image") }
        return warnings
    }
}

extension Double {
    /// The number with one decimal, and huge ones in short.
    fileprivate var tenths: String { ((self * 10).rounded() / 10).shortText }
}

extension [Point] {
    /// Whether all points lie on a line, to a fraction of how far they lie apart.
    func lieOnLine(within fraction: Double) -> Bool {
        if isEmpty { return true }
        let form = Normalisation(self)
        guard form.spread > 0, form.spread.isFinite else { return true }
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for point in self {
            let normal = form(point)
            xx += normal.x * normal.x
            xy += normal.x * normal.y
            yy += normal.y * normal.y
        }
        // The smaller one of the principal moments, of which the two sum up to the count.
        let difference = ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()
        let smaller = Swift.max(0, (xx + yy - difference) / 2)
        return !((smaller / Double(count)).squareRoot() > fraction)
    }
}
