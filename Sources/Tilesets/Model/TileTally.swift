package import Tiling

/// The tiles of a tileset, counted one by one in any order; 32 bytes of memory each.
package struct TileTally: Sendable {
    private var records: [TileRecord] = []
    private var zooms = TilesByZoom()
    /// Bytes of all tiles.
    package private(set) var bytes = 0

    /// Starts without a tile.
    package init() {}

    /// Counts a tile.
    ///
    /// - Returns: the hash of its bytes.
    @discardableResult
    package mutating func count(_ tile: EncodedTile) -> ContentHash {
        let hash = ContentHash(of: tile.bytes)
        bytes = bytes.addingSaturated(tile.bytes.count)
        zooms.count(tile.coordinate)
        records.append(TileRecord(tile.coordinate, size: tile.bytes.count, hash: hash))
        return hash
    }

    /// Counts a tile that should be there.
    package mutating func count(missing tile: TileCoordinate) {
        zooms.count(tile)
        records.append(TileRecord(tile))
    }

    /// The number of tiles.
    package var tileCount: Int { records.count }

    /// The tiles that exist, per zoom from the lowest.
    package var limits: [TileRange] { zooms.limits }

    /// The contents of the tileset. Sorts the tiles.
    package var contents: TilesetContents { TilesetContents(of: TileRecords(records)) }

    /// Lends each tile that was not counted although there are finer ones in its place, from the
    /// lowest zoom with a tile on.
    package func forEachMissingParent(_ body: (TileCoordinate) throws -> Void) rethrows {
        let sorted = TileRecords(records)
        guard let lowest = sorted.sorted.first?.coordinate.zoom else { return }
        var known: Set<TileCoordinate> = []
        for record in sorted.sorted.reversed() {
            var tile = record.coordinate
            while tile.zoom > lowest {
                tile = tile.parent
                if sorted.contains(tile) || !known.insert(tile).inserted { break }
                try body(tile)
            }
        }
    }
}

extension TileCoordinate {
    /// The tile of the zoom below in which a tile lies.
    fileprivate var parent: TileCoordinate {
        TileCoordinate(zoom: zoom - 1, column: column / 2, row: row / 2)
    }
}
