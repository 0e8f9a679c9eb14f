import Platform
import Tiling

/// The registration of a page in an LGIDict, as in OGC 08-139 and as TerraGo's programs write it, with the
/// values of the document.
package struct LGIDict: Hashable, Sendable {
    /// `CTM`: a, b, c, d, e, f of x' = a x + c y + e, y' = b x + d y + f, from units of the document to
    /// coordinates.
    package var matrix: [Double]?
    /// `Registration`: rows of x, y in units of the document and x, y in coordinates.
    package var registration: [[Double]]?
    /// `Neatline`: pairs in units of the document; two of them are opposite corners.
    package var neatline: [Double]?
    /// `Projection`: entries as text. Those of a nested dictionary have its name and a dot in front:
    /// `Datum.Ellipsoid`.
    package var projection: [String: String]

    /// Makes an LGIDict.
    package init(
        matrix: [Double]? = nil, registration: [[Double]]? = nil, neatline: [Double]? = nil,
        projection: [String: String]
    ) {
        (self.matrix, self.registration) = (matrix, registration)
        (self.neatline, self.projection) = (neatline, projection)
    }
}

extension LGIDict {
    /// The position of the page: by the matrix or, if there is none, by the registered points, as in GDAL.
    ///
    /// - Parameters:
    ///   - title: the name for people.
    ///   - pointsFromUnits: from units of the document to points of the page.
    ///   - other: a CRS that replaces the system of the LGIDict.
    func position(
        _ title: String, onto pointsFromUnits: AffineTransform, crs other: CRS?
    ) throws -> GeospatialPDF {
        let crs = try other ?? LGIProjection(projection, of: title).crs()
        let (ring, complaint) = ring(pointsFromUnits, title)
        if let matrix {
            let transform = try transform(matrix, pointsFromUnits, title)
            try checkDegrees(
                of: (ring ?? [pointsFromUnits(Point(x: 0, y: 0))]).map { transform($0) }, crs, title)
            let mirror =
                transform.determinant > 0 ? ["its \(title) mirrors the map"] : []
            return GeospatialPDF(
                source: title, georeference: Georeference(crs: crs, pixelToCRS: .affine(transform)),
                neatline: ring, warnings: mirror + complaint)
        }
        let fit = try fit(pointsFromUnits, crs, title)
        return GeospatialPDF(
            source: title, georeference: fit.georeference, neatline: ring, worstMiss: fit.worstMiss,
            warnings: fit.warnings(title) + complaint)
    }

    /// From points of the page to coordinates.
    private func transform(
        _ m: [Double], _ pointsFromUnits: AffineTransform, _ title: String
    ) throws -> AffineTransform {
        guard m.count == 6, m.allSatisfy(\.isFinite) else {
            throw Failure(.badInput, "the CTM of its \(title) is not six numbers")
        }
        let matrix = AffineTransform(a: m[0], b: m[2], c: m[4], d: m[1], e: m[3], f: m[5])
        guard matrix.hasArea, let unitsFromPoints = pointsFromUnits.inverse else {
            throw Failure(.badInput, "the CTM of its \(title) flattens the page")
        }
        let transform = unitsFromPoints.followed(by: matrix)
        guard transform.isFinite, transform.determinant.isNormal else {
            throw Failure(.badInput, "the CTM of its \(title) makes no finite coordinates")
        }
        return transform
    }

    /// GDAL writes `GEOGRAPHIC`, with metres, for systems that an LGIDict cannot express.
    private func checkDegrees(of places: [Point], _ crs: CRS, _ title: String) throws {
        guard let fullTurn = crs.fullTurn,
            let wrong = places.first(where: { abs($0.y) > fullTurn / 2 || abs($0.x) > fullTurn * 1.5 })
        else { return }
        throw Failure.unclearSystem(
            "the CTM of its \(title) leads to \(wrong.x.shortText), \(wrong.y.shortText), which is not a "
                + "longitude and a latitude")
    }

    /// Three points make an affine transform; a grid has some hundreds.
    private static let counts = 3...10_000

    private func fit(_ pointsFromUnits: AffineTransform, _ crs: CRS, _ title: String) throws -> GroundFit {
        guard let rows = registration, !rows.isEmpty else {
            throw Failure(.badInput, "its \(title) has neither CTM nor Registration")
        }
        guard rows.allSatisfy({ $0.count == 4 && $0.allSatisfy(\.isFinite) }) else {
            throw Failure(.badInput, "the Registration of its \(title) has a row that is not four numbers")
        }
        guard Self.counts.contains(rows.count) else {
            throw Failure(
                .badInput,
                "the Registration of its \(title) has \(rows.count) points instead of "
                    + "\(Self.counts.lowerBound) to \(Self.counts.upperBound)")
        }
        let page = rows.map { pointsFromUnits(Point(x: $0[0], y: $0[1])) }
        guard page.allSatisfy(\.isFinite), !page.lieOnLine(within: 1e-3) else {
            throw Failure(.badInput, "the registered points of its \(title) lie on one line")
        }
        do {
            let fit = try GroundFit(page, to: rows.map { Point(x: $0[2], y: $0[3]) }, crs: crs)
            try fit.checkMiss(of: page, title)
            return fit
        } catch let failure as Failure where failure.remedy == nil {
            throw Failure(
                .badInput, "the registered points of its \(title) do not form a map: \(failure.message)")
        }
    }

    /// The neatline in points of the page, and a warning if it is invalid.
    private func ring(_ pointsFromUnits: AffineTransform, _ title: String) -> ([Point]?, [String]) {
        guard let neatline, !neatline.isEmpty else { return (nil, []) }
        var points = PagePolygon.points(neatline)
        if points.count == 2, let box = BoundingBox(around: points) { points = box.corners }
        if let ring = PagePolygon.ring(points, pointsFromUnits) { return (ring, []) }
        return (nil, ["the Neatline of its \(title) is not a polygon and is ignored"])
    }
}
