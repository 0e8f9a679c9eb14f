import Tiling

/// The tiles that a tileset says it has, and which of their columns and rows are filled.
struct ClaimedLimits {
    private let claimed: [TileRange]
    /// The columns and rows of the tiles found in each; nil if none was found.
    private var filled: [TileRange?]

    /// Takes the limits that are claimed.
    init(_ claimed: [TileRange]) {
        self.claimed = claimed
        filled = claimed.map { _ in nil }
    }

    /// Counts a tile as found.
    ///
    /// - Returns: whether it is where tiles are claimed.
    mutating func count(_ tile: TileCoordinate) -> Bool {
        let index = claimed.firstIndex {
            $0.zoom == tile.zoom && $0.columns.contains(tile.column) && $0.rows.contains(tile.row)
        }
        guard let index else { return false }
        var limits =
            filled[index]
            ?? TileRange(zoom: tile.zoom, column: tile.column, row: tile.row)
        limits.extend(toColumn: tile.column, row: tile.row)
        filled[index] = limits
        return true
    }

    /// What is wrong with the claims, a clause each.
    var problems: [String] {
        zip(claimed, filled).compactMap { claim, found in
            guard let found else { return "says that there are tiles at \(claim.text)" }
            let actual = TileRange(
                zoom: claim.zoom, columns: columns(of: found, in: claim), rows: rows(at: claim.zoom)
            )
            if actual == claim { return nil }
            return "says that there are tiles at \(claim.text), and they end at \(actual.text)"
        }
    }

    /// The columns that a claim should name. If a zoom has two claims, which meet at the antimeridian,
    /// both reach it even if there are no tiles.
    private func columns(
        of found: TileRange, in claim: TileRange
    ) -> ClosedRange<Int> {
        var columns = found.columns
        guard claimed.count(where: { $0.zoom == claim.zoom }) > 1 else { return columns }
        if claim.columns.lowerBound == 0 { columns = 0...columns.upperBound }
        let last = (1 << claim.zoom) - 1
        if claim.columns.upperBound == last { columns = columns.lowerBound...last }
        return columns
    }

    /// The rows of all tiles of a zoom, which its two claims share.
    private func rows(at zoom: Int) -> ClosedRange<Int> {
        let rows = filled.compactMap(\.self).filter { $0.zoom == zoom }.map(\.rows)
        return rows.map(\.lowerBound).reduce(Int.max, min)...rows.map(\.upperBound).reduce(0, max)
    }
}

extension TileRange {
    /// The zoom, columns and rows as a clause.
    fileprivate var text: String {
        "zoom \(zoom), columns \(columns.lowerBound)-\(columns.upperBound), "
            + "rows \(rows.lowerBound)-\(rows.upperBound)"
    }
}
