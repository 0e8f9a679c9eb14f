import Platform
package import Tiling

extension Georeference {
    /// The georeference of an upright image from its outer edges, linear in the CRS.
    ///
    /// - Parameters:
    ///   - box: the edges in the CRS's unit; in a geographic CRS, `minX` greater than `maxX` crosses the
    ///     antimeridian.
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

    /// The box with its eastern edge east of its western edge.
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

    /// Latitudes may exceed 90 degrees by half a pixel, as in grids with cells centred on a pole.
    private static func checkLatitudes(
        of box: BoundingBox, pixel: Double, in crs: CRS
    ) throws {
        guard let fullTurn = crs.fullTurn else { return }
        let pole = fullTurn / 4
        guard box.minY >= -pole - pixel / 2, box.maxY <= pole + pixel / 2 else {
            throw Failure(
                .usage, "bounds from \(box.minY) to \(box.maxY) are not latitudes",
                remedy: "longitude comes first: WEST,SOUTH,EAST,NORTH; "
                    + "bounds in metres need --crs, such as --crs EPSG:3857")
        }
    }
}

extension Georeference {
    /// The georeference of an image from its outer corners, in the conformal plane around them. Three corners
    /// make an affine transform, four a projective one.
    ///
    /// - Parameters:
    ///   - lonLat: top left, top right, bottom right and optionally bottom left of the image as drawn, in
    ///     degrees on WGS 84.
    ///   - width: columns of the image.
    ///   - height: rows of the image.
    /// - Throws: a `Failure` of kind `usage` if the corners do not form a convex image, or mirror it.
    package static func corners(
        _ lonLat: [Point], width: Int, height: Int
    ) throws -> Georeference {
        guard (3...4).contains(lonLat.count) else {
            throw Failure(
                .usage, "\(lonLat.count) corners are given, but an image needs 3 or 4",
                // Twice as many numbers, if decimal commas split them.
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
                .affine(
                    AffineTransform(
                        corner: ground[0], right: ground[1] - ground[0], down: ground[2] - ground[1],
                        width: width, height: height))
            } else {
                .projective(try ProjectiveTransform(from: pixels, to: ground))
            }
        return Georeference(crs: CRS(plane), pixelToCRS: transform)
    }

    private static let cornerOrder =
        "give longitude,latitude of the top left, top right, bottom right, bottom left corner"

    /// With north up, the corners must run clockwise all the way around.
    ///
    /// - Parameters:
    ///   - ring: the corners in metres.
    ///   - lonLat: the corners in degrees.
    ///   - aspect: the image's width as a multiple of its height.
    private static func checkRing(_ ring: [Point], of lonLat: [Point], aspect: Double) throws {
        // Sines, so that the test does not depend on the image's size.
        let turns = ring.turns
        let tolerance = 1e-6
        if turns.allSatisfy({ $0 < -tolerance }) { return }
        let fault =
            if turns.allSatisfy({ $0 > tolerance }) {
                "the corners run anticlockwise, so the image would be mirrored"
                    + (isInterchanged(lonLat, ring, aspect: aspect)
                        ? ": longitude and latitude are probably swapped" : "")
            } else if turns.contains(where: { !(abs($0) > tolerance) }) {
                "the corners lie on a line or on each other"
            } else {
                "the corners do not make a convex image"
            }
        throw Failure(.usage, fault, remedy: cornerOrder)
    }

    /// Whether a mirrored image has square pixels if longitudes and latitudes are interchanged, but not if
    /// its corners are in another order.
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

extension Georeference {
    /// The georeference of a plan from one known point, the scale and the direction.
    ///
    /// - Parameters:
    ///   - pixel: the known point on the image.
    ///   - lonLat: its place, in degrees on WGS 84.
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
        let shift = try plane.points(ofLonLat: [lonLat])[0] - turned(pixel)
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

    /// Refuses points that are not a longitude and a latitude. The longitude may be up to one turn larger or
    /// smaller, for images across the antimeridian.
    package static func checkPlace(_ lonLat: Point, of subject: String) throws {
        guard lonLat.isPlace else {
            throw Failure(
                .usage,
                "\(subject) is at \(lonLat.x),\(lonLat.y), which is not a place on the Earth",
                // Degrees stay below a thousand, even if swapped or mistyped. Metres do not.
                remedy: "give longitude first, then latitude, in degrees"
                    + (max(abs(lonLat.x), abs(lonLat.y)) < 1000
                        ? "" : "; to give metres, put the points in a table for --gcps, and add --crs"))
        }
    }
}

extension Georeference {
    /// The georeference of a drawing whose coordinates are those of a CRS.
    ///
    /// - Parameters:
    ///   - coordinates: from pixels to coordinates of the drawing.
    ///   - metresPerUnit: metres in a unit of the drawing, which become units of the CRS; nil if the units are
    ///     those of the CRS, as they are if the CRS is geographic. A foot is that of the CRS.
    package static func coordinates(
        _ coordinates: AffineTransform, metresPerUnit: Double?, in crs: CRS
    ) throws -> Georeference {
        guard let metresPerUnit, let unit = try crs.metresPerUnit, abs(metresPerUnit / unit - 1) > sameUnit
        else { return Georeference(crs: crs, pixelToCRS: .affine(coordinates)) }
        return Georeference(
            crs: crs, pixelToCRS: .affine(coordinates.followed(by: .scale(metresPerUnit / unit))))
    }

    /// The largest relative difference of units that are meant to be the same: the US survey foot differs from the international
    /// foot by 2e-6, and CAD drawings seldom tell them apart.
    package static let sameUnit = 1e-5

    /// The unit of a drawing whose coordinates are those of a CRS: the one that it states, if that can be right.
    /// Drawings of surveyors are in metres, and often state the millimetres of CAD's template.
    ///
    /// - Parameters:
    ///   - box: of nearly all of its content, in units of the drawing.
    ///   - stated: metres in the unit that it states; nil if it states none.
    /// - Returns: metres per unit; nil if none puts it into the area.
    package static func unit(
        ofCoordinates box: BoundingBox, stated: Double?, in crs: CRS
    ) throws -> Double? {
        guard let own = try crs.metresPerUnit else { return nil }
        func isLikely(_ unit: Double) throws -> Bool {
            let middle = box.center
            if middle.distance(to: Point(x: 0, y: 0)) * unit < farFromOrigin { return false }
            var places = [middle * (unit / own)]
            try CRSConversion(crs).lonLat(of: &places)
            return try PROJCRS(crs.projDefinition, failure: .badInput).isMade(for: places[0])
        }
        if let stated, try isLikely(stated) { return stated }
        // A local drawing in millimetres would be a country in metres.
        let size = max(box.width, box.height)
        return try [own, 0.01, 0.001].first { try size * $0 < largestSite && isLikely($0) }
    }

    /// Metres that no site is long.
    private static let largestSite = 20_000.0

    /// Metres around the origin of a grid, which is often at sea, in which no buildings are expected.
    private static let farFromOrigin = 10_000.0

    /// The georeference of a drawing in metres east and north of a known place: on the ground around it if the
    /// CRS is geographic, else in the CRS.
    ///
    /// - Parameters:
    ///   - metres: from pixels to metres.
    ///   - place: the place in the CRS, x first.
    /// - Throws: a `Failure` if it is not a place in the CRS.
    package static func metres(
        _ metres: AffineTransform, around place: Point, in crs: CRS
    ) throws -> Georeference {
        if let unit = try crs.metresPerUnit {
            let moved = metres.followed(by: .scale(1 / unit)).followed(
                by: .translation(x: place.x, y: place.y))
            return Georeference(crs: crs, pixelToCRS: .affine(moved))
        }
        var places = [place]
        try CRSConversion(crs).lonLat(of: &places)
        try checkPlace(places[0], of: "its reference point")
        let plane = LocalPlane(around: places)
        let shift = try plane.points(ofLonLat: places)[0]
        return Georeference(
            crs: CRS(plane), pixelToCRS: .affine(metres.followed(by: .translation(x: shift.x, y: shift.y))))
    }
}
