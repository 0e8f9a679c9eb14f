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
        let (w, h) = (Double(width), Double(height))
        return [Point(x: 0, y: 0), Point(x: w, y: 0), Point(x: w, y: h), Point(x: 0, y: h)]
    }
}

extension AffineTransform {
    /// The inverse of a transform that has one, as shifts, turns and scales have.
    var reversed: AffineTransform {
        guard let inverse else { preconditionFailure("the transform has no area") }
        return inverse
    }
}
