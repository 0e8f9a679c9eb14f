import Platform
import Tiling

/// A viewport with a geospatial measure (ISO 32000-2, 12.10), with the values as in the document.
package struct GeospatialMeasure: Hashable, Sendable {
    /// `BBox` of the viewport, in units of the document: the corners (0, 0) and (1, 1) of the unit square.
    package var box: [Double]?
    /// `Bounds`: the neatline, pairs in the unit square.
    package var bounds: [Double]?
    /// `GPTS`: latitudes and longitudes of known places.
    package var groundPoints: [Double]?
    /// `LPTS`: the same places as pairs in the unit square.
    package var boxPoints: [Double]?
    /// The system in `GCS`.
    package var system: System

    /// A `GCS` of a measure.
    package struct System: Hashable, Sendable {
        /// Its `Type`: `PROJCS` or `GEOGCS`.
        package var type: String?
        /// Its `EPSG`.
        package var epsg: Int?
        /// Its `WKT`.
        package var wkt: String?

        /// Makes a system.
        package init(type: String? = nil, epsg: Int? = nil, wkt: String? = nil) {
            (self.type, self.epsg, self.wkt) = (type, epsg, wkt)
        }
    }

    /// Makes a measure.
    package init(
        box: [Double]?, bounds: [Double]? = nil, groundPoints: [Double]?, boxPoints: [Double]?,
        system: System
    ) {
        (self.box, self.bounds, self.groundPoints) = (box, bounds, groundPoints)
        (self.boxPoints, self.system) = (boxPoints, system)
    }
}

extension GeospatialMeasure {
    /// The position of the page: the affine transform that meets the known places best.
    ///
    /// - Parameters:
    ///   - title: the name for people.
    ///   - pointsFromUnits: from units of the document to points of the page.
    ///   - other: a CRS that replaces the system of the measure.
    func position(
        _ title: String, onto pointsFromUnits: AffineTransform, crs other: CRS?
    ) throws -> GeospatialPDF {
        guard let box = box.flatMap({ MeasureBox($0) }) else {
            throw Failure(.badInput, "the BBox of its \(title) is not a rectangle")
        }
        let crs = try other ?? system.crs(of: title)
        let places = try KnownPlaces(
            ground: groundPoints, square: boxPoints ?? boundsAsPoints, title: title)
        func fit(_ box: MeasureBox) throws -> GroundFit {
            let squareToPage = box.unitsFromSquare.followed(by: pointsFromUnits)
            return try places.fit(onto: squareToPage, crs: crs)
        }
        // The order of the corners gives the directions of x and y, as in GDAL. If that makes a map a mirror
        // image, its writer meant the lower left corner first.
        var (chosen, best) = (box, try fit(box))
        if best.isMirrored, let normal = box.normal, let other = try? fit(normal), !other.isMirrored {
            (chosen, best) = (normal, other)
        }
        let (ring, complaint) = neatline(chosen.unitsFromSquare.followed(by: pointsFromUnits), title)
        let stand =
            boxPoints == nil ? ["its \(title) has no LPTS, so its Bounds are used"] : []
        return GeospatialPDF(
            source: title, georeference: best.georeference, neatline: ring, worstMiss: best.worstMiss,
            warnings: best.warnings(title) + stand + complaint)
    }

    /// The replacement for `LPTS`, which the standard makes optional without naming a default: the neatline,
    /// if it has as many points as there are known places.
    private var boundsAsPoints: [Double]? {
        bounds?.count == groundPoints?.count ? bounds : nil
    }

    /// The edge of the map in points of the page, the whole box by default; and a warning if the edge is
    /// invalid.
    private func neatline(_ squareToPage: AffineTransform, _ title: String) -> ([Point]?, [String]) {
        let square = BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1).corners
        let whole = PagePolygon.ring(square, squareToPage)
        guard let bounds, !bounds.isEmpty else { return (whole, []) }
        if let ring = PagePolygon.ring(PagePolygon.points(bounds), squareToPage) { return (ring, []) }
        return (whole, ["the Bounds of its \(title) are not a polygon and are ignored"])
    }
}

extension GeospatialMeasure.System {
    /// The system by its EPSG number, or by its WKT if PROJ does not know the number or it is of the other
    /// type.
    ///
    /// - Throws: a `Failure` of kind `badInput` with PROJ's reason.
    func crs(of title: String) throws -> CRS {
        var readings: [Result<CRS, any Error>] = []
        if let epsg { readings.append(Result { try CRS.coded(epsg) }) }
        if let wkt, !wkt.isEmpty { readings.append(Result { try CRS(wkt, failure: .badInput) }) }
        let understood = readings.compactMap { try? $0.get() }
        let isGeographic = type.map { $0.hasSuffix("GEOGCS") }
        if let crs = understood.first(where: { $0.isGeographic == isGeographic }) ?? understood.first {
            return crs
        }
        guard let first = readings.first else {
            throw Failure(
                .badInput, "its \(title) names no coordinate reference system",
                remedy: "name it: --crs EPSG:n")
        }
        return try first.get()
    }
}

/// The rectangle of a viewport, in units of the document. Its corners are (0, 0) and (1, 1) of the unit
/// square of the measure.
struct MeasureBox {
    private let first: Point
    private let second: Point

    /// Takes a `BBox`; nil if it is not four finite numbers or has no area.
    init?(_ numbers: [Double]) {
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
        self.init(Point(x: numbers[0], y: numbers[1]), Point(x: numbers[2], y: numbers[3]))
        let area = outline.width * outline.height
        guard area > 0, area.isFinite else { return nil }
    }

    private init(_ first: Point, _ second: Point) { (self.first, self.second) = (first, second) }

    /// The rectangle as a box.
    var outline: BoundingBox {
        BoundingBox(
            minX: min(first.x, second.x), minY: min(first.y, second.y), maxX: max(first.x, second.x),
            maxY: max(first.y, second.y))
    }

    /// The rectangle with its lower left corner first; nil if it is first already.
    var normal: MeasureBox? {
        let box = outline
        if first.x == box.minX, first.y == box.minY { return nil }
        return MeasureBox(Point(x: box.minX, y: box.minY), Point(x: box.maxX, y: box.maxY))
    }

    /// From the unit square to units of the document.
    var unitsFromSquare: AffineTransform {
        AffineTransform(
            a: second.x - first.x, b: 0, c: first.x, d: 0, e: second.y - first.y, f: first.y)
    }
}
