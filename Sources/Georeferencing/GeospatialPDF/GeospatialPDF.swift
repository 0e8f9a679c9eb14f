import Platform
package import Tiling

/// Where a page of a PDF says that it lies: by viewports with a measure (ISO 32000-2, 12.10) or by LGIDicts (OGC
/// 08-139).
///
/// Points are 72 to the inch, from the top left corner of the page as it is seen, y down.
package struct GeospatialPDF: Sendable {
    /// What says it, for people: `viewport 'Layers'`, `LGIDict 'Map Layers'`.
    package let source: String
    /// From points of the page to coordinates of the CRS.
    package let georeference: Georeference
    /// The edge of the map in points of the page, its end not repeated; nil if nothing is said of one.
    package let neatline: [Point]?
    /// By how many points of the page the place is missed that is missed most; nil if nothing was fitted.
    package let worstMiss: Double?
    /// What else the user should know, a clause each.
    package private(set) var warnings: [String]

    /// Makes a position that is known.
    init(
        source: String, georeference: Georeference, neatline: [Point]?, worstMiss: Double? = nil,
        warnings: [String] = []
    ) {
        (self.source, self.georeference, self.neatline) = (source, georeference, neatline)
        (self.worstMiss, self.warnings) = (worstMiss, warnings)
    }

    /// Takes the part of the page that counts: the one that is called `Map Layers`, as USGS calls its maps, or
    /// the largest; all others, inset maps, are named in a warning.
    ///
    /// If there are LGIDicts, the viewports do not count, which say the same in fewer digits; that is how GDAL
    /// has it, too. If no LGIDict is understood, they do.
    ///
    /// - Parameters:
    ///   - parts: as they stand in the document; nil is returned if there are none.
    ///   - pointsFromUnits: from units of the document to points of the page.
    ///   - crs: counts in the place of the system that a part names.
    /// - Throws: a `Failure` of kind `badInput` that says what is wrong, but not in which file.
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
    var isFinite: Bool { [a, b, c, d, e, f].allSatisfy(\.isFinite) }

    /// Whether its axes lead into different directions: the sine of the angle between them is above a
    /// thousandth. A map that is more skewed than that is none.
    var hasArea: Bool {
        let (right, down) = (Point(x: a, y: d), Point(x: b, y: e))
        return isFinite && abs(right.cross(down)) > 1e-3 * right.length * down.length
    }
}
