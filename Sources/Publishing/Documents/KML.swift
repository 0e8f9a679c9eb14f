package import Tilesets
package import Tiling

/// Pieces of KML 2.2 documents to write.
private enum KMLText {
    /// A whole document as a file.
    static func file(
        _ name: String, title: String, description: String = "", _ features: [String]
    ) -> SideFile {
        let about =
            description.isEmpty
            ? "" : "  <description>\(XMLText.escaped(description))</description>\n"
        let text =
            XMLText.declaration + """
                <kml xmlns="http://www.opengis.net/kml/2.2">
                <Document>
                  <name>\(XMLText.escaped(title))</name>
                \(about)\(features.joined(separator: "\n"))
                </Document>
                </kml>

                """
        return SideFile(name: name, bytes: Array(text.utf8))
    }

    /// The document of a whole tileset, `doc.kml`, or `doc-FLOOR.kml` for a floor.
    static func file(of metadata: TilesetMetadata, _ features: [String]) -> SideFile {
        file(
            SideFile.name("doc", floor: metadata.floor, fileExtension: "kml"), title: metadata.name,
            description: metadata.description, features)
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

    /// The edges of a box in degrees.
    static func edges(_ box: BoundingBox) -> String {
        "<north>\(box.maxY)</north><south>\(box.minY)</south>"
            + "<east>\(box.maxX)</east><west>\(box.minX)</west>"
    }
}

extension TilesetMetadata {
    /// A picture of the whole tileset, `doc.png`, and the document that shows it on the ground, `doc.kml`;
    /// `doc-FLOOR.png` and so on for a floor.
    ///
    /// - Parameters:
    ///   - picture: the bytes of a PNG file.
    ///   - box: its edges in degrees; the east is beyond 180 if they cross the antimeridian.
    package func overlay(_ picture: [UInt8], box: BoundingBox) -> [SideFile] {
        let file = SideFile(name: SideFile.name("doc", floor: floor, fileExtension: "png"), bytes: picture)
        let overlay = KMLText.groundOverlay(
            name: name, href: Self.escaped(file.name), box: box, drawOrder: 0)
        return [file, KMLText.file(of: self, [overlay])]
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
            KMLText.file(
                name(of: top), title: "\(top)",
                tiles.sorted().map(overlay) + (isLinked[top] ?? []).map(link))
        }
        return documents + [KMLText.file(of: metadata, (isLinked[nil] ?? []).map(link))]
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

    /// The link to a document, which is fetched when its region comes into view.
    private func link(_ top: TileCoordinate) -> String {
        let href = XMLText.escaped(TilesetMetadata.escaped(name(of: top)))
        return """
              <NetworkLink>
                <name>\(top)</name>\(region(of: top))
                <Link><href>\(href)</href><viewRefreshMode>onRegion</viewRefreshMode></Link>
              </NetworkLink>
            """
    }

    /// The region of a tile, which is shown when it is on the screen at half its size in pixels; tiles of the
    /// lowest zoom are shown from any distance.
    private func region(of tile: TileCoordinate) -> String {
        let leastPixels = tile.zoom == range.lowerBound ? 0 : metadata.tileSize / 2
        return """

                <Region>
                  <LatLonAltBox>\(KMLText.edges(box(of: tile)))</LatLonAltBox>
                  <Lod><minLodPixels>\(leastPixels)</minLodPixels><maxLodPixels>-1</maxLodPixels></Lod>
                </Region>
            """
    }

    private func box(of tile: TileCoordinate) -> BoundingBox {
        TileRange(zoom: tile.zoom, column: tile.column, row: tile.row).lonLatBounds
    }
}

extension TileCoordinate {
    /// The tile `generations` zooms up that contains this one.
    fileprivate func ancestor(generations: Int) -> TileCoordinate {
        TileCoordinate(
            zoom: zoom - generations, column: column >> generations, row: row >> generations)
    }
}
