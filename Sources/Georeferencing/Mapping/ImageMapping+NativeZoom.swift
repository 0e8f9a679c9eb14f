import Tiling

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

extension ImageMapping {
    /// The zoom, with its fraction, at which a tile's pixels are as large as the image's.
    ///
    /// - Parameter tileSize: pixels along a tile's edge.
    package func nativeZoom(tileSize: Int) -> Double {
        log2(TileMatrix(zoom: 0, tileSize: tileSize).cellSize / mercatorCellSize)
    }
}
