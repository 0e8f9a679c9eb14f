import Tiling

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
    /// - Throws: if a tile lies outside the world.
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
            // Flipping is its own inverse.
            let flipped = TileCoordinate(zoom: zoom, column: column, row: storedRow)
            return TileCoordinate(zoom: zoom, column: column, row: flipped.row(in: scheme))
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
