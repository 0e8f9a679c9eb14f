package import Tilesets
import Tiling

extension TilesetMetadata {
    /// Draws the bounds to the tiles that exist: no farther than their edges where there are no
    /// tiles of what the image leaves transparent, and around all of them.
    package mutating func fitBounds() {
        guard !limits.isEmpty else { return }
        let outer = TileMatrixLimits.lonLatBounds(of: limits)
        let inner = TileMatrixLimits.innerBounds(of: limits)
        bounds.minY = bounds.minY > inner.minY ? outer.minY : max(bounds.minY, outer.minY)
        bounds.maxY = bounds.maxY < inner.maxY ? outer.maxY : min(bounds.maxY, outer.maxY)
        // Across the antimeridian documents say the whole turn.
        if bounds.minX < -180 || bounds.maxX > 180 || outer.maxX > 180 { return }
        bounds.minX = bounds.minX > inner.minX ? outer.minX : max(bounds.minX, outer.minX)
        bounds.maxX = bounds.maxX < inner.maxX ? outer.maxX : min(bounds.maxX, outer.maxX)
    }
}
