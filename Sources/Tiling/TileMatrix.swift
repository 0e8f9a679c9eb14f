import Platform

/// The grid of all tiles of one zoom: `2^zoom` by `2^zoom` tiles over the Web Mercator world.
///
/// A tile's address does not depend on the tile size; larger tiles have finer pixels.
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

    /// Mercator metres to pixels of this matrix: x right from 180 degrees west, y down from the north; whole
    /// numbers are pixel edges. Longitudes are not wrapped at the antimeridian.
    package func pixel(ofMercator point: Point) -> Point { grid.pixel(ofMercator: point) }

    /// Pixels of this matrix to Mercator metres; the inverse of `pixel(ofMercator:)`.
    package func mercator(ofPixel point: Point) -> Point { grid.mercator(ofPixel: point) }

    /// The pixels of a column or row of tiles.
    package func pixels(ofTile index: Int) -> Range<Int> {
        index * tileSize..<(index + 1) * tileSize
    }

    /// The tiles that contain pixels, along either axis.
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

/// The plane of EPSG:3857, in metres: x east, y north, on a sphere of this radius.
package enum WebMercator {
    /// The radius of the sphere in metres: WGS 84's semi-major axis.
    package static let radius = 6_378_137.0

    /// Half the width of the world in metres: pi times the radius.
    package static let halfWorld = 20_037_508.342789244

    /// The latitude, in degrees, at which the world becomes a square: `atan(sinh(pi))`.
    package static let maximumLatitude = 85.0511287798066

    /// The width and height of the world in metres.
    package static let world = 2 * halfWorld

    /// Metres from the meridian of Greenwich to a longitude in degrees.
    package static func metres(longitude: Double) -> Double { longitude * metresPerDegree }

    /// Metres from the equator to a latitude in degrees; finite even at the poles. Latitudes beyond the poles
    /// count as the poles.
    package static func metres(latitude: Double) -> Double {
        let clamped = min(max(latitude, -90), 90)
        return radius * asinh(tan(clamped * .pi / 180))
    }

    /// The longitude in degrees; beyond 180 if the metres are beyond the world.
    package static func longitude(metres: Double) -> Double { metres / metresPerDegree }

    /// The latitude in degrees: the exact inverse, `atan(sinh(y / radius))`.
    package static func latitude(metres: Double) -> Double {
        atan(sinh(metres / radius)) * 180 / .pi
    }

    /// A place in degrees to Mercator metres.
    package static func metres(_ lonLat: Point) -> Point {
        Point(x: metres(longitude: lonLat.x), y: metres(latitude: lonLat.y))
    }

    /// A place in Mercator metres to degrees.
    package static func lonLat(_ metres: Point) -> Point {
        Point(x: longitude(metres: metres.x), y: latitude(metres: metres.y))
    }

    /// The length of a degree on the equator: a 180th of half the world.
    private static let metresPerDegree = halfWorld / 180
}
