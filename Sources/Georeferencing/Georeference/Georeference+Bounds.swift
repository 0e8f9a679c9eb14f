import Platform
package import Tiling

extension Georeference {
    /// An upright image between outer edges, linear in the CRS.
    ///
    /// - Parameters:
    ///   - box: the edges in the CRS's unit; `minX` beyond `maxX` crosses the antimeridian, where
    ///     the CRS is geographic.
    ///   - width: columns of the image.
    ///   - height: rows of the image.
    /// - Throws: a `Failure` of kind `usage` that names the edges that are wrong.
    package static func bounds(
        _ box: BoundingBox, crs: CRS, width: Int, height: Int
    ) throws -> Georeference {
        let box = try unwrapped(box, in: crs)
        try checkLatitudes(of: box, pixel: box.height / Double(height), in: crs)
        let transform = AffineTransform(
            a: box.width / Double(width), b: 0, c: box.minX,
            d: 0, e: -box.height / Double(height), f: box.maxY)
        return Georeference(crs: crs, pixelToCRS: .affine(transform))
    }

    /// The box with its eastern edge east of its western one.
    private static func unwrapped(_ box: BoundingBox, in crs: CRS) throws -> BoundingBox {
        let edges = "bounds \(box.minX),\(box.minY),\(box.maxX),\(box.maxY)"
        let order = "give them as WEST,SOUTH,EAST,NORTH in the units of \(crs.name)"
        guard [box.minX, box.minY, box.maxX, box.maxY].allSatisfy(\.isFinite) else {
            throw Failure(.usage, "\(edges) hold a value that is not a number", remedy: order)
        }
        guard box.minY < box.maxY else {
            throw Failure(.usage, "\(edges): south is not below north", remedy: order)
        }
        var box = box
        if let fullTurn = crs.fullTurn, box.minX > box.maxX { box.maxX += fullTurn }
        guard box.minX < box.maxX else {
            throw Failure(.usage, "\(edges): west is not left of east", remedy: order)
        }
        return box
    }

    /// Half a pixel may reach beyond a pole, as in grids whose cells are centred on it.
    private static func checkLatitudes(
        of box: BoundingBox, pixel: Double, in crs: CRS
    ) throws {
        guard let fullTurn = crs.fullTurn else { return }
        let pole = fullTurn / 4
        guard box.minY >= -pole - pixel / 2, box.maxY <= pole + pixel / 2 else {
            throw Failure(
                .usage, "bounds from \(box.minY) to \(box.maxY) are not latitudes",
                remedy: "longitude comes first: WEST,SOUTH,EAST,NORTH; "
                    + "bounds in metres need --crs, as --crs EPSG:3857")
        }
    }
}
