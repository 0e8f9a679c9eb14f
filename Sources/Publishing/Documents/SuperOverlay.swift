package import Tilesets
package import Tiling

/// KML documents that show the tiles themselves, finer ones as one comes nearer.
///
/// A document holds the tiles of three zooms below a tile, and links to those of the next three: a
/// fifteenth as many documents as tiles, where one per tile would double the files.
package struct SuperOverlay: Sendable {
    /// Zooms in a document: 1 + 4 + 16 tiles.
    private static let zooms = 3

    private let metadata: TilesetMetadata
    private let range: ClosedRange<Int>
    /// The tiles of each document, by the tile at its top, which itself need not exist.
    private let blocks: [TileCoordinate: [TileCoordinate]]

    /// Makes the documents of a tileset.
    package init(_ metadata: TilesetMetadata, tiles: [TileCoordinate]) {
        self.metadata = metadata
        let zooms = tiles.map(\.zoom)
        let range = (zooms.min() ?? 0)...(zooms.max() ?? 0)
        self.range = range
        blocks = Dictionary(grouping: tiles) { Self.top(of: $0, in: range) }
    }

    /// The tile at the top of the document that a tile is in. Zooms are divided from the finest, where
    /// most tiles are, so that its documents are full.
    private static func top(of tile: TileCoordinate, in range: ClosedRange<Int>) -> TileCoordinate {
        let above = (range.upperBound - tile.zoom) % zooms
        return tile.ancestor(
            generations: min(zooms - 1 - above, tile.zoom - range.lowerBound))
    }

    /// `doc.kml`, from which all is reached, behind the documents that it links to:
    /// `doc-ZOOM-COLUMN-ROW.kml`, rows counted from the north.
    package var files: [SideFile] {
        let tops = blocks.keys.sorted()
        let isLinked = Dictionary(grouping: tops) { parent(of: $0) }
        let documents = tops.map { top in
            let overlays = (blocks[top] ?? []).sorted().map(overlay)
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

    /// The top of the document that links to the one of a top; nil for `doc.kml`.
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

    /// A tile is fetched when it is half as large on the screen as it is; the first ones from any
    /// distance.
    private func region(of tile: TileCoordinate) -> String {
        KMLText.region(
            box(of: tile), leastPixels: tile.zoom == range.lowerBound ? 0 : metadata.tileSize / 2)
    }

    private func box(of tile: TileCoordinate) -> BoundingBox {
        TileMatrixLimits.lonLatBounds(
            zoom: tile.zoom, columns: tile.column...tile.column, rows: tile.row...tile.row)
    }
}

extension TileCoordinate {
    /// The tile so many zooms below that this one is a part of.
    fileprivate func ancestor(generations: Int) -> TileCoordinate {
        TileCoordinate(
            zoom: zoom - generations, column: column >> generations, row: row >> generations)
    }
}
