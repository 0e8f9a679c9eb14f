import Platform
package import Tiling

/// The position of a PDF page, from viewports with a measure (ISO 32000-2, 12.10) or LGIDicts (OGC 08-139).
///
/// Points are 1/72 inch, from the top left corner of the page as displayed, y down.
package struct GeospatialPDF: Sendable {
    /// The source of the position, for people: `viewport 'Layers'`, `LGIDict 'Map Layers'`.
    package let source: String
    /// From points of the page to coordinates of the CRS.
    package let georeference: Georeference
    /// The edge of the map in points of the page, its end not repeated; nil if the page gives none.
    package let neatline: [Point]?
    /// The largest miss of a place, in points of the page; nil if nothing was fitted.
    package let worstMiss: Double?
    /// Warnings for the user, a clause each.
    package private(set) var warnings: [String]

    /// Makes a position that is known.
    init(
        source: String, georeference: Georeference, neatline: [Point]?, worstMiss: Double? = nil,
        warnings: [String] = []
    ) {
        (self.source, self.georeference, self.neatline) = (source, georeference, neatline)
        (self.worstMiss, self.warnings) = (worstMiss, warnings)
    }

    /// Takes the main part of the page: the one named `Map Layers`, as in USGS maps, or the largest. A
    /// warning names all other parts, which are inset maps.
    ///
    /// If there are LGIDicts, the viewports are ignored, as in GDAL: they have the same position in fewer
    /// digits. If no LGIDict can be used, the viewports are.
    ///
    /// - Parameters:
    ///   - parts: the parts as in the document; if there are none, the result is nil.
    ///   - pointsFromUnits: from units of the document to points of the page.
    ///   - crs: a CRS that replaces the system of a part.
    /// - Throws: a `Failure` of kind `badInput` with the reason, but without the file's name.
    package init?(
        _ parts: [GeospatialPart], pointsFromUnits: AffineTransform, crs: CRS? = nil
    ) throws {
        let (dictionaries, viewports) = (parts.filter(\.isLGIDict), parts.filter { !$0.isLGIDict })
        guard pointsFromUnits.inverse.map(\.isFinite) ?? false else {
            if parts.isEmpty { return nil }
            throw Failure(.badInput, "the page has no area")
        }
        var refusals: [Failure] = []
        for group in [dictionaries, viewports] {
            guard let chosen = GeospatialPart.chosen(of: group) else { continue }
            do {
                self = try group[chosen].position(onto: pointsFromUnits, crs: crs)
                if let others = GeospatialPart.others(than: chosen, in: group) { warnings.append(others) }
                if let first = refusals.first {
                    warnings.append("the page's LGIDict is not understood: \(first.message.oneLine)")
                }
                return
            } catch let failure as Failure {
                refusals.append(failure)
            }
        }
        guard let last = refusals.last else { return nil }
        throw last
    }
}

extension AffineTransform {
    /// Whether all its numbers are finite.
    var isFinite: Bool { numbers.allSatisfy(\.isFinite) }

    /// Whether its axes have different directions: the sine of the angle between them is above a thousandth.
    /// A more skewed transform is not a map.
    var hasArea: Bool {
        let (right, down) = (Point(x: a, y: d), Point(x: b, y: e))
        return isFinite && abs(right.cross(down)) > 1e-3 * right.length * down.length
    }
}

/// A part of a page with a position. Its values are as in the document, and not yet checked.
package struct GeospatialPart: Hashable, Sendable {
    /// The kinds of position.
    package enum Form: Hashable, Sendable {
        /// A viewport with a measure: ISO 32000-2, 12.10.
        case measure(GeospatialMeasure)
        /// An LGIDict: OGC 08-139.
        case lgiDict(LGIDict)
    }

    /// The viewport's name, or the LGIDict's description.
    package var name: String?
    /// The kind of position.
    package var form: Form

    /// Makes a part.
    package init(name: String? = nil, form: Form) { (self.name, self.form) = (name, form) }
}

extension GeospatialPart {
    /// Whether it is one of the two kinds.
    var isLGIDict: Bool {
        if case .lgiDict = form { true } else { false }
    }

    /// The name for people: `viewport 'Layers'`.
    var title: String {
        let kind = isLGIDict ? "LGIDict" : "viewport"
        return name.map { "\(kind) '\($0.shortened)'" } ?? kind
    }

    /// The position of the page by this part.
    func position(onto pointsFromUnits: AffineTransform, crs: CRS?) throws -> GeospatialPDF {
        switch form {
        case .measure(let measure): try measure.position(title, onto: pointsFromUnits, crs: crs)
        case .lgiDict(let dictionary): try dictionary.position(title, onto: pointsFromUnits, crs: crs)
        }
    }

    /// The area on the page in square units of the document; 0 if it is unknown.
    private var area: Double {
        let box: BoundingBox? =
            switch form {
            case .measure(let measure): measure.box.flatMap { MeasureBox($0) }?.outline
            case .lgiDict(let dictionary):
                dictionary.neatline.flatMap { BoundingBox(around: PagePolygon.points($0)) }
            }
        guard let area = box.map({ $0.width * $0.height }), area.isFinite else { return 0 }
        return area
    }

    /// The name of the map in a sheet of USGS; the sheet's legends have LGIDicts, too.
    private static let nameOfMap = "map layers"

    /// The index of the main part: the one with that name, or else the first of the largest parts.
    static func chosen(of parts: [GeospatialPart]) -> Int? {
        if let named = parts.firstIndex(where: { $0.name?.lowercased() == nameOfMap }) { return named }
        let areas = parts.map(\.area)
        return areas.indices.max { areas[$0] < areas[$1] || (areas[$0] == areas[$1] && $0 > $1) }
    }

    /// A clause about the parts that are not used; nil if there are none.
    static func others(than chosen: Int, in parts: [GeospatialPart]) -> String? {
        guard parts.count > 1 else { return nil }
        let names = parts.indices.filter { $0 != chosen }.map { parts[$0].title }
        return "the page has \(parts.count) maps: \(parts[chosen].title) is used, not \(names.firstFive)"
    }
}

/// Polygons on a page, from lists of numbers.
enum PagePolygon {
    /// The maximum number of points of an edge. An edge along a river or a border has some thousands.
    private static let mostPoints = 100_000

    /// Pairs of numbers as points; empty if the list is not pairs of finite numbers.
    static func points(_ numbers: [Double]) -> [Point] {
        guard numbers.count.isMultiple(of: 2), numbers.count <= 2 * mostPoints,
            numbers.allSatisfy(\.isFinite)
        else { return [] }
        return [Point](numbers: numbers)
    }

    /// A ring of at least three points, its end not repeated; nil if it has no area.
    ///
    /// - Parameter transform: to points of the page, on which an area of less than a hundredth of a point
    ///   squared is not a map.
    static func ring(_ points: [Point], _ transform: AffineTransform) -> [Point]? {
        var ring: [Point] = []
        for point in points.map({ transform($0) }) where point != ring.last { ring.append(point) }
        if ring.count > 1, ring.first == ring.last { ring.removeLast() }
        guard ring.count >= 3, ring.allSatisfy(\.isFinite), let first = ring.first else { return nil }
        var twice = 0.0
        for (here, next) in zip(ring, ring.dropFirst()) { twice += (here - first).cross(next - first) }
        return twice.isFinite && abs(twice) > 2e-4 ? ring : nil
    }
}
