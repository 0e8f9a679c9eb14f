import Platform
package import Tilesets
import Tiling

extension TileRange {
    /// The box of the finest tiles in degrees on WGS 84; the world if there are no tiles. Its east is
    /// beyond 180 if the tiles cross the antimeridian.
    static func lonLatBounds(of limits: [TileRange]) -> BoundingBox {
        let finest = limits.map(\.zoom).reduce(0, max)
        let parts = limits.filter { $0.zoom == finest }
        guard let first = parts.first, let last = parts.last else {
            return lonLatBounds(zoom: 0, columns: 0...0, rows: 0...0)
        }
        let east = last.columns.upperBound + (parts.count > 1 ? 1 << finest : 0)
        return lonLatBounds(
            zoom: finest, columns: first.columns.lowerBound...east, rows: first.rows)
    }

    /// The box of the finest tiles without their outermost columns and rows, in degrees on WGS 84.
    /// Bounds that touch each outermost tile contain it. If there is only one column, the west edge is
    /// east of the east edge; likewise with rows.
    static func innerBounds(of limits: [TileRange]) -> BoundingBox {
        let finest = limits.map(\.zoom).reduce(0, max)
        let box = lonLatBounds(of: limits)
        guard let rows = limits.first(where: { $0.zoom == finest })?.rows else { return box }
        let column = 360 / Double(1 << finest)
        return BoundingBox(
            minX: box.minX + column,
            minY: latitude(ofRow: rows.upperBound, zoom: finest),
            maxX: box.maxX - column,
            maxY: latitude(ofRow: rows.lowerBound + 1, zoom: finest))
    }

    /// The box of a rectangle of tiles in degrees on WGS 84.
    static func lonLatBounds(
        zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>
    ) -> BoundingBox {
        BoundingBox(
            minX: longitude(ofColumn: columns.lowerBound, zoom: zoom),
            minY: latitude(ofRow: rows.upperBound + 1, zoom: zoom),
            maxX: longitude(ofColumn: columns.upperBound + 1, zoom: zoom),
            maxY: latitude(ofRow: rows.lowerBound, zoom: zoom))
    }

    /// The longitude, in degrees, of the western edge of a column.
    private static func longitude(ofColumn column: Int, zoom: Int) -> Double {
        Double(column) / Double(1 << zoom) * 360 - 180
    }

    /// The latitude, in degrees, of the northern edge of a row: `atan(sinh(y))`.
    private static func latitude(ofRow row: Int, zoom: Int) -> Double {
        atan(sinh(.pi * (1 - 2 * Double(row) / Double(1 << zoom)))) * 180 / .pi
    }
}

extension TilesetMetadata {
    /// Fits the bounds to the tiles that exist: they hold all tiles, and reach no farther than the
    /// tiles' edges. Transparent parts of the image may have no tiles.
    package mutating func fitBounds() {
        guard !limits.isEmpty else { return }
        let outer = TileRange.lonLatBounds(of: limits)
        let inner = TileRange.innerBounds(of: limits)
        bounds.minY = bounds.minY > inner.minY ? outer.minY : max(bounds.minY, outer.minY)
        bounds.maxY = bounds.maxY < inner.maxY ? outer.maxY : min(bounds.maxY, outer.maxY)
        // Bounds that cross the antimeridian are published as a whole turn.
        if bounds.minX < -180 || bounds.maxX > 180 || outer.maxX > 180 { return }
        bounds.minX = bounds.minX > inner.minX ? outer.minX : max(bounds.minX, outer.minX)
        bounds.maxX = bounds.maxX < inner.maxX ? outer.maxX : min(bounds.maxX, outer.maxX)
    }
}
