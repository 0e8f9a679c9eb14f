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
        BoundingBox(minX: 0, minY: 0, maxX: Double(width), maxY: Double(height)).corners
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
    var reversed: AffineTransform {
        guard let inverse else { preconditionFailure("the transform has no area") }
        return inverse
    }
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
    /// Places in degrees, with each longitude within half a turn of the first, so that means and differences
    /// are right across the antimeridian.
    var unwrapped: [Point] {
        guard let first else { return [] }
        return map { Point(x: $0.x + 360 * ((first.x - $0.x) / 360).rounded(), y: $0.y) }
    }
}

extension [Point] {
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
