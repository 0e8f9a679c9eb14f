import Tiling

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension TileMatrixLimits {
    /// The box of the finest tiles in degrees on WGS 84: that of the world where there are none. Its
    /// east is beyond 180 where they cross the antimeridian.
    static func lonLatBounds(of limits: [TileMatrixLimits]) -> BoundingBox {
        let finest = limits.map(\.zoom).max() ?? 0
        let parts = limits.filter { $0.zoom == finest }
        guard let first = parts.first, let last = parts.last else {
            let latitude = WebMercator.maximumLatitude
            return BoundingBox(minX: -180, minY: -latitude, maxX: 180, maxY: latitude)
        }
        let edge = Double(1 << finest)
        let east = last.columns.upperBound + 1 + (parts.count > 1 ? 1 << finest : 0)
        return BoundingBox(
            minX: Double(first.columns.lowerBound) / edge * 360 - 180,
            minY: latitude(ofRow: first.rows.upperBound + 1, edge: edge),
            maxX: Double(east) / edge * 360 - 180,
            maxY: latitude(ofRow: first.rows.lowerBound, edge: edge))
    }

    /// The latitude of the northern edge of a row, in degrees: `atan(sinh(y))`.
    private static func latitude(ofRow row: Int, edge: Double) -> Double {
        atan(sinh(.pi * (1 - 2 * Double(row) / edge))) * 180 / .pi
    }
}
