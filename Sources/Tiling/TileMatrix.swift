/// The grid of all tiles of one zoom: `2^zoom` by `2^zoom` tiles over the Web Mercator world.
///
/// A tile's address never depends on the tile size; only the pixels inside it get finer.
package struct TileMatrix: Hashable, Sendable {
    /// The zoom, 0 to 30.
    package var zoom: Int
    /// Pixels along a tile's edge: 256 or 512.
    package var tileSize: Int

    /// Makes the matrix of a zoom.
    package init(zoom: Int, tileSize: Int) {
        self.zoom = zoom
        self.tileSize = tileSize
    }

    /// Tiles along an edge of the world.
    package var tilesPerEdge: Int { 1 << zoom }

    /// Pixels along an edge of the world.
    package var pixelsPerEdge: Int { tileSize << zoom }

    /// The edge of a pixel in Mercator metres; on the ground it is shorter by `cos(latitude)`.
    package var cellSize: Double { 2 * WebMercator.halfWorld / Double(pixelsPerEdge) }

    /// The pixels of all tiles as one grid, counted from 180 degrees west and from the north.
    package var grid: PixelGrid {
        PixelGrid(
            origin: Point(x: -WebMercator.halfWorld, y: WebMercator.halfWorld), cellSize: cellSize,
            columnsPerTurn: pixelsPerEdge)
    }

    /// Mercator metres to pixels of this matrix: x right from 180 degrees west, y down from the
    /// north; whole numbers are pixel edges. Longitudes beyond the antimeridian go on counting.
    package func pixel(ofMercator point: Point) -> Point { grid.pixel(ofMercator: point) }

    /// Pixels of this matrix to Mercator metres; the inverse of `pixel(ofMercator:)`.
    package func mercator(ofPixel point: Point) -> Point { grid.mercator(ofPixel: point) }

    /// The pixels of a column or row of tiles.
    package func pixels(ofTile index: Int) -> Range<Int> {
        index * tileSize..<(index + 1) * tileSize
    }

    /// The tiles that pixels fall into, along either axis.
    package func tiles(ofPixels pixels: Range<Int>) -> Range<Int> {
        if pixels.isEmpty { return 0..<0 }
        return floorDivide(pixels.lowerBound, tileSize)..<floorDivide(
            pixels.upperBound - 1, tileSize) + 1
    }
}

/// The quotient rounded towards minus infinity; columns west of the antimeridian are negative.
package func floorDivide(_ dividend: Int, _ divisor: Int) -> Int {
    let quotient = dividend / divisor
    return quotient * divisor > dividend ? quotient - 1 : quotient
}
