package import Tiling

/// How a stored image is turned or mirrored to be seen upright: the values of EXIF and TIFF tag 274.
package enum Orientation: Int, Sendable {
    /// As stored.
    case upright = 1
    /// Mirrored left to right.
    case mirrored = 2
    /// Turned by 180 degrees.
    case halfTurn = 3
    /// Mirrored top to bottom.
    case flipped = 4
    /// Mirrored along the diagonal from the top left.
    case transposed = 5
    /// Turn the stored image by 90 degrees clockwise to show it.
    case quarterTurn = 6
    /// Mirrored along the diagonal from the top right.
    case transversed = 7
    /// Turn the stored image by 270 degrees clockwise to show it.
    case threeQuarterTurn = 8

    /// Whether the upright image's width is the stored image's height.
    package var swapsAxes: Bool { rawValue >= 5 }

    /// The transform from points of the upright image to points of the stored image, both in pixels
    /// from the top-left corner.
    ///
    /// - Parameters:
    ///   - storedWidth: columns of the stored image.
    ///   - storedHeight: rows of the stored image.
    package func storedFromUpright(storedWidth: Int, storedHeight: Int) -> AffineTransform {
        let (w, h) = (Double(storedWidth), Double(storedHeight))
        return switch self {
        case .upright: .identity
        case .mirrored: AffineTransform(a: -1, b: 0, c: w, d: 0, e: 1, f: 0)
        case .halfTurn: AffineTransform(a: -1, b: 0, c: w, d: 0, e: -1, f: h)
        case .flipped: AffineTransform(a: 1, b: 0, c: 0, d: 0, e: -1, f: h)
        case .transposed: AffineTransform(a: 0, b: 1, c: 0, d: 1, e: 0, f: 0)
        case .quarterTurn: AffineTransform(a: 0, b: 1, c: 0, d: -1, e: 0, f: h)
        case .transversed: AffineTransform(a: 0, b: -1, c: w, d: -1, e: 0, f: h)
        case .threeQuarterTurn: AffineTransform(a: 0, b: -1, c: w, d: 1, e: 0, f: 0)
        }
    }
}
