import Tiling

/// Which tables of an MBTiles file hold what.
struct MBTilesLayout: Hashable, Sendable {
    /// Tables of a tileset that stores identical tiles once, and of which `tiles` is a view.
    struct Shared: Hashable, Sendable {
        /// The table that says which bytes a tile has.
        var addresses: String
        /// The table of the bytes.
        var data: String
        /// The column of both that joins them.
        var key: String
    }

    /// What planetiler and Martin write, as we do; and what Mapbox's tools and tippecanoe write.
    private static let knownShared = [
        Shared(addresses: "tiles_shallow", data: "tiles_data", key: "tile_data_id"),
        Shared(addresses: "map", data: "images", key: "tile_id"),
    ]
    /// The columns of an address, in the words of the specification.
    fileprivate static let address = ["zoom_level", "tile_column", "tile_row"]

    /// The tables behind the view, or nil if `tiles` is a table or a view of something else.
    let shared: Shared?
    /// How rows are counted.
    let scheme: TileScheme
    /// Whether contents are kept for each zoom, as tippecanoe does: the key then counts within a zoom.
    let hasZoomsOfData: Bool

    /// The table with the addresses of all tiles: without their bytes if there is one.
    var addresses: String { shared?.addresses ?? "tiles" }

    /// The query of all tiles in the order of the file.
    let tilesQuery = "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"
    /// The same with the number of bytes in place of them, which takes no look at most of them.
    let lengthsQuery = "SELECT zoom_level, tile_column, tile_row, length(tile_data) FROM tiles"

    /// Reads the schema.
    ///
    /// - Parameter scheme: how rows are counted; nil if the file says it, or nobody: from the south, then.
    /// - Throws: if there are no tiles in it.
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

    /// What a row of the metadata says, which the specification does not know.
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
    /// The address in the first three columns, or nil if there is no such tile.
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

    /// Why the address is no tile's.
    var addressProblem: String {
        for (column, name) in MBTilesLayout.address.enumerated() {
            if let kind = otherKind(column) {
                return "has its \(name) stored as \(kind), and not as an integer"
            }
        }
        return "is outside the world"
    }

    /// Whether the address takes no more bytes than numbers do as text.
    var hasShortAddress: Bool { (0...2).allSatisfy { byteCount($0) <= 24 } }

    /// The address as it stands there: `3/4/9 (row from the south)`.
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

/// Looks up which columns and rows an MBTiles file fills: a query per zoom, of its index alone if
/// there is one.
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

    /// The limits of all zooms from the lowest.
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

    /// The lowest zoom that is not below another, or nil if there are no more tiles.
    private func zoom(from zoom: Int) throws(SQLiteError) -> Int? {
        nextZoom.bind(zoom, at: 1)
        defer { nextZoom.reset() }
        guard try nextZoom.step(), let text = nextZoom.text(0) else { return nil }
        guard let zoom = nextZoom.integer(0), 0...30 ~= zoom else {
            throw SQLiteError("it has tiles at zoom '\(text)'")
        }
        return zoom
    }

    /// Addresses in the outermost columns and rows of a zoom, and in those of either half of the
    /// world.
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

    /// The range whose ends stand in a column and the next, if it lies in the world.
    private func range(_ column: Int, in world: Range<Int>) -> ClosedRange<Int>? {
        guard let low = ranges.integer(column), let high = ranges.integer(column + 1), low <= high,
            world.contains(low), world.contains(high)
        else { return nil }
        return low...high
    }
}
