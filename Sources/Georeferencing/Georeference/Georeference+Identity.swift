import Tiling

extension Georeference {
    /// All that decides where pixels lie, in lines: the definition of the reference system, and the
    /// numbers of the transform to their last bit. Names for people are not among it.
    package var identity: [String] { [crs.projDefinition, pixelToCRS.identity] }
}

extension PixelTransform {
    /// The kind of transform and its numbers.
    fileprivate var identity: String {
        switch self {
        case .affine(let transform): "affine " + transform.numbers.bits
        case .projective(let transform): "projective " + transform.numbers.bits
        // No image is placed by an inverse.
        case .curved(let transform), .inverseCurved(let transform): "curved " + transform.numbers.bits
        }
    }
}

extension AffineTransform {
    /// The factors, row by row.
    var numbers: [Double] { [a, b, c, d, e, f] }
}

extension ProjectiveTransform {
    /// The matrix, row by row.
    fileprivate var numbers: [Double] { [a, b, c, d, e, f, g, h, i] }
}

extension [Point] {
    /// The coordinates, x and y in turn.
    var numbers: [Double] { flatMap { [$0.x, $0.y] } }
}

extension [Double] {
    /// The numbers as hexadecimal digits of their bits.
    fileprivate var bits: String {
        map { String($0.bitPattern, radix: 16) }.joined(separator: " ")
    }
}
