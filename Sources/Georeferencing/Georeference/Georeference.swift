import Platform
package import Tiling

/// A georeference: a CRS, and the pixel transform from an image's pixels to its coordinates.
package struct Georeference: Hashable, Sendable {
    /// The system of the coordinates.
    package var crs: CRS
    /// From pixels, counted from the top-left corner, to coordinates.
    package var pixelToCRS: PixelTransform

    /// Makes a georeference.
    package init(crs: CRS, pixelToCRS: PixelTransform) {
        self.crs = crs
        self.pixelToCRS = pixelToCRS
    }

    /// The georeference of an image whose pixels first go through another transform, such as the shift of a
    /// crop or the turn of an orientation.
    package func applying(first: AffineTransform) -> Georeference {
        Georeference(crs: crs, pixelToCRS: pixelToCRS.preceded(by: first))
    }
}

extension Georeference {
    /// The pixel transform, if it can place an image at all.
    ///
    /// - Parameter corners: the image's outer corners in pixels.
    /// - Returns: a projective transform with the image on this side of its horizon.
    func checkedTransform(corners: [Point]) throws -> PixelTransform {
        let transform = try pixelToCRS.facing(corners)
        let placed = corners.map { transform($0) }
        guard placed.allSatisfy(\.isFinite) else { throw ExactMapping.nowhere(crs) }
        try checkArea(of: placed)
        if crs == .wgs84 { try checkDegrees(of: placed, corners) }
        return transform
    }

    /// Angles at the corners below a billionth are taken for rounding errors.
    private func checkArea(of ring: [Point]) throws {
        for index in ring.indices {
            let (here, next) = (ring[index], ring[(index + 1) % 4])
            let (along, across) = (next - here, ring[(index + 3) % 4] - here)
            guard abs(along.cross(across)) > 1e-9 * along.length * across.length else {
                throw ExactMapping.flattened
            }
        }
    }

    /// The image may exceed a pole by a pixel, as in grids with cells centred on it, and may start beyond the
    /// antimeridian. If it exceeds that, its numbers are not degrees.
    private func checkDegrees(of ring: [Point], _ corners: [Point]) throws {
        let step = ring[0].distance(to: ring[2]) / corners[0].distance(to: corners[2])
        guard
            let outer = BoundingBox(around: ring),
            max(outer.maxY, -outer.minY) <= 90 + step, max(outer.maxX, -outer.minX) <= 720 + step
        else {
            throw Failure(
                .badInput,
                "the image is nowhere on the map: its corner \(ring[0].x), \(ring[0].y) "
                    + "is not a longitude and a latitude",
                remedy: "name the system of its numbers: --crs EPSG:3857 for Web Mercator metres")
        }
    }
}

extension PixelTransform {
    /// The transform, signed so that the image is on the visible side of its horizon.
    ///
    /// - Throws: a `Failure` if the horizon cuts through the image.
    fileprivate func facing(_ corners: [Point]) throws -> PixelTransform {
        guard case .projective(let transform) = self else { return self }
        guard corners.allSatisfy({ transform.denominator(at: $0) > 0 }) else {
            throw Failure(
                .badInput, "the projective transform's horizon passes through the image",
                remedy: "check the points, or crop the image to the part they surround")
        }
        return self
    }

    /// The transform, shifted by whole turns so that the image's western corner is within the world.
    ///
    /// - Parameters:
    ///   - crs: Web Mercator or WGS 84, in which the edges of an image are straight.
    ///   - corners: the image's outer corners in pixels.
    func startingInWorld(of crs: CRS, corners: [Point]) throws -> PixelTransform {
        let world = crs.fullTurn ?? WebMercator.world
        let columns = corners.map { self($0).x }
        let (west, east) = (columns.reduce(.infinity, min), columns.reduce(-.infinity, max))
        // Some columns may be repeated at either end. With much more, these are not degrees.
        guard east - west < world * 1.1 else {
            throw Failure(
                .badInput,
                "the image goes more than once around the world: from \(west) to \(east) in \(crs.name)"
            )
        }
        let turns = turns(toStartAt: west, world: world)
        return turns == 0 ? self : followed(by: .translation(x: -turns * world, y: 0))
    }
}

/// The number of turns around the world by which a western edge is outside the world. An edge that is a
/// billionth of the world outside, 4 cm, is a rounded -180.
func turns(toStartAt west: Double, world: Double) -> Double {
    ((west / world + 0.5) + 1e-9).rounded(.down)
}

extension Georeference {
    /// Everything that decides where pixels are, one item per line: the definition of the reference system,
    /// and the numbers of the transform to their last bit. Names for people are not included.
    package var identity: [String] { [crs.projDefinition, pixelToCRS.identity] }
}

extension PixelTransform {
    /// The kind of transform and its numbers.
    fileprivate var identity: String {
        switch self {
        case .affine(let transform): "affine " + transform.numbers.bits
        case .projective(let transform): "projective " + transform.numbers.bits
        // An inverse never places an image.
        case .curved(let transform), .inverseCurved(let transform): "curved " + transform.numbers.bits
        }
    }
}

extension ProjectiveTransform {
    /// The matrix, row by row.
    fileprivate var numbers: [Double] { [a, b, c, d, e, f, g, h, i] }
}

extension [Double] {
    /// The numbers as hexadecimal digits of their bits.
    fileprivate var bits: String {
        map { String($0.bitPattern, radix: 16) }.joined(separator: " ")
    }
}
