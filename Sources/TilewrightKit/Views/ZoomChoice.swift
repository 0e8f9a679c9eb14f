import Platform
import Tiling

/// Which zoom of a tileset a part of a view reads.
struct ZoomChoice: Hashable {
    /// The zoom.
    let zoom: Int
    /// How often its pixels are halved first, because the zooms that would serve better are missing.
    let halvings: Int

    /// Chooses the coarsest zoom whose pixels are at most half as large as the view's; if that zoom is not
    /// there, the next finer one, and if there is none, the finest.
    ///
    /// - Parameters:
    ///   - cellSize: the edge of a pixel of the view in Mercator metres.
    ///   - zooms: those that are there, in ascending order; at least one.
    ///   - tileSize: pixels along a tile's edge.
    init(forCell cellSize: Double, of zooms: [Int], tileSize: Int) {
        let world = TileMatrix(zoom: 0, tileSize: tileSize).cellSize
        // Bounds and sizes that are meant to fit do so but for the last digits.
        let wanted = Int((log2(2 * world / cellSize) - 1e-6).rounded(.up))
        guard let zoom = zooms.first(where: { $0 >= wanted }) else {
            self.zoom = zooms[zooms.count - 1]
            halvings = 0
            return
        }
        self.zoom = zoom
        halvings = min(zoom - wanted, tileSize.trailingZeroBitCount)
    }
}
