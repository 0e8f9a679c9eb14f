import Platform
package import Tiling

/// A patch, which turns a tileset into another: an MBTiles file in the form of martin's `mbtiles diff`.
///
/// ```
/// tiles(zoom_level, tile_column, tile_row, tile_data)   new and changed tiles; NULL for a removed one
/// metadata(name, value)                                 new and changed rows; NULL for a removed one
/// ```
///
/// Two rows of the metadata are the hashes of the tileset before and after the patch.
package final class TilePatch: Sendable {
    static let hashRow = "agg_tiles_hash"
    static let beforeRow = "agg_tiles_hash_before_apply"
    static let afterRow = "agg_tiles_hash_after_apply"
    /// Rows about the hashes, which are not copied into a tileset.
    static let hashRows: Set<String> = [hashRow, beforeRow, afterRow]

    /// The path that the user gave.
    package let path: String
    /// The `AggregateHash` of the tileset that the patch is for.
    package let before: String
    /// The `AggregateHash` of the tileset that results.
    package let after: String

    private let reader: MBTilesReader
    private let rows: [(name: String, value: String?)]
    /// Tiles that are new, changed or removed.
    fileprivate let touched: Set<TileCoordinate>

    /// Reads a patch, but not the bytes of its tiles.
    ///
    /// - Throws: `.missingInput` or `.badInput` if it cannot be read, or is no patch.
    package init(_ path: String, budget: ReadingBudget = ReadingBudget()) throws {
        self.path = path
        reader = try MBTilesReader(path, scheme: .tms, budget: budget)
        touched = try reader.patchedTiles()
        let rows = try reader.values()
        self.rows = rows
        func hash(_ name: String) -> String? {
            rows.last { $0.name == name }?.value.map { $0.uppercased() }
        }
        guard let before = hash(Self.beforeRow), let after = hash(Self.afterRow) else {
            throw Failure(
                .badInput, cannot: "read the patch '\(path)'",
                "it does not say which tileset it is for, and what results",
                remedy: "'tilewright diff OLD NEW -o PATCH.mbtiles' makes a patch")
        }
        if let other = rows.last(where: { $0.name == "hash_algorithm" })?.value,
            other.lowercased() != "md5"
        {
            throw Failure(
                .badInput, cannot: "read the patch '\(path)'", "its hashes are '\(other)', and not MD5")
        }
        (self.before, self.after) = (before, after)
    }

    /// The rows of a tileset's metadata after the patch.
    package func rows(after old: [MetadataRow]) -> [MetadataRow] {
        var rows = old.filter { !Self.hashRows.contains($0.name) }
        for (name, value) in self.rows where !Self.hashRows.contains(name) {
            let index = rows.firstIndex { $0.name == name } ?? rows.count
            rows.removeAll { $0.name == name }
            if let value { rows.insert(MetadataRow(name, value), at: min(index, rows.count)) }
        }
        return rows
    }
}

/// The tiles of a tileset after a patch.
package struct PatchedTiles: TileCollection {
    private let base: any TilesetReader
    private let patch: TilePatch
    /// The job and images of the tiles after the patch.
    package let origin: TilesetOrigin

    package var path: String { base.path }
    /// What the metadata says after the patch, as rows of MBTiles.
    package let rows: [MetadataRow]

    /// Applies a patch.
    ///
    /// - Parameter rows: the tileset's metadata, as rows of MBTiles.
    package init(_ base: any TilesetReader, rows: [MetadataRow], after patch: TilePatch) {
        (self.base, self.patch) = (base, patch)
        self.rows = patch.rows(after: rows)
        origin = ArchiveClaims(rows: self.rows).origin
    }

    package func place(of tile: TileCoordinate) -> String { base.place(of: tile) }

    package func forEachTile(_ body: (EncodedTile) throws -> Void) throws {
        try base.forEachTile { tile in
            if !patch.touched.contains(tile.coordinate) { try body(tile) }
        }
        try patch.forEachTile(body)
    }

    /// Refuses a tileset that the patch is not for, and a damaged patch. Reads all tiles twice, one at a time.
    ///
    /// - Throws: `.badInput`; `.usage` if there are too many tiles; `CancellationError` if the task was
    ///   cancelled.
    package func check(budget: ReadingBudget) throws {
        let olds = try TileRegister(of: base, budget: budget)
        let news = try olds.replacing(patch.touched, by: TileRegister(of: patch, budget: budget))
        var (before, after) = (AggregateHash(), AggregateHash())
        try olds.forEachPair(with: news) { pair in
            try Task.checkCancellation()
            let old = pair.isOld ? try base.existingTile(pair.tile) : nil
            if let old { before.add(pair.tile, old) }
            if pair.isNew { after.add(pair.tile, try pair.isSame ? old : patch.tile(pair.tile)) }
        }
        let attempt = "apply the patch '\(patch.path)' to '\(path)'"
        if before.text == patch.after, patch.before != patch.after {
            throw Failure(.badInput, cannot: attempt, "it has been applied already")
        }
        guard before.text == patch.before else {
            throw Failure(
                .badInput, cannot: attempt, "it is for other tiles: \(patch.before), and not \(before.text)",
                remedy: "get the patch for these tiles, or the whole new tileset")
        }
        guard after.text == patch.after else {
            throw Failure(
                .badInput, cannot: attempt,
                "the result would not be what the patch says: \(patch.after), and not \(after.text)",
                remedy: "get the patch again, or the whole new tileset")
        }
    }
}

extension TilesetReader {
    /// The bytes of a tile that was seen before.
    ///
    /// - Throws: `.inputOutput` if it is gone.
    func existingTile(_ tile: TileCoordinate) throws -> [UInt8] {
        if let bytes = try self.tile(at: tile) { return bytes }
        throw Failure(.inputOutput, cannot: "read '\(path)'", "\(place(of: tile)) vanished while it was read")
    }
}

// The new and changed tiles.
extension TilePatch: TileCollection {
    package var origin: TilesetOrigin { TilesetOrigin() }

    package func place(of tile: TileCoordinate) -> String { reader.place(of: tile) }

    package func forEachTile(_ body: (EncodedTile) throws -> Void) throws {
        // A removed tile has no bytes.
        try reader.forEachTile(ifSound: true, body)
    }

    /// The bytes of a tile.
    fileprivate func tile(_ tile: TileCoordinate) throws -> [UInt8] { try reader.existingTile(tile) }
}

extension MBTilesReader {
    /// The tiles that the file changes, adds or removes as a patch.
    ///
    /// - Throws: `.badInput` if it is damaged, or a patch of martin's with differences within tiles.
    fileprivate func patchedTiles() throws -> Set<TileCoordinate> {
        try reading { database in
            let schema = try SQLiteSchema(of: database)
            if ["bsdiffraw", "bsdiffrawgz"].contains(where: schema.hasTable) {
                throw SQLiteError("it is a patch with differences within tiles, which only martin can apply")
            }
            let layout = try MBTilesLayout(of: database, scheme: scheme)
            var (found, cost) = (Set<TileCoordinate>(), newCost)
            let tiles = try database.prepare(layout.lengthsQuery)
            while try tiles.step() {
                try cost.addRow(bytes: 0)
                found.insert(try tiles.address(in: layout.scheme))
            }
            return found
        }
    }
}
