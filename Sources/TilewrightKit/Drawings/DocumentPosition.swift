import Georeferencing
import Tiling

/// Where a document says that one of its pages lies.
struct DocumentPosition {
    /// What says it, for people.
    let source: String
    /// From pixels of the image to coordinates.
    let georeference: Georeference
    /// The edge of the map on the page, in pixels of the image, its end not repeated; nil if the page is all map.
    let neatline: [Point]?
    /// What else the user should know, a clause each.
    let warnings: [String]
}

extension PageImage {
    /// Where the document says that the page lies; nil if it says nothing.
    ///
    /// - Parameter crs: counts in the place of the system that the document names.
    /// - Throws: a `Failure` of kind `badInput` that does not name the file.
    func position(crs: CRS?) throws -> DocumentPosition? {
        guard let found = try drawing.page.position(crs: crs) else { return nil }
        let pixelsFromPoints = pointsFromPixels.inverse ?? .identity
        return DocumentPosition(
            source: found.source, georeference: found.georeference.applying(first: pointsFromPixels),
            neatline: found.neatline?.map { pixelsFromPoints($0) }, warnings: found.warnings)
    }
}

extension DocumentPosition {
    /// Parts of an edge of the neatline, which a reference system may bend.
    private static let partsOfEdge = 16

    /// The neatline in Mercator metres.
    ///
    /// - Parameters:
    ///   - mapping: of a window of the image.
    ///   - window: the pixels of the image that are the mapping's.
    func outline(by mapping: ImageMapping, of window: PixelWindow) -> [Point]? {
        guard let neatline, neatline.count > 2 else { return nil }
        let corner = Point(x: Double(window.columns.lowerBound), y: Double(window.rows.lowerBound))
        var ring = neatline.indices.flatMap { index in
            let (start, end) = (neatline[index], neatline[(index + 1) % neatline.count])
            return (0..<Self.partsOfEdge).map { part in
                start + (end - start) * (Double(part) / Double(Self.partsOfEdge)) - corner
            }
        }
        mapping.mercatorPoints(ofImage: &ring)
        return ring.allSatisfy(\.isFinite) ? ring : nil
    }
}
