import Platform
package import Tiling

/// A pixel transform: a formula from pixels of an image to coordinates of a CRS, or back. Pixels are counted
/// from the image's top-left corner: (0.5, 0.5) is the centre of the first pixel.
package enum PixelTransform: Hashable, Sendable {
    /// Keeps lines straight and parallel.
    case affine(AffineTransform)
    /// Keeps lines straight.
    case projective(ProjectiveTransform)
    /// Bends lines: from pixels to coordinates, by solving a formula from coordinates to pixels.
    case curved(CurvedTransform)
    /// The inverse of a curved transform: from coordinates to pixels by the formula.
    case inverseCurved(CurvedTransform)

    /// Maps a point; (nan, nan) if it has no image.
    package func callAsFunction(_ point: Point) -> Point {
        switch self {
        case .affine(let transform): transform(point)
        case .projective(let transform): transform(point)
        case .curved(let transform): transform.place(of: point)
        case .inverseCurved(let transform): transform.pixel(at: point)
        }
    }

    /// The inverse; nil if the transform flattens the image.
    package var inverse: PixelTransform? {
        switch self {
        case .affine(let transform): transform.inverse.map { .affine($0) }
        case .projective(let transform): transform.inverse.map { .projective($0) }
        case .curved(let transform): .inverseCurved(transform)
        case .inverseCurved(let transform): .curved(transform)
        }
    }

    /// The other transform, then this one.
    package func preceded(by first: AffineTransform) -> PixelTransform {
        switch self {
        case .affine(let transform): .affine(first.followed(by: transform))
        case .projective(let transform):
            .projective(ProjectiveTransform(first).followed(by: transform))
        case .curved(let transform): .curved(transform.followed(byPixels: first.reversed))
        case .inverseCurved(let transform): .inverseCurved(transform.preceded(byPlane: first))
        }
    }

    /// This transform, then the other one.
    package func followed(by next: AffineTransform) -> PixelTransform {
        switch self {
        case .affine(let transform): .affine(transform.followed(by: next))
        case .projective(let transform):
            .projective(transform.followed(by: ProjectiveTransform(next)))
        case .curved(let transform): .curved(transform.preceded(byPlane: next.reversed))
        case .inverseCurved(let transform): .inverseCurved(transform.followed(byPixels: next))
        }
    }

    /// Whether straight lines stay straight.
    var keepsLinesStraight: Bool {
        switch self {
        case .affine, .projective: true
        case .curved, .inverseCurved: false
        }
    }

    /// The corners of an image: top left, top right, bottom right, bottom left, in pixels.
    static func corners(width: Int, height: Int) -> [Point] {
        BoundingBox(width: width, height: height).corners
    }
}

/// Parts of an image, in pixels.
extension BoundingBox {
    /// A whole image.
    init(width: Int, height: Int) {
        self.init(minX: 0, minY: 0, maxX: Double(width), maxY: Double(height))
    }

    /// Whether a point is inside or on an edge; false for nan.
    func includes(_ point: Point) -> Bool {
        point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }

    /// The point at a fraction of the width and of the height.
    func point(_ x: Double, _ y: Double) -> Point {
        Point(x: minX + x * width, y: minY + y * height)
    }

    /// Points at equal steps along both axes, edges included, row by row.
    package func lattice(steps: Int) -> [Point] {
        let shares = (0...steps).map { Double($0) / Double(steps) }
        return shares.flatMap { y in shares.map { point($0, y) } }
    }
}

extension AffineTransform {
    /// The transform of an image from its corner and its sides.
    ///
    /// - Parameters:
    ///   - corner: the position of its top left corner.
    ///   - right: the vector of its upper edge, `width` pixels long.
    ///   - down: the vector of its left edge, `height` pixels long.
    init(corner: Point, right: Point, down: Point, width: Int, height: Int) {
        let (w, h) = (Double(width), Double(height))
        self.init(a: right.x / w, b: down.x / h, c: corner.x, d: right.y / w, e: down.y / h, f: corner.y)
    }

    /// The inverse of a transform that is known to have one, such as a shift, a turn or a scaling.
    var reversed: AffineTransform { inverse.unwrapped("the transform has an area") }
}

extension Point {
    /// The signed area between two vectors; positive if the other is anticlockwise, y up.
    func cross(_ other: Point) -> Double { x * other.y - y * other.x }

    /// The scalar product of two vectors.
    func dot(_ other: Point) -> Double { x * other.x + y * other.y }

    /// The length of the vector.
    var length: Double { (x * x + y * y).squareRoot() }

    /// Whether the point is a longitude and a latitude in degrees. The longitude may be up to one turn larger
    /// or smaller, for images across the antimeridian.
    var isPlace: Bool { abs(x) <= 540 && abs(y) <= 90 }

    /// The point with its coordinates interchanged.
    var interchanged: Point { Point(x: y, y: x) }
}

extension [Point] {
    /// Points whose coordinates, x and y in turn, are an even number of numbers.
    init(numbers: [Double]) {
        self = stride(from: 0, to: numbers.count, by: 2).map { Point(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    /// The coordinates, x and y in turn.
    var numbers: [Double] { flatMap { [$0.x, $0.y] } }

    /// The points, moved east.
    func movedEast(by distance: Double) -> [Point] { map { Point(x: $0.x + distance, y: $0.y) } }

    /// Places in degrees, with each longitude within half a turn of the first, so that means and differences
    /// are right across the antimeridian.
    var unwrapped: [Point] {
        guard let first else { return [] }
        return map { Point(x: $0.x + 360 * ((first.x - $0.x) / 360).rounded(), y: $0.y) }
    }

    /// Replaces each point by its image.
    mutating func apply(_ transform: (Point) -> Point) {
        for index in indices { self[index] = transform(self[index]) }
    }

    /// For each corner of a ring, the sine of the turn at the next corner; positive if it is anticlockwise, y
    /// up.
    var turns: [Double] {
        indices.map { index in
            let here = self[(index + 1) % count]
            let (arriving, leaving) = (here - self[index], self[(index + 2) % count] - here)
            return arriving.cross(leaving) / (arriving.length * leaving.length)
        }
    }

    /// The mean of the points; at least one.
    var centroid: Point {
        let count = Double(count)
        return Point(x: reduce(0) { $0 + $1.x } / count, y: reduce(0) { $0 + $1.y } / count)
    }
}
