import Tiling

/// Looks up which columns and rows an MBTiles file fills: a query per zoom, of its index alone where
/// there is one.
struct MBTilesLimits: ~Copyable {
    private let nextZoom: SQLiteStatement
    private let ranges: SQLiteStatement

    /// Compiles the queries.
    init(
        of layout: MBTilesLayout, in database: borrowing SQLiteDatabase
    ) throws(SQLiteError) {
        let table = layout.addresses
        let nextZoom = try database.prepare(
            "SELECT min(zoom_level) FROM \(table) WHERE zoom_level > ?")
        let ranges = try database.prepare(
            """
            SELECT min(tile_column), max(tile_column), min(tile_row), max(tile_row),
                max(CASE WHEN tile_column < ?2 THEN tile_column END),
                min(CASE WHEN tile_column >= ?2 THEN tile_column END)
            FROM \(table) WHERE zoom_level = ?1
            """)
        self.nextZoom = nextZoom
        self.ranges = ranges
    }

    /// The limits of all zooms from the lowest.
    ///
    /// - Throws: where a tile lies outside the world.
    func all() throws(SQLiteError) -> [TileMatrixLimits] {
        var limits: [TileMatrixLimits] = []
        var zoom = try zoom(above: Int.min)
        while let current = zoom {
            limits += try self.limits(ofZoom: current)
            zoom = try self.zoom(above: current)
        }
        return limits
    }

    private func zoom(above zoom: Int) throws(SQLiteError) -> Int? {
        nextZoom.bind(zoom, at: 1)
        defer { nextZoom.reset() }
        guard try nextZoom.step(), let text = nextZoom.text(0) else { return nil }
        guard let zoom = nextZoom.integer(0), 0...30 ~= zoom else {
            throw SQLiteError("it has tiles at zoom '\(text)'")
        }
        return zoom
    }

    private func limits(ofZoom zoom: Int) throws(SQLiteError) -> [TileMatrixLimits] {
        let edge = 1 << zoom
        ranges.bind(zoom, at: 1)
        ranges.bind(edge / 2, at: 2)
        defer { ranges.reset() }
        guard try ranges.step(), let columns = range(0, in: 0..<edge),
            let southRows = range(2, in: 0..<edge)
        else { throw SQLiteError("it has tiles outside the world at zoom \(zoom)") }
        let rows = row(southRows.upperBound, at: zoom)...row(southRows.lowerBound, at: zoom)
        // A gap of more than half the world says that the tiles cross the antimeridian.
        if columns == 0...edge - 1, let west = ranges.integer(4), let east = ranges.integer(5),
            east - west > edge / 2
        {
            return TileMatrixLimits.wrapping(zoom: zoom, columns: east...west + edge, rows: rows)
        }
        return [TileMatrixLimits(zoom: zoom, columns: columns, rows: rows)]
    }

    /// A row from the north, of one from the south: flipping is its own inverse.
    private func row(_ southRow: Int, at zoom: Int) -> Int {
        TileCoordinate(zoom: zoom, column: 0, row: southRow).row(in: .tms)
    }

    /// The range whose ends stand in a column and the next, where it lies in the world.
    private func range(_ column: Int, in world: Range<Int>) -> ClosedRange<Int>? {
        guard let low = ranges.integer(column), let high = ranges.integer(column + 1), low <= high,
            world.contains(low), world.contains(high)
        else { return nil }
        return low...high
    }
}
