import Platform

/// A grid of pixels over the Web Mercator plane, onto which images are rendered. Columns grow to the right
/// and rows grow down; both may be negative.
package struct PixelGrid: Hashable, Sendable {
    /// The mapping of pixels to the plane.
    package enum Form: Hashable, Sendable {
        /// Squares whose columns grow east and whose rows grow south.
        ///
        /// - Parameters:
        ///   - origin: the north-western corner of the pixel in column 0 and row 0, in Mercator metres.
        ///   - cellSize: the edge of a pixel in Mercator metres; on the ground it is shorter by
        ///     `cos(latitude)`.
        case upright(origin: Point, cellSize: Double)
        /// The view of a camera.
        ///
        /// - Parameters:
        ///   - transform: from pixels to Mercator metres from the centre, which keeps it precise at every
        ///     zoom. Where its denominator is not positive, nothing is visible.
        ///   - centre: the centre in Mercator metres.
        case seen(ProjectiveTransform, centre: Point)
    }

    /// The mapping of pixels to the plane.
    package let form: Form

    /// The columns after which the world repeats; nil if this is not a whole number.
    package let columnsPerTurn: Int?

    private let pixelFromMetres: ProjectiveTransform?

    /// Makes an upright grid.
    package init(origin: Point, cellSize: Double, columnsPerTurn: Int? = nil) {
        form = .upright(origin: origin, cellSize: cellSize)
        self.columnsPerTurn = columnsPerTurn
        pixelFromMetres = nil
    }

    /// Makes the grid of a camera's view; see `Form.seen`. Its transform must have an inverse.
    package init(seenBy transform: ProjectiveTransform, centre: Point) {
        form = .seen(transform, centre: centre)
        columnsPerTurn = nil
        pixelFromMetres = transform.inverse.unwrapped("a camera sees an area")
    }

    /// Mercator metres to pixels of this grid; whole numbers are pixel edges. Longitudes are not wrapped at
    /// the antimeridian. A point behind a camera becomes (nan, nan).
    package func pixel(ofMercator point: Point) -> Point {
        switch form {
        case .upright(let origin, let cellSize):
            Point(x: (point.x - origin.x) / cellSize, y: (origin.y - point.y) / cellSize)
        case .seen(_, let centre):
            pixelFromMetres?(point - centre) ?? .nowhere
        }
    }

    /// Pixels of this grid to Mercator metres; the inverse of `pixel(ofMercator:)`. A point beyond a camera's
    /// horizon becomes (nan, nan).
    package func mercator(ofPixel point: Point) -> Point {
        switch form {
        case .upright(let origin, let cellSize):
            return Point(x: point.x * cellSize + origin.x, y: origin.y - point.y * cellSize)
        case .seen(let transform, let centre):
            return transform(point) + centre
        }
    }

    /// Whether columns grow east and rows grow south.
    package var isUpright: Bool {
        if case .upright = form { true } else { false }
    }

    /// Whether all pixels have the same shape.
    package var isAffine: Bool {
        if case .seen(let transform, _) = form { transform.g == 0 && transform.h == 0 } else { true }
    }
}

extension PixelGrid {
    /// The shorter side of the narrowest pixel in a run of columns, in Mercator metres. It measures the ends
    /// and the middle of the run, since pixels change less in between.
    package func narrowestCell(columns: Range<Int>, row: Double) -> Double {
        let (first, last) = (Double(columns.lowerBound), Double(columns.upperBound))
        return [first, (first + last) / 2, last].map { column in
            narrowness(at: Point(x: column, y: row))
        }.reduce(.infinity, min)
    }

    /// The shorter side of the narrowest pixel of a window, in Mercator metres, likewise.
    package func narrowestCell(of window: PixelWindow) -> Double {
        let ends = [window.rows.lowerBound, window.rows.upperBound]
        return ends.map { narrowestCell(columns: window.columns, row: Double($0)) }.reduce(.infinity, min)
    }

    /// The box around an upright window, in Mercator metres.
    package func box(of window: PixelWindow) -> BoundingBox {
        BoundingBox(around: window.corners.map(mercator(ofPixel:))).unwrapped("a window has corners")
    }

    /// The number of rows whose pixels have nearly the same shape: near the horizon, pixels of one such run
    /// of rows are at most half as long again as those of the run before. It is a power of two, up to a
    /// limit; 1 if pixels change faster.
    package func rowsOfOneShape(from row: Double, atMost limit: Int) -> Int {
        guard case .seen(let transform, _) = form, !isAffine else { return limit }
        // Lengths are proportional to the inverse square of the denominator, which is linear in the row.
        let here = transform.denominator(at: Point(x: 0, y: row))
        let change = abs(transform.h) / here
        var rows = limit
        while rows > 1, 2 * change * Double(rows) > 0.5 { rows /= 2 }
        return rows
    }

    /// The shorter side of a pixel, in Mercator metres.
    private func narrowness(at point: Point) -> Double {
        // Central differences over a thousandth of a pixel: exact for affine grids, and accurate to a
        // millionth for cameras.
        let length = 1 / 2048.0
        func way(_ x: Double, _ y: Double) -> Point {
            let step = Point(x: x, y: y)
            let (from, to) = (mercator(ofPixel: point - step), mercator(ofPixel: point + step))
            return (to - from) * (1 / (2 * length))
        }
        return Point.leastStretch(right: way(length, 0), down: way(0, length))
    }
}

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
        pixels.isEmpty ? 0..<0 : pixels.cells(of: tileSize)
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
