import Platform
package import Tiling

extension Georeference {
    /// An image whose outer corners are known; three make an affine, four a projective transform in
    /// the conformal plane around them.
    ///
    /// - Parameters:
    ///   - lonLat: top left, top right, bottom right and, or not, bottom left of the image as
    ///     drawn, in degrees on WGS 84.
    ///   - width: columns of the image.
    ///   - height: rows of the image.
    /// - Throws: a `Failure` of kind `usage` if the corners make no convex image, or a mirrored
    ///   one.
    package static func corners(
        _ lonLat: [Point], width: Int, height: Int
    ) throws -> Georeference {
        guard (3...4).contains(lonLat.count) else {
            throw Failure(
                .usage, "\(lonLat.count) corners are given, an image needs 3 or 4",
                // Twice as many, if each decimal comma parts a number.
                remedy: [6, 8].contains(lonLat.count)
                    ? "write decimals with a dot: 1.7293,48.2173" : cornerOrder)
        }
        for corner in lonLat { try checkPlace(corner, of: "a corner") }
        let plane = LocalPlane(around: lonLat.unwrapped)
        let ground = try plane.points(ofLonLat: lonLat.unwrapped)
        try checkRing(ground, of: lonLat.unwrapped, aspect: Double(width) / Double(height))
        let pixels = PixelTransform.corners(width: width, height: height)
        let transform: PixelTransform =
            if ground.count == 3 {
                .affine(affine(through: ground, width: Double(width), height: Double(height)))
            } else {
                .projective(try ProjectiveTransform(from: pixels, to: ground))
            }
        return Georeference(crs: CRS(plane), pixelToCRS: transform)
    }

    private static let cornerOrder =
        "give longitude,latitude of the top left, top right, bottom right, bottom left corner"

    /// The affine transform that takes the top left, top right and bottom right corner to points.
    private static func affine(
        through ground: [Point], width: Double, height: Double
    ) -> AffineTransform {
        let (right, down) = (ground[1] - ground[0], ground[2] - ground[1])
        return AffineTransform(
            a: right.x / width, b: down.x / height, c: ground[0].x,
            d: right.y / width, e: down.y / height, f: ground[0].y)
    }

    /// Seen with north up, the corners must turn clockwise all the way around.
    ///
    /// - Parameters:
    ///   - ring: in metres.
    ///   - lonLat: the same in degrees.
    ///   - aspect: the image's width as a multiple of its height.
    private static func checkRing(_ ring: [Point], of lonLat: [Point], aspect: Double) throws {
        let turns = ring.indices.map { index in
            let (before, here) = (ring[index], ring[(index + 1) % ring.count])
            let after = ring[(index + 2) % ring.count]
            let (arriving, leaving) = (here - before, after - here)
            // The sine of the turn, so that the test does not depend on the image's size.
            return arriving.cross(leaving) / (arriving.length * leaving.length)
        }
        let tolerance = 1e-6
        if turns.allSatisfy({ $0 < -tolerance }) { return }
        let fault =
            if turns.allSatisfy({ $0 > tolerance }) {
                "the corners run anticlockwise, so that the image would be mirrored"
                    + (isInterchanged(lonLat, ring, aspect: aspect)
                        ? ": longitude and latitude are probably interchanged" : "")
            } else if turns.contains(where: { !(abs($0) > tolerance) }) {
                "the corners lie on a line or on each other"
            } else {
                "the corners do not make a convex image"
            }
        throw Failure(.usage, fault, remedy: cornerOrder)
    }

    /// Whether a mirrored image has square pixels only if longitudes and latitudes are in each other's place,
    /// and not if its corners are in another order.
    private static func isInterchanged(_ lonLat: [Point], _ ring: [Point], aspect: Double) -> Bool {
        let places = lonLat.map(\.interchanged)
        guard places.allSatisfy({ abs($0.y) < 90 }),
            let meant = try? LocalPlane(around: places).points(ofLonLat: places)
        else { return false }
        func sides(_ ring: [Point]) -> Double { (ring[1] - ring[0]).length / (ring[2] - ring[1]).length }
        func isSquare(_ ratio: Double) -> Bool { max(ratio, 1 / ratio) < 1.1 }
        let written = sides(ring)
        return isSquare(sides(meant) / aspect)
            && ![written, 1 / written].contains { isSquare($0 / aspect) }
    }
}
