import Platform
package import Tiling

/// An image mapping, between an image's pixels and Web Mercator metres, in both directions. It is all that a
/// pyramid needs to know about an image's position. Safe to share between threads.
///
/// Longitudes are unwrapped, so that one image is one piece. It starts within the world; if it crosses the
/// antimeridian, its x continues beyond the eastern edge.
package struct ImageMapping: Sendable {
    /// The kind of mapping from Mercator metres to pixels.
    package enum Shape: Hashable, Sendable {
        /// The column depends only on x and the row only on y: Web Mercator or WGS 84 degrees, not rotated.
        case separable(column: AxisMapping, row: AxisMapping)
        /// An affine transform from Mercator metres to pixels: Web Mercator, rotated or sheared.
        case affine(AffineTransform)
        /// Anything else.
        case general
    }

    /// The kind of mapping from Mercator metres to pixels.
    package private(set) var shape: Shape
    /// The image's left and right edge in pixels. They may be inside a pixel if the pixels are not the
    /// image's own, see `inPixels`.
    package private(set) var columns: ClosedRange<Double>
    /// The image's upper and lower edge in pixels, likewise.
    package private(set) var rows: ClosedRange<Double>
    /// The image's footprint in Mercator metres: a ring without a repeated end, starting at the top left
    /// corner, clipped in y to the world's square.
    ///
    /// Curved edges are cut into chords that deviate by less than a hundredth of a pixel, or into 256 chords.
    package private(set) var outline: [Point]
    /// The edge of a pixel in Mercator metres at the image's centre: the root of its area.
    package private(set) var mercatorCellSize: Double
    /// The edge of a pixel in metres on the ground at the image's centre, on the ellipsoid.
    package private(set) var groundCellSize: Double

    /// The accuracy of the datum shift to WGS 84, in metres: a shift by a few parameters is metres off where
    /// a grid is exact. Infinite if PROJ has only a ballpark shift; nil if there is no shift, or PROJ does
    /// not state its accuracy.
    package private(set) var datumAccuracy: Double?

    /// The number of columns after which an image of the whole world repeats, to an eighth of a pixel; nil if
    /// the image's right edge does not meet its left edge.
    package var columnsPerTurn: Int? { projection.turn?.columns }

    /// The part of the image on the Earth; nil if all of its rim is on the Earth.
    package private(set) var earth: EarthPart?

    private var projection: ExactMapping

    /// The image's middle in pixels; if its rim leaves the Earth, the middle of the part on the Earth.
    package var middle: Point { projection.middle }

    /// Whether the fit of the image bends lines.
    var isCurved: Bool { projection.isCurved }

    /// Prepares the mapping of an image of the given size.
    ///
    /// - Throws: a `Failure` of kind `badInput` if the image is nowhere on the map, or is flattened, folded
    ///   or cut by a horizon.
    package init(_ georeference: Georeference, width: Int, height: Int) throws {
        precondition(width > 0 && height > 0, "an image has pixels")
        var projection = try ExactMapping(georeference, width: width, height: height)
        (columns, rows) = (0...Double(width), 0...Double(height))
        shape = projection.shape
        if projection.leavesEarth {
            earth = try EarthPart(of: &projection, width: width, height: height)
        }
        self.projection = projection
        outline = try earth?.outline ?? Outline(of: projection, width: width, height: height).ring
        (mercatorCellSize, groundCellSize) = try projection.cellSize(
            width: width, height: height, outline: outline)
        datumAccuracy = centre.flatMap { projection.conversion.accuracy(atLonLat: $0) }
    }

    /// The longitude and latitude of the footprint's centre.
    private var centre: Point? { BoundingBox(around: outline).map { WebMercator.lonLat($0.center) } }

    /// The names of the grids in the datum shift at the image's place.
    package var datumGrids: [String] {
        guard datumAccuracy != nil, let centre else { return [] }
        return projection.conversion.grids(atLonLat: centre)
    }

    /// The best datum shift that PROJ knows for the image's place, if it is clearly better than the one in
    /// use and needs only grids that are not installed. Takes tens of milliseconds.
    package var betterShift: DatumShift? {
        guard let datumAccuracy, let centre, case .text(let definition) = projection.crs.definition
        else { return nil }
        return DatumShift(from: definition, atLonLat: centre, betterThan: datumAccuracy)
    }

    /// Mercator metres to pixels, exactly, in place; a point outside the mapping becomes (nan, nan).
    ///
    /// About a microsecond per point with PROJ, a few nanoseconds without.
    package func imagePoints(ofMercator points: inout [Point]) {
        projection.imagePoints(ofMercator: &points)
    }

    /// Pixels to Mercator metres, exactly, in place, unwrapped like the outline; a point that has no place
    /// becomes (nan, nan).
    package func mercatorPoints(ofImage points: inout [Point]) {
        projection.mercatorPoints(ofImage: &points)
    }

    /// The outer corners top left, top right, bottom right and bottom left of the image as drawn, in
    /// degrees on WGS 84; (nan, nan) if a corner is not on the Earth.
    package func lonLatCorners() -> [Point] {
        var corners = box.corners
        let areOnEarth = earth == nil ? corners.map { _ in true } : projection.isOnEarth(corners)
        mercatorPoints(ofImage: &corners)
        return zip(corners, areOnEarth).map { $1 ? WebMercator.lonLat($0) : .nowhere }
    }

    /// The mapping of the same image in other pixels, such as larger ones; the footprint is the same.
    ///
    /// - Parameter change: from the pixels of this mapping to the other pixels, whose axes have the same
    ///   directions.
    package func inPixels(_ change: AffineTransform) -> ImageMapping {
        let (first, last) = (change(box.corners[0]), change(box.corners[2]))
        var mapping = self
        mapping.projection = projection.inPixels(change)
        mapping.earth = earth?.inPixels(change)
        mapping.shape = mapping.projection.shape
        (mapping.columns, mapping.rows) = (first.x...last.x, first.y...last.y)
        let scale = abs(change.determinant).squareRoot()
        mapping.mercatorCellSize = mercatorCellSize / scale
        mapping.groundCellSize = groundCellSize / scale
        return mapping
    }

    /// The mapping with the image moved east by turns around the world.
    package func movedEast(turns: Int) -> ImageMapping {
        let way = Double(turns) * WebMercator.world
        var mapping = self
        mapping.projection = projection.movedEast(turns: Double(turns))
        mapping.shape = mapping.projection.shape
        mapping.outline = outline.movedEast(by: way)
        mapping.earth = earth?.movedEast(metres: way)
        return mapping
    }

    /// The mapping of the image with only a part visible.
    ///
    /// - Parameter outline: the footprint of that part, as in `outline`.
    package func withOutline(_ outline: [Point]) -> ImageMapping {
        var mapping = self
        mapping.outline = outline
        return mapping
    }
}

extension ImageMapping {
    /// The mapping of an image whose pixels are those of a tile matrix.
    ///
    /// - Parameter window: the image's pixels; columns may be beyond the antimeridian.
    /// - Throws: a `Failure` if they are beyond the world's northern and southern edge.
    package init(of window: PixelWindow, in matrix: TileMatrix) throws {
        let (cell, corner) = (matrix.cellSize, matrix.mercator(ofPixel: window.corners[0]))
        try self.init(
            Georeference(
                crs: .webMercator,
                pixelToCRS: .affine(AffineTransform(a: cell, b: 0, c: corner.x, d: 0, e: -cell, f: corner.y))),
            width: window.width, height: window.height)
        // The image starts within the world, even if the window does not.
        let west = outline.map(\.x).reduce(.infinity, min)
        let turns = Int(((corner.x - west) / WebMercator.world).rounded())
        if turns != 0 { self = movedEast(turns: turns) }
    }
}

extension ImageMapping {
    /// The number of the image's pixels that a larger pixel spans, at the place and in the direction where it
    /// is smallest; 0 if unknown.
    ///
    /// It is measured at the footprint's corners and along its edges: a projective transform and Web Mercator
    /// are finest at an edge, and the distortion of a CRS is small. A curved fit may be finest anywhere, so
    /// it is also measured inside.
    ///
    /// - Parameter cellSize: the edge of the larger pixel in Mercator metres.
    package func fewestPixels(inCell cellSize: Double) -> Double {
        (outline + placesWithin).map { pixels(at: $0, cellSize: cellSize) }.reduce(.infinity, min)
    }

    /// Mercator metres of a grid of 33 x 33 points, if lines are bent.
    private var placesWithin: [Point] {
        guard isCurved else { return [] }
        var points = box.lattice(steps: 32)
        mercatorPoints(ofImage: &points)
        return points
    }

    /// The smaller singular value of the Jacobian, by central differences over one of the larger pixels.
    private func pixels(at place: Point, cellSize: Double) -> Double {
        let half = cellSize / 2
        var points = [
            place - Point(x: half, y: 0), place + Point(x: half, y: 0),
            place - Point(x: 0, y: half), place + Point(x: 0, y: half),
        ]
        imagePoints(ofMercator: &points)
        let smallest = Point.leastStretch(right: points[1] - points[0], down: points[3] - points[2])
        return smallest.isFinite ? smallest : 0
    }
}

extension ImageMapping {
    /// The image's edges in pixels.
    var box: BoundingBox {
        BoundingBox(
            minX: columns.lowerBound, minY: rows.lowerBound, maxX: columns.upperBound, maxY: rows.upperBound)
    }

    /// Whether pixels are an affine function of Mercator metres.
    package var isAffine: Bool {
        switch shape {
        case .affine: true
        case .separable(let column, let row): column.kind == .linear && row.kind == .linear
        case .general: false
        }
    }

    /// The fractional zoom at which a tile's pixels are as large as the image's.
    ///
    /// - Parameter tileSize: pixels along a tile's edge.
    package func nativeZoom(tileSize: Int) -> Double {
        log2(TileMatrix(zoom: 0, tileSize: tileSize).cellSize / mercatorCellSize)
    }
}

/// One axis of an image as a function of one axis of Web Mercator.
package struct AxisMapping: Hashable, Sendable {
    /// The quantity that the pixels are proportional to.
    package enum Kind: Hashable, Sendable {
        /// Mercator metres.
        case linear
        /// The latitude in degrees of the Mercator metres.
        case latitude
    }

    /// The quantity that the pixels are proportional to.
    package let kind: Kind
    /// Pixels per metre or per degree; negative if the axis runs west or south.
    package let scale: Double
    /// The pixel coordinate at zero metres or degrees.
    package let offset: Double

    /// The pixel coordinate, counted from the image's edge, at a distance in metres from the
    /// origin of Web Mercator.
    package func callAsFunction(_ metres: Double) -> Double {
        switch kind {
        case .linear: scale * metres + offset
        case .latitude: scale * WebMercator.latitude(metres: metres) + offset
        }
    }
}
