package import Tilesets
package import Tiling

/// KML documents that show the tiles themselves, finer ones as the viewer comes nearer.
///
/// A document holds the tiles of three zooms below a tile, and links to the documents of the next
/// three. This makes a fifteenth as many documents as tiles; one per tile would double the files.
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

    /// The top tile of the document that holds a tile. Zooms are grouped from the finest up: it has the
    /// most tiles, so its documents should be full.
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

    /// Where a tile is shown: once the screen shows it at half its size in pixels. Tiles of the lowest
    /// zoom are shown from any distance.
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
