package import Tiling

/// Tiles that are asked of a pyramid: a rectangle at one zoom, and what lies below it down to another.
package struct TileWindow: Hashable, Sendable {
    /// The rectangle at the lowest of the zooms. Its columns may go on counting beyond the
    /// antimeridian.
    package let limits: TileRange
    /// The zooms that are asked for.
    package let zooms: ClosedRange<Int>

    /// Asks for the tiles of a rectangle, and for those below it.
    ///
    /// - Parameter finest: the zoom down to which tiles are asked for; only the rectangle's own if
    ///   it is nil.
    package init(_ limits: TileRange, downTo finest: Int? = nil) {
        self.limits = limits
        zooms = limits.zoom...max(limits.zoom, finest ?? limits.zoom)
    }

    /// Exactly one tile.
    package static func tile(_ tile: TileCoordinate) -> TileWindow {
        TileWindow(TileRange(zoom: tile.zoom, column: tile.column, row: tile.row))
    }

    /// A tile and all tiles below it, as far down as a pyramid has any.
    package static func subtree(_ tile: TileCoordinate) -> TileWindow {
        TileWindow(
            TileRange(zoom: tile.zoom, column: tile.column, row: tile.row), downTo: 30)
    }

    /// The tiles of one of the zooms as columns and rows.
    func tiles(atZoom zoom: Int) -> PixelWindow {
        let scale = 1 << (zoom - zooms.lowerBound)
        func scaled(_ range: ClosedRange<Int>) -> Range<Int> {
            range.lowerBound * scale..<(range.upperBound + 1) * scale
        }
        return PixelWindow(columns: scaled(limits.columns), rows: scaled(limits.rows))
    }
}
