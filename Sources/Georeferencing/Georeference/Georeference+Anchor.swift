import Platform
package import Tiling

extension Georeference {
    /// A plan of which one point, the scale and the direction are known.
    ///
    /// - Parameters:
    ///   - pixel: the known point on the image.
    ///   - lonLat: where it is, in degrees on WGS 84.
    ///   - metresPerPixel: the edge of a pixel on the ground.
    ///   - bearing: the compass bearing that the image's up direction points to, in degrees
    ///     clockwise from north.
    /// - Throws: a `Failure` of kind `usage` that names the value that is wrong.
    package static func anchor(
        pixel: Point, lonLat: Point, metresPerPixel: Double, bearing: Double
    ) throws -> Georeference {
        try checkPlace(lonLat, of: "the anchor")
        guard pixel.isFinite else {
            throw Failure(.usage, "the anchor's column and row must be numbers")
        }
        guard metresPerPixel > 0, metresPerPixel.isFinite else {
            throw Failure(.usage, "a scale of \(metresPerPixel) metres per pixel is not positive")
        }
        guard bearing.isFinite else { throw Failure(.usage, "the bearing is not a number") }
        let plane = LocalPlane(around: [lonLat])
        let turned = turn(metresPerPixel: metresPerPixel, bearing: bearing)
        let shift = try plane.point(ofLonLat: lonLat) - turned(pixel)
        return Georeference(
            crs: CRS(plane),
            pixelToCRS: .affine(turned.followed(by: .translation(x: shift.x, y: shift.y))))
    }

    /// Pixels, y down, to metres, y north: right is 90 degrees clockwise of up.
    private static func turn(metresPerPixel: Double, bearing: Double) -> AffineTransform {
        let angle = bearing.remainder(dividingBy: 360) * .pi / 180
        let (east, north) = (metresPerPixel * sin(angle), metresPerPixel * cos(angle))
        return AffineTransform(a: north, b: -east, c: 0, d: -east, e: -north, f: 0)
    }

    /// Refuses what is not a longitude and a latitude; the longitude may go once more around, for images
    /// across the antimeridian.
    package static func checkPlace(_ lonLat: Point, of subject: String) throws {
        guard abs(lonLat.x) <= 540, abs(lonLat.y) <= 90 else {
            throw Failure(
                .usage,
                "\(subject) lies at \(lonLat.x),\(lonLat.y), which is not a place on the Earth",
                // Degrees stay below a thousand, swapped and mistyped ones too. Metres do not.
                remedy: "give longitude first, then latitude, in degrees"
                    + (max(abs(lonLat.x), abs(lonLat.y)) < 1000
                        ? "" : "; a table for --gcps may have the metres of --crs"))
        }
    }
}
