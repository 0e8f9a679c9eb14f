import Tiling

extension TileMatrixLimits {
    /// The box of the finest tiles in degrees on WGS 84: that of the world where there are none. Its
    /// east is beyond 180 where they cross the antimeridian.
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
