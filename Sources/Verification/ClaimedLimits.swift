import Tiling

/// The tiles that a tileset says it has, and which of their columns and rows are filled.
struct ClaimedLimits {
    private let claimed: [TileMatrixLimits]
    /// The columns and rows of the tiles that were found in each.
    private var filled: [TileMatrixLimits?]

    /// Takes what is claimed.
    init(_ claimed: [TileMatrixLimits]) {
        self.claimed = claimed
        filled = claimed.map { _ in nil }
    }

    /// Takes note of a tile.
    ///
    /// - Returns: whether it is where tiles are claimed.
    mutating func count(_ tile: TileCoordinate) -> Bool {
        let index = claimed.firstIndex {
            $0.zoom == tile.zoom && $0.columns.contains(tile.column) && $0.rows.contains(tile.row)
        }
        guard let index else { return false }
        var limits =
            filled[index]
            ?? TileMatrixLimits(
                zoom: tile.zoom, columns: tile.column...tile.column, rows: tile.row...tile.row)
        limits.columns =
            min(
                limits.columns.lowerBound, tile.column)...max(
                limits.columns.upperBound, tile.column)
        limits.rows =
            min(limits.rows.lowerBound, tile.row)...max(limits.rows.upperBound, tile.row)
        filled[index] = limits
        return true
    }

    /// What is claimed and is not there. Two entries at a zoom, across the antimeridian, share
    /// their rows: those are filled by both.
    var problems: [String] {
        zip(claimed, filled).flatMap { claim, found -> [String] in
            guard let found else { return ["says that there are tiles at \(claim.text)"] }
            let rows = filled.compactMap(\.self).filter { $0.zoom == claim.zoom }.map(\.rows)
            let first = rows.map(\.lowerBound).min() ?? found.rows.lowerBound
            let last = rows.map(\.upperBound).max() ?? found.rows.upperBound
            if found.columns == claim.columns, first...last == claim.rows { return [] }
            var actual = found
            actual.rows = first...last
            return ["says that there are tiles at \(claim.text), and they end at \(actual.text)"]
        }
    }
}

extension TileMatrixLimits {
    /// The zoom, columns and rows for people.
    fileprivate var text: String {
        "zoom \(zoom), columns \(columns.lowerBound)-\(columns.upperBound), "
            + "rows \(rows.lowerBound)-\(rows.upperBound)"
    }
}
