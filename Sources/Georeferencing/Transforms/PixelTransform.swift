package import Tiling

/// A pixel transform: a formula from pixels of an image to coordinates of a CRS, or back. Pixels are
/// counted from the image's top-left corner: (0.5, 0.5) is the centre of the first one.
package enum PixelTransform: Hashable, Sendable {
    /// Keeps lines straight and parallel.
    case affine(AffineTransform)
    /// Keeps lines straight.
    case projective(ProjectiveTransform)
    /// Bends lines: from pixels to coordinates by solving a formula that leads to pixels.
    case curved(CurvedTransform)
    /// The inverse of the same: from coordinates to pixels by the formula.
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

    /// The way back, or nil if the transform flattens the image.
    package var inverse: PixelTransform? {
        switch self {
        case .affine(let transform): transform.inverse.map { .affine($0) }
        case .projective(let transform): transform.inverse.map { .projective($0) }
        case .curved(let transform): .inverseCurved(transform)
        case .inverseCurved(let transform): .curved(transform)
        }
    }

    /// The other transform first, then this one.
    package func preceded(by first: AffineTransform) -> PixelTransform {
        switch self {
        case .affine(let transform): .affine(first.followed(by: transform))
        case .projective(let transform):
            .projective(ProjectiveTransform(first).followed(by: transform))
        case .curved(let transform): .curved(transform.followed(byPixels: first.reversed))
        case .inverseCurved(let transform): .inverseCurved(transform.preceded(byPlane: first))
        }
    }

    /// This transform first, then the other.
    package func followed(by next: AffineTransform) -> PixelTransform {
        switch self {
        case .affine(let transform): .affine(transform.followed(by: next))
        case .projective(let transform):
            .projective(transform.followed(by: ProjectiveTransform(next)))
        case .curved(let transform): .curved(transform.preceded(byPlane: next.reversed))
        case .inverseCurved(let transform): .inverseCurved(transform.followed(byPixels: next))
        }
    }

    /// Whether it leaves straight lines straight.
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
    /// The transform of an image whose corner and sides are known.
    ///
    /// - Parameters:
    ///   - corner: where its top left corner is.
    ///   - right: the way along its columns, `width` pixels long.
    ///   - down: the way along its rows, `height` pixels long.
    init(corner: Point, right: Point, down: Point, width: Int, height: Int) {
        let (w, h) = (Double(width), Double(height))
        self.init(a: right.x / w, b: down.x / h, c: corner.x, d: right.y / w, e: down.y / h, f: corner.y)
    }

    /// The inverse of a transform that has one, as shifts, turns and scales have.
    var reversed: AffineTransform {
        guard let inverse else { preconditionFailure("the transform has no area") }
        return inverse
    }
}

extension Point {
    /// The signed area between two ways; positive if the other lies anticlockwise, y up.
    func cross(_ other: Point) -> Double { x * other.y - y * other.x }

    /// The scalar product of two ways.
    func dot(_ other: Point) -> Double { x * other.x + y * other.y }

    /// The length of a way.
    var length: Double { (x * x + y * y).squareRoot() }

    /// Whether it is a longitude and a latitude in degrees; the longitude may go once more around, for images
    /// across the antimeridian.
    var isPlace: Bool { abs(x) <= 540 && abs(y) <= 90 }

    /// The point with its coordinates interchanged.
    var interchanged: Point { Point(x: y, y: x) }
}

extension [Point] {
    /// Places in degrees with each longitude within half a turn of the first one's, so that means
    /// and differences make sense across the antimeridian.
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

    /// For each corner of a ring, the sine of the turn at the next one: positive if it is anticlockwise, y
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
