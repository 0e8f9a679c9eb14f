import Synchronization
import Tiling

/// Open databases that are asked for one tile after the other: opening one takes as long as a hundred tiles.
/// There are as many as tasks that ask at the same time.
final class MBTilesTileQueries: Sendable {
    private let idle = Mutex<[Query]>([])

    /// The bytes of a tile, or nil if there is none.
    ///
    /// - Parameters:
    ///   - scheme: how rows are counted; nil if the file is to say it.
    ///   - allowance: what finding it may cost.
    ///   - open: opens the database.
    func tile(
        at coordinate: TileCoordinate, in scheme: TileScheme?, _ allowance: SQLiteMeter.Allowance,
        opening open: () throws -> SQLiteDatabase
    ) throws -> [UInt8]? {
        let query = try idle.withLock { $0.popLast() } ?? Query(open(), scheme)
        let bytes = try query.tile(at: coordinate, allowance)
        idle.withLock { $0.append(query) }
        return bytes
    }

    /// A database with the query that it is asked; whoever has it is the only one.
    private final class Query: Sendable {
        private let database: SQLiteDatabase
        private let statement: SQLiteStatement
        private let scheme: TileScheme

        init(_ database: consuming SQLiteDatabase, _ scheme: TileScheme?) throws(SQLiteError) {
            let layout = try MBTilesLayout(of: database, scheme: scheme)
            self.scheme = layout.scheme
            statement = try database.prepare(
                layout.tilesQuery
                    + " WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")
            self.database = database
        }

        func tile(
            at coordinate: TileCoordinate, _ allowance: SQLiteMeter.Allowance
        ) throws(SQLiteError) -> [UInt8]? {
            database.refillMeter(allowance)
            statement.bind(coordinate.zoom, at: 1)
            statement.bind(coordinate.column, at: 2)
            statement.bind(coordinate.row(in: scheme), at: 3)
            defer { statement.reset() }
            return try statement.step() ? statement.tileData(in: scheme) : nil
        }
    }
}
