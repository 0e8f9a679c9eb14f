import Tiling

extension TileMatrixLimits {
    /// The box of the finest tiles in degrees on WGS 84: that of the world where there are none.
    /// Its east is beyond 180 where they cross the antimeridian.
    static func lonLatBounds(of limits: [TileMatrixLimits]) -> BoundingBox {
        let finest = limits.map(\.zoom).max() ?? 0
        let parts = limits.filter { $0.zoom == finest }
        guard let first = parts.first, let last = parts.last else {
            return lonLatBounds(zoom: 0, columns: 0...0, rows: 0...0)
        }
        let east = last.columns.upperBound + (parts.count > 1 ? 1 << finest : 0)
        return lonLatBounds(
            zoom: finest, columns: first.columns.lowerBound...east, rows: first.rows)
    }

    /// The box between the outermost columns and rows of the finest tiles, in degrees on WGS 84:
    /// all bounds that have a part of each outermost tile hold it. Where there is one column, the
    /// west is east of the east; so with rows.
    static func innerBounds(of limits: [TileMatrixLimits]) -> BoundingBox {
        let finest = limits.map(\.zoom).max() ?? 0
        let box = lonLatBounds(of: limits)
        guard let rows = limits.first(where: { $0.zoom == finest })?.rows else { return box }
        let column = 360 / Double(1 << finest)
        return BoundingBox(
            minX: box.minX + column,
            minY: MercatorPoint.latitude(ofRow: rows.upperBound, zoom: finest),
            maxX: box.maxX - column,
            maxY: MercatorPoint.latitude(ofRow: rows.lowerBound + 1, zoom: finest))
    }

    /// The box of a rectangle of tiles in degrees on WGS 84.
    static func lonLatBounds(
        zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>
    ) -> BoundingBox {
        BoundingBox(
            minX: MercatorPoint.longitude(ofColumn: columns.lowerBound, zoom: zoom),
            minY: MercatorPoint.latitude(ofRow: rows.upperBound + 1, zoom: zoom),
            maxX: MercatorPoint.longitude(ofColumn: columns.upperBound + 1, zoom: zoom),
            maxY: MercatorPoint.latitude(ofRow: rows.lowerBound, zoom: zoom))
    }
}
