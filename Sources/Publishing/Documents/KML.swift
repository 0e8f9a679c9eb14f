package import Tilesets
package import Tiling

/// Pieces of KML 2.2 documents to write.
enum KMLText {
    /// A whole document.
    static func document(name: String, description: String = "", _ features: [String]) -> [UInt8] {
        let about =
            description.isEmpty
            ? "" : "  <description>\(XMLText.escaped(description))</description>\n"
        let text =
            XMLText.declaration + """
                <kml xmlns="http://www.opengis.net/kml/2.2">
                <Document>
                  <name>\(XMLText.escaped(name))</name>
                \(about)\(features.joined(separator: "\n"))
                </Document>
                </kml>

                """
        return Array(text.utf8)
    }

    /// A picture on the ground. If pictures overlap, the one with the higher `drawOrder` is visible.
    ///
    /// - Parameter box: the picture's edges in degrees.
    static func groundOverlay(
        name: String, href: String, box: BoundingBox, drawOrder: Int, region: String = ""
    ) -> String {
        """
          <GroundOverlay>
            <name>\(XMLText.escaped(name))</name>\(region)
            <drawOrder>\(drawOrder)</drawOrder>
            <Icon><href>\(XMLText.escaped(href))</href></Icon>
            <LatLonBox>\(edges(box))</LatLonBox>
          </GroundOverlay>
        """
    }

    /// A link to another document, which is fetched when its region comes into view.
    static func networkLink(name: String, href: String, region: String) -> String {
        """
          <NetworkLink>
            <name>\(XMLText.escaped(name))</name>\(region)
            <Link><href>\(XMLText.escaped(href))</href><viewRefreshMode>onRegion</viewRefreshMode></Link>
          </NetworkLink>
        """
    }

    /// The region of a feature, which is shown once the region is `leastPixels` large on the screen.
    ///
    /// - Parameter box: the region's edges in degrees.
    static func region(_ box: BoundingBox, leastPixels: Int) -> String {
        """

            <Region>
              <LatLonAltBox>\(edges(box))</LatLonAltBox>
              <Lod><minLodPixels>\(leastPixels)</minLodPixels><maxLodPixels>-1</maxLodPixels></Lod>
            </Region>
        """
    }

    private static func edges(_ box: BoundingBox) -> String {
        "<north>\(box.maxY)</north><south>\(box.minY)</south>"
            + "<east>\(box.maxX)</east><west>\(box.minX)</west>"
    }
}

/// A KML document with one picture of the whole tileset on the ground.
package struct OverlayDocument: Sendable {
    /// The tileset.
    package var metadata: TilesetMetadata
    /// The edges of the picture in degrees; the east is beyond 180 if they cross the antimeridian.
    package var box: BoundingBox
    /// The bytes of the picture, a PNG file.
    package var picture: [UInt8]

    /// Makes the document of a picture.
    package init(_ metadata: TilesetMetadata, box: BoundingBox, picture: [UInt8]) {
        (self.metadata, self.box, self.picture) = (metadata, box, picture)
    }

    /// The picture, `doc.png`, and the document, `doc.kml`; `doc-FLOOR.png` and so on for a floor.
    package var files: [SideFile] {
        let name = sideFileName("doc", floor: metadata.floor, fileExtension: "png")
        let overlay = KMLText.groundOverlay(
            name: metadata.name, href: TilesetMetadata.escaped(name), box: box, drawOrder: 0)
        return [
            SideFile(name: name, bytes: picture),
            SideFile(
                name: sideFileName("doc", floor: metadata.floor, fileExtension: "kml"),
                bytes: KMLText.document(
                    name: metadata.name, description: metadata.description, [overlay])),
        ]
    }
}

/// KML documents that show the tiles themselves, finer ones as the viewer comes closer.
///
/// A document holds the tiles of three zooms below a tile, and links to the documents of the next three. That
/// is a fifteenth as many documents as tiles; one per tile would double the number of files.
package struct SuperOverlay: Sendable {
    /// Zooms in a document: 1 + 4 + 16 tiles.
    private static let zooms = 3

    private let metadata: TilesetMetadata
    private let range: ClosedRange<Int>
    /// The tiles of each document, by the document's top tile, which need not exist.
    private let blocks: [TileCoordinate: [TileCoordinate]]

    /// Makes the documents of a tileset.
    package init(_ metadata: TilesetMetadata, tiles: [TileCoordinate]) {
        self.metadata = metadata
        let zooms = tiles.map(\.zoom)
        let range = (zooms.min() ?? 0)...(zooms.max() ?? 0)
        self.range = range
        blocks = Dictionary(grouping: tiles) { Self.top(of: $0, in: range) }
    }

    /// The top tile of the document that holds a tile. Zooms are grouped from the finest up: the finest
    /// has the most tiles, so its documents should be full.
    private static func top(of tile: TileCoordinate, in range: ClosedRange<Int>) -> TileCoordinate {
        let above = (range.upperBound - tile.zoom) % zooms
        return tile.ancestor(
            generations: min(zooms - 1 - above, tile.zoom - range.lowerBound))
    }

    /// The documents `doc-ZOOM-COLUMN-ROW.kml`, rows counted from the north, and last `doc.kml`, from
    /// which links lead to all of them.
    package var files: [SideFile] {
        let blocks = blocks.sorted { $0.key < $1.key }
        let isLinked = Dictionary(grouping: blocks.map(\.key)) { parent(of: $0) }
        let documents = blocks.map { top, tiles in
            let overlays = tiles.sorted().map(overlay)
            return SideFile(
                name: name(of: top),
                bytes: KMLText.document(
                    name: "\(top)", overlays + (isLinked[top] ?? []).map(link)))
        }
        let first = SideFile(
            name: sideFileName("doc", floor: metadata.floor, fileExtension: "kml"),
            bytes: KMLText.document(
                name: metadata.name, description: metadata.description,
                (isLinked[nil] ?? []).map(link)))
        return documents + [first]
    }

    /// The top tile of the document that links to the document of `top`; nil if that is `doc.kml`.
    private func parent(of top: TileCoordinate) -> TileCoordinate? {
        guard top.zoom > range.lowerBound else { return nil }
        let parent = Self.top(of: top.ancestor(generations: 1), in: range)
        return blocks[parent] == nil ? nil : parent
    }

    private func name(of top: TileCoordinate) -> String {
        let floor = metadata.floor.map { "\($0)-" } ?? ""
        return "doc-\(floor)\(top.zoom)-\(top.column)-\(top.row).kml"
    }

    private func overlay(_ tile: TileCoordinate) -> String {
        KMLText.groundOverlay(
            name: "\(tile)", href: metadata.relativeAddress(of: tile), box: box(of: tile),
            drawOrder: tile.zoom, region: region(of: tile))
    }

    private func link(_ top: TileCoordinate) -> String {
        KMLText.networkLink(
            name: "\(top)", href: TilesetMetadata.escaped(name(of: top)), region: region(of: top))
    }

    /// The region of a tile. The tile is shown when it is on the screen at half its size in pixels; tiles of
    /// the lowest zoom are shown from any distance.
    private func region(of tile: TileCoordinate) -> String {
        KMLText.region(
            box(of: tile), leastPixels: tile.zoom == range.lowerBound ? 0 : metadata.tileSize / 2)
    }

    private func box(of tile: TileCoordinate) -> BoundingBox {
        TileRange.lonLatBounds(
            zoom: tile.zoom, columns: tile.column...tile.column, rows: tile.row...tile.row)
    }
}

extension TileCoordinate {
    /// The tile `generations` zooms up that contains this one.
    fileprivate func ancestor(generations: Int) -> TileCoordinate {
        TileCoordinate(
            zoom: zoom - generations, column: column >> generations, row: row >> generations)
    }
}
