import Platform
import Tiling

/// A viewport with a geospatial measure, as ISO 32000-2, 12.10 has it, with the values of the document.
package struct GeospatialMeasure: Hashable, Sendable {
    /// `BBox` of the viewport, in units of the document: the corner that is (0, 0) of the unit square, and the
    /// one that is (1, 1).
    package var box: [Double]?
    /// `Bounds`: the neatline, pairs in the unit square.
    package var bounds: [Double]?
    /// `GPTS`: latitudes and longitudes of known places.
    package var groundPoints: [Double]?
    /// `LPTS`: pairs in the unit square, of the same places.
    package var boxPoints: [Double]?
    /// The system that `GCS` names.
    package var system: System

    /// A `GCS` of a measure.
    package struct System: Hashable, Sendable {
        /// Its `Type`: `PROJCS` or `GEOGCS`.
        package var type: String?
        /// Its `EPSG`.
        package var epsg: Int?
        /// Its `WKT`.
        package var wkt: String?

        /// Makes one.
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
    /// Where the page lies: the affine transform that meets the known places best.
    ///
    /// - Parameters:
    ///   - title: what people call it.
    ///   - pointsFromUnits: from units of the document to points of the page.
    ///   - other: counts in the place of the system that it names.
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
        // Which corner comes first says where x and y grow to, which is what GDAL reads, too. Who wrote a map
        // that is a mirror image by that has meant the lower left corner.
        var (chosen, best) = (box, try fit(box))
        if best.isMirrored, let normal = box.normal, let other = try? fit(normal), !other.isMirrored {
            (chosen, best) = (normal, other)
        }
        let (ring, complaint) = neatline(chosen.unitsFromSquare.followed(by: pointsFromUnits), title)
        let stand =
            boxPoints == nil ? ["its \(title) has no LPTS, and its Bounds stand for them"] : []
        return GeospatialPDF(
            source: title, georeference: best.georeference, neatline: ring, worstMiss: best.worstMiss,
            warnings: best.warnings(title) + stand + complaint)
    }

    /// What stands for `LPTS`, which the standard lets writers leave out without a word on what counts then: the
    /// neatline, if it has as many points as places are known.
    private var boundsAsPoints: [Double]? {
        bounds?.count == groundPoints?.count ? bounds : nil
    }

    /// The edge of the map in points of the page, all of the box unless something else is said, and what is wrong
    /// with it.
    private func neatline(_ squareToPage: AffineTransform, _ title: String) -> ([Point]?, [String]) {
        let square = BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1).corners
        let whole = PagePolygon.ring(square, squareToPage)
        guard let bounds, !bounds.isEmpty else { return (whole, []) }
        if let ring = PagePolygon.ring(PagePolygon.points(bounds), squareToPage) { return (ring, []) }
        return (whole, ["the Bounds of its \(title) are no polygon, and do not count"])
    }
}

extension GeospatialMeasure.System {
    /// The system: the one of the number, or of the WKT if nobody knows the number or that is of the other
    /// type.
    ///
    /// - Throws: a `Failure` of kind `badInput` with what PROJ says.
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

/// The rectangle of a viewport, in units of the document. Its first corner is (0, 0) of the unit square in which a
/// measure counts, and its second one (1, 1).
struct MeasureBox {
    private let first: Point
    private let second: Point

    /// Takes a `BBox`; nil if that is not four finite numbers or has no area.
    init?(_ numbers: [Double]) {
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
        self.init(Point(x: numbers[0], y: numbers[1]), Point(x: numbers[2], y: numbers[3]))
        let area = outline.width * outline.height
        guard area > 0, area.isFinite else { return nil }
    }

    private init(_ first: Point, _ second: Point) { (self.first, self.second) = (first, second) }

    /// The rectangle around.
    var outline: BoundingBox {
        BoundingBox(
            minX: min(first.x, second.x), minY: min(first.y, second.y), maxX: max(first.x, second.x),
            maxY: max(first.y, second.y))
    }

    /// The same with its lower left corner first; nil if that is so already.
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
