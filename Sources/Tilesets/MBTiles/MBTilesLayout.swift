import Tiling

/// The tables of an MBTiles file.
struct MBTilesLayout: Hashable, Sendable {
    /// The tables of a tileset that stores identical tiles once, with `tiles` as a view of them.
    struct Shared: Hashable, Sendable {
        /// The table that maps tiles to their bytes.
        var addresses: String
        /// The table of the bytes.
        var data: String
        /// The column that joins both.
        var key: String
    }

    /// First the tables of planetiler, Martin and tilewright, then those of Mapbox's tools and tippecanoe.
    private static let knownShared = [
        Shared(addresses: "tiles_shallow", data: "tiles_data", key: "tile_data_id"),
        Shared(addresses: "map", data: "images", key: "tile_id"),
    ]
    /// The columns of an address, as the specification names them.
    fileprivate static let address = ["zoom_level", "tile_column", "tile_row"]

    /// The tables behind the view; nil if `tiles` is a table or another view.
    let shared: Shared?
    /// How tile rows are counted.
    let scheme: TileScheme
    /// Whether contents are stored by zoom, as by tippecanoe: the key is then unique only within a zoom.
    let hasZoomsOfData: Bool

    /// The table with the addresses of all tiles; if possible, one without their bytes.
    var addresses: String { shared?.addresses ?? "tiles" }

    /// The query of all tiles in the order of the file.
    let tilesQuery = "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"
    /// The same query with the number of bytes instead of the bytes, most of which SQLite then need not read.
    let lengthsQuery = "SELECT zoom_level, tile_column, tile_row, length(tile_data) FROM tiles"

    /// Reads the schema.
    ///
    /// - Parameter scheme: how tile rows are counted; nil for what the file states, or from the south if it
    ///   states nothing.
    /// - Throws: if the table `tiles` or one of its columns is missing.
    init(of database: borrowing SQLiteDatabase, scheme: TileScheme? = nil) throws(SQLiteError) {
        let columns = try Self.columns(of: "tiles", in: database)
        guard columns.isSuperset(of: Self.address + ["tile_data"]) else {
            throw SQLiteError(
                columns.isEmpty
                    ? "it has no table 'tiles'"
                    : "its table 'tiles' lacks one of the columns "
                        + "zoom_level, tile_column, tile_row and tile_data")
        }
        let stated = scheme == nil ? try Self.statedScheme(in: database) : nil
        self.scheme = scheme ?? stated ?? .tms
        shared = try Self.shared(in: database)
        let columnsOfData = try shared.map { tables throws(SQLiteError) in
            try Self.columns(of: tables.data, in: database)
        }
        hasZoomsOfData = columnsOfData?.contains(Self.address[0]) == true
    }

    /// The scheme in the metadata, in a row that is not part of the specification.
    private static func statedScheme(in database: borrowing SQLiteDatabase) throws(SQLiteError) -> TileScheme?
    {
        guard try columns(of: "metadata", in: database).isSuperset(of: ["name", "value"]) else { return nil }
        let query = try database.prepare("SELECT value FROM metadata WHERE name = 'scheme'")
        guard try query.step() else { return nil }
        return query.text(0).flatMap { TileScheme(rawValue: $0.lowercased()) }
    }

    private static func shared(in database: borrowing SQLiteDatabase) throws(SQLiteError) -> Shared? {
        let schema = try SQLiteSchema(of: database)
        guard schema.hasView("tiles") else { return nil }
        for tables in knownShared where schema.hasTable(tables.addresses) && schema.hasTable(tables.data) {
            let addresses = try columns(of: tables.addresses, in: database)
            let data = try columns(of: tables.data, in: database)
            if addresses.isSuperset(of: address + [tables.key]),
                data.isSuperset(of: [tables.key, "tile_data"])
            {
                return tables
            }
        }
        return nil
    }

    private static func columns(
        of table: String, in database: borrowing SQLiteDatabase
    ) throws(SQLiteError) -> Set<String> {
        let query = try database.prepare("PRAGMA table_info(\(table))")
        var names: Set<String> = []
        while try query.step() { names.insert(query.printed(1).lowercased()) }
        return names
    }
}

// A row of `MBTilesLayout.tilesQuery`.
extension SQLiteStatement {
    /// The address in the first three columns; nil if it is invalid.
    func existingAddress(in scheme: TileScheme) -> TileCoordinate? {
        guard let zoom = integer(0), let column = integer(1), let row = integer(2),
            0...30 ~= zoom, 0..<1 << zoom ~= column, 0..<1 << zoom ~= row
        else { return nil }
        return TileCoordinate(zoom: zoom, column: column, row: row, in: scheme)
    }

    /// The address in the first three columns.
    func address(in scheme: TileScheme) throws(SQLiteError) -> TileCoordinate {
        if let address = existingAddress(in: scheme) { return address }
        throw SQLiteError("tile \(addressText(in: scheme)) \(addressProblem)")
    }

    /// Why the address is invalid.
    var addressProblem: String {
        for (column, name) in MBTilesLayout.address.enumerated() {
            if let kind = otherKind(column) {
                return "has its \(name) stored as \(kind), and not as an integer"
            }
        }
        return "is outside the world"
    }

    /// Whether each part of the address takes no more bytes than a number as text.
    var hasShortAddress: Bool { (0...2).allSatisfy { byteCount($0) <= 24 } }

    /// The address as stored: `3/4/9 (row from the south)`.
    func addressText(in scheme: TileScheme) -> String {
        let address = (0...2).map { excerpt($0) }.joined(separator: "/")
        return scheme == .tms ? address + " (row from the south)" : address
    }

    /// The bytes in the fourth column.
    func tileData(in scheme: TileScheme) throws(SQLiteError) -> [UInt8] {
        if let bytes = bytes(3) { return bytes }
        throw SQLiteError("tile \(addressText(in: scheme)) has no data")
    }
}

/// Finds the columns and rows of each zoom of an MBTiles file: one query per zoom, which reads only the index
/// if there is one.
struct MBTilesLimits: ~Copyable {
    private let nextZoom: SQLiteStatement
    private let ranges: SQLiteStatement
    private let scheme: TileScheme

    /// Compiles the queries.
    init(
        of layout: MBTilesLayout, in database: borrowing SQLiteDatabase
    ) throws(SQLiteError) {
        let table = layout.addresses
        let nextZoom = try database.prepare(
            "SELECT min(zoom_level) FROM \(table) WHERE zoom_level >= ?")
        let ranges = try database.prepare(
            """
            SELECT min(tile_column), max(tile_column), min(tile_row), max(tile_row),
                max(CASE WHEN tile_column < ?2 THEN tile_column END),
                min(CASE WHEN tile_column >= ?2 THEN tile_column END)
            FROM \(table) WHERE zoom_level = ?1
            """)
        self.nextZoom = nextZoom
        self.ranges = ranges
        scheme = layout.scheme
    }

    /// The limits of all zooms, from the lowest.
    ///
    /// - Throws: if a tile is outside the world.
    func all() throws(SQLiteError) -> [TileRange] {
        var tiles = TilesByZoom()
        var zoom = try zoom(from: Int.min)
        while let current = zoom {
            for corner in try corners(ofZoom: current) { tiles.count(corner) }
            zoom = try self.zoom(from: current + 1)
        }
        return tiles.limits
    }

    /// The lowest zoom from `zoom` on that has tiles; nil if there is none.
    private func zoom(from zoom: Int) throws(SQLiteError) -> Int? {
        nextZoom.bind(zoom, at: 1)
        defer { nextZoom.reset() }
        guard try nextZoom.step(), let text = nextZoom.text(0) else { return nil }
        guard let zoom = nextZoom.integer(0), 0...30 ~= zoom else {
            throw SQLiteError("it has tiles at zoom '\(text)'")
        }
        return zoom
    }

    /// Addresses in the outermost columns and rows of a zoom, and in the innermost columns of both halves of
    /// the world.
    private func corners(ofZoom zoom: Int) throws(SQLiteError) -> [TileCoordinate] {
        let edge = 1 << zoom
        ranges.bind(zoom, at: 1)
        ranges.bind(edge / 2, at: 2)
        defer { ranges.reset() }
        guard try ranges.step(), let columns = range(0, in: 0..<edge),
            let rows = range(2, in: 0..<edge)
        else { throw SQLiteError("it has tiles outside the world at zoom \(zoom)") }
        let inner = [ranges.integer(4), ranges.integer(5)].compactMap { $0 }
        return [columns.lowerBound, columns.upperBound].flatMap { column in
            [rows.lowerBound, rows.upperBound].map { (column, $0) }
        }.map(tile) + inner.map { tile($0, rows.lowerBound) }

        func tile(_ column: Int, _ storedRow: Int) -> TileCoordinate {
            TileCoordinate(zoom: zoom, column: column, row: storedRow, in: scheme)
        }
    }

    /// The range whose ends are the values of two result columns; nil if it reaches beyond `world`.
    private func range(_ column: Int, in world: Range<Int>) -> ClosedRange<Int>? {
        guard let low = ranges.integer(column), let high = ranges.integer(column + 1), low <= high,
            world.contains(low), world.contains(high)
        else { return nil }
        return low...high
    }
}
