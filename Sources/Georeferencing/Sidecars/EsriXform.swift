import Platform
package import Tiling

/// The control points, or else the polynomial, that ArcGIS writes into an `.aux.xml` (`GeodataXform`).
struct EsriXform {
    /// The CRS of the points as WKT, or nil.
    let wkt: String?

    private let order: Int
    private let source: [Double]?
    private let target: [Double]?
    private let coefficients: (x: [Double], y: [Double])?

    /// Finds the element: the document itself, or an element in its metadata. Nil if there is none.
    ///
    /// - Throws: `.badInput` if its numbers do not form pairs.
    init?(in root: XMLElement) throws {
        guard let element = root.descendants("GeodataXform").first else { return nil }
        wkt = element["SpatialReference"]?["WKT"]?.text
        order = element["PolynomialOrder"].flatMap { Int($0.trimmedText) } ?? 1
        let (x, y) = (EsriXform.numbers(in: element["CoeffX"]), EsriXform.numbers(in: element["CoeffY"]))
        if let x, let y { coefficients = (x, y) } else { coefficients = nil }
        source = EsriXform.numbers(in: element["SourceGCPs"])
        target = EsriXform.numbers(in: element["TargetGCPs"])
        guard let source, let target else { return }
        guard source.count == target.count, source.count.isMultiple(of: 2),
            (source + target).allSatisfy(\.isFinite)
        else { throw Failure(.badInput, "its SourceGCPs and TargetGCPs do not belong together") }
    }

    /// The position that it gives the image; nil if it gives none.
    ///
    /// - Throws: `.badInput` if its points are not on the image, or its polynomial is not supported.
    func form(on grid: PixelUnits) throws -> StoredPosition.Form? {
        guard let source, let target else { return try polynomial().map { .affine($0) } }
        let pixels = try pixels([Point](numbers: source), on: grid)
        return .points(
            zip(pixels, [Point](numbers: target)).enumerated().map { index, pair in
                MapPoint(pixel: pair.0, map: pair.1, name: "control point \(index + 1)")
            })
    }

    /// The points in pixels. ArcGIS counts rows downwards as negative numbers. In a TIFF its points may
    /// instead be on the paper, counted from the lower left in the unit of the file's resolution, as in GDAL;
    /// or on the map, where the file's tags placed the image before.
    private func pixels(_ source: [Point], on grid: PixelUnits) throws -> [Point] {
        let isDownwards = source.allSatisfy { $0.y <= 0 }
        let downwards = source.map { Point(x: $0.x, y: -$0.y) }
        if isDownwards, grid.isNear(downwards) { return downwards }
        let onMap = grid.mapToPixels.map { transform in source.map { transform($0) } }
        if let onMap, grid.isNear(onMap) { return onMap }
        let onPaper = grid.pixelsPerUnit.map { scale in
            source.map { Point(x: $0.x * scale.x, y: Double(grid.height) - $0.y * scale.y) }
        }
        if let onPaper, grid.isNear(onPaper) { return onPaper }
        if grid.isNear(source) { return source }
        throw Failure(
            .badInput,
            "its SourceGCPs are outside this image of \(grid.width) x \(grid.height) pixels, in any unit",
            remedy: "in ArcGIS, set the points on an image without georeference, or give them with --gcps")
    }

    /// The polynomial, from pixels counted from the top-left corner. In the file, the constants place the
    /// centre of the first pixel, and rows are negative: GDAL inferred this from ArcGIS's own world files.
    private func polynomial() throws -> AffineTransform? {
        guard let (x, y) = coefficients else { return nil }
        guard order == 1, x.count == 3, y.count == 3, (x + y).allSatisfy(\.isFinite) else {
            throw Failure(
                .badInput,
                "its CoeffX and CoeffY are a polynomial of order \(order), but only the "
                    + "first order is supported",
                remedy: "in ArcGIS, rectify the image, or save its control points")
        }
        let transform = AffineTransform(
            a: x[1], b: -x[2], c: x[0] - (x[1] - x[2]) / 2, d: y[1], e: -y[2], f: y[0] - (y[1] - y[2]) / 2)
        guard transform.determinant.isNormal else { throw ExactMapping.flattened }
        return transform
    }

    private static func numbers(in element: XMLElement?) -> [Double]? {
        element.map { $0.children("Double").map { Double($0.trimmedText) ?? .nan } }
    }
}

/// The pixels of an image and the other units of its file: ArcGIS's control points may be on the paper or on
/// the map.
package struct PixelUnits: Sendable {
    /// Columns.
    package let width: Int
    /// Rows.
    package let height: Int
    /// Pixels per unit of the paper, across and down, whichever unit a TIFF names; nil for other files.
    package let pixelsPerUnit: Point?
    /// From the map to pixels, by the image's own tags; nil if they have no affine position.
    let mapToPixels: AffineTransform?

    /// Describes an image.
    package init(width: Int, height: Int, pixelsPerUnit: Point? = nil, tags: GeoTIFFTags? = nil) {
        (self.width, self.height, self.pixelsPerUnit) = (width, height, pixelsPerUnit)
        // Invalid tags are refused where they are used.
        if case .affine(let transform)? = try? tags?.positionForm() {
            mapToPixels = transform.inverse
        } else {
            mapToPixels = nil
        }
    }

    /// Whether points are on the image, or outside by at most its size.
    func isNear(_ points: [Point]) -> Bool {
        let (w, h) = (Double(width), Double(height))
        return points.allSatisfy { (-w...2 * w).contains($0.x) && (-h...2 * h).contains($0.y) }
    }
}
