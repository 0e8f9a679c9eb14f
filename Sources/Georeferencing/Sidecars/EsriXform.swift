import Diagnostics
import Tiling

/// The control points that ArcGIS writes into an `.aux.xml` (`GeodataXform`).
struct EsriXform {
    /// The CRS of the points as WKT, or nil.
    let wkt: String?

    private let source: [Double]?
    private let target: [Double]?

    /// Finds it in a document: the whole of it, or in its metadata. Nil if there is none.
    init?(in root: XMLElement) {
        guard let element = root.descendants("GeodataXform").first else { return nil }
        wkt = element["SpatialReference"]?["WKT"]?.text
        source = EsriXform.numbers(in: element["SourceGCPs"])
        target = EsriXform.numbers(in: element["TargetGCPs"])
    }

    /// The points; nil if it has none. Rows count down from zero, as negative numbers, or as
    /// positive ones.
    var controlPoints: [MapPoint]? {
        get throws {
            guard let source, let target else { return nil }
            guard source.count == target.count, source.count.isMultiple(of: 2),
                (source + target).allSatisfy(\.isFinite)
            else {
                throw Failure(.badInput, "its SourceGCPs and TargetGCPs do not belong together")
            }
            let rows = stride(from: 1, to: source.count, by: 2).map { source[$0] }
            let sign = rows.allSatisfy { $0 <= 0 } ? -1.0 : 1
            return stride(from: 0, to: source.count, by: 2).map { index in
                MapPoint(
                    pixel: Point(x: source[index], y: sign * source[index + 1]),
                    map: Point(x: target[index], y: target[index + 1]),
                    name: "control point \(index / 2 + 1)")
            }
        }
    }

    private static func numbers(in element: XMLElement?) -> [Double]? {
        element.map { $0.children("Double").map { Double($0.trimmedText) ?? .nan } }
    }
}
