/// The tiles of a view: a rectangle of one zoom, which may go across the antimeridian.
public struct VisibleTiles: Hashable, Sendable {
    /// The zoom.
    public let zoom: Int
    /// The column of the western edge, counted from the west.
    public let firstColumn: Int
    /// The column of the eastern edge; less than `firstColumn` if the view crosses the antimeridian.
    public let lastColumn: Int
    /// First to last row, counted from the north (XYZ).
    public let rows: ClosedRange<Int>

    /// The part of a tile that a view must reach into to touch it. Less is rounding: in a tile of 256 pixels
    /// it is less than a thousandth of a pixel.
    private static let touch = 1e-6

    /// The tiles that a box touches.
    ///
    /// - Parameters:
    ///   - zoom: 0 to 30.
    ///   - box: Mercator metres; longitudes go on counting beyond the antimeridian.
    init(zoom: Int, touching box: BoundingBox) {
        let (edge, half) = (1 << zoom, WebMercator.halfWorld)
        let tile = WebMercator.world / Double(edge)
        let columns = Self.range((box.minX + half) / tile, (box.maxX + half) / tile)
        let rows = Self.range((half - box.maxY) / tile, (half - box.minY) / tile)
        self.zoom = zoom
        let isAround = columns.count >= edge
        firstColumn = isAround ? 0 : columns.lowerBound & (edge - 1)
        lastColumn = isAround ? edge - 1 : columns.upperBound & (edge - 1)
        self.rows = rows.clamped(to: 0...edge - 1)
    }

    /// The whole numbers of what lies between two positions.
    private static func range(_ start: Double, _ end: Double) -> ClosedRange<Int> {
        let first = Int((start + touch).rounded(.down))
        return first...max(first, Int((end - touch).rounded(.up)) - 1)
    }
}

extension VisibleTiles {
    /// The tiles as rectangles: one, or two across the antimeridian.
    public var limits: [TileRange] {
        if firstColumn <= lastColumn {
            return [TileRange(zoom: zoom, columns: firstColumn...lastColumn, rows: rows)]
        }
        return [
            TileRange(zoom: zoom, columns: firstColumn...(1 << zoom) - 1, rows: rows),
            TileRange(zoom: zoom, columns: 0...lastColumn, rows: rows),
        ]
    }
}
