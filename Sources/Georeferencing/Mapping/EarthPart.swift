import Platform
package import Tiling

/// The part of an image that is on the Earth, for images whose rim is not: a disk in front of black space, or
/// a whole world whose corners are empty.
package struct EarthPart: Sendable {
    /// The places that the image shows, as rings in Mercator metres that may extend beyond the edges of the
    /// world; nil if it shows all places.
    package private(set) var seen: [[Point]]?

    /// The pixels on the Earth, as rings in pixels.
    package private(set) var pixels: [[Point]]

    /// The footprint; see `ImageMapping.outline`.
    let outline: [Point]

    /// Finds the part, and chooses the longitudes of the image so that its western end is within the world.
    ///
    /// Takes some 100 000 transforms of coordinates in each direction: a tenth of a second or two.
    ///
    /// - Throws: a `Failure` of kind `badInput` if no part of the image is on the map.
    init(of mapping: inout ExactMapping, width: Int, height: Int) throws {
        let projection = mapping
        let image = BoundingBox(width: width, height: height)
        func isShown(_ places: [Point]) -> [Bool] {
            projection.seenImagePoints(ofMercator: places).map(image.includes)
        }
        let places = projection.placesOnEarth(within: image)
        guard !places.isEmpty else { throw ExactMapping.nowhere(projection.crs) }
        let map = EarthPart.map(around: places, isShown)
        let shown = TracedRegion(in: map, holds: isShown)
        guard !shown.rings.isEmpty else { throw ExactMapping.nowhere(projection.crs) }
        let ring = shown.rings.count == 1 ? shown.rings[0] : shown.rings.flatMap { $0 }.convexHull
        let west = ring.map(\.x).reduce(.infinity, min)
        let way = -WebMercator.world * turns(toStartAt: west, world: WebMercator.world)
        outline = ring.movedEast(by: way)
        seen =
            shown.isWhole
            ? nil : shown.rings.map { $0.pushed(out: map, by: WebMercator.world / 4).movedEast(by: way) }
        if let box = BoundingBox(around: outline) { mapping.unwrap(around: box.center.x) }
        pixels =
            TracedRegion(in: image.grown(by: 2)) { pixels in
                zip(pixels, projection.isOnEarth(pixels)).map { image.includes($0) && $1 }
            }.rings
    }

    /// See `ImageMapping.inPixels`.
    func inPixels(_ change: AffineTransform) -> EarthPart {
        var part = self
        part.pixels = pixels.map { $0.map { change($0) } }
        return part
    }

    /// See `ImageMapping.movedEast`.
    func movedEast(metres: Double) -> EarthPart {
        var part = self
        part.seen = seen?.map { $0.movedEast(by: metres) }
        return part
    }

    /// A box in Mercator metres that contains the whole image: a small one, and cut from the world at a
    /// meridian that the image does not touch. If the image touches all meridians, the whole world.
    private static func map(around places: [Point], _ isShown: ([Point]) -> [Bool]) -> BoundingBox {
        let half = WebMercator.halfWorld
        func touches(_ points: [Point]) -> Bool { isShown(points).contains(true) }
        func meridian(_ x: Double) -> [Point] {
            (0...512).map { Point(x: x, y: half * (Double($0) / 256 - 1)) }
        }
        let gap = places.map(\.x).widestGap(turn: WebMercator.world)
        let cut = (gap.lowerBound + gap.upperBound) / 2
        if touches(meridian(cut)) { return BoundingBox(minX: -half, minY: -half, maxX: half, maxY: half) }
        let inTurn = places.map {
            Point(
                x: $0.x + WebMercator.world * ((cut - $0.x) / WebMercator.world).rounded(.up),
                y: min(max($0.y, -half), half))
        }
        let whole = BoundingBox(minX: cut, minY: -half, maxX: cut + WebMercator.world, maxY: half)
        guard let known = BoundingBox(around: inTurn) else { return whole }
        var margin = max(known.width, known.height, 1) / 4
        while true {
            guard let box = known.grown(by: margin).intersection(whole) else { return whole }
            let upright = [box.minX, box.maxX].flatMap(meridian)
            let level = [box.minY, box.maxY].filter { abs($0) < half }.flatMap { y in
                (0...512).map { Point(x: box.minX + box.width * Double($0) / 512, y: y) }
            }
            if !touches(upright + level) { return box }
            margin *= 2
        }
    }
}

extension ExactMapping {
    /// Whether points of the image are on the Earth: whether their coordinates have a longitude and a
    /// latitude that lead back to the same coordinates. Some projections have no place there; others go
    /// around the world a second time.
    func isOnEarth(_ pixels: [Point]) -> [Bool] {
        let (coordinates, places) = coordinatesThereAndBack(ofImage: pixels)
        return zip(coordinates, places).map { $0.distance(to: $1) <= coordinateTolerance }
    }

    /// Pixels of places in Mercator metres; (nan, nan) for a place that is not visible.
    ///
    /// Some projections also have coordinates for places behind the Earth; they lead back to a place in
    /// front.
    func seenImagePoints(ofMercator places: [Point]) -> [Point] {
        let (points, back) = imagePointsThereAndBack(ofMercator: places)
        return zip(points, zip(places, back)).map { point, way in
            let miss = way.1 - way.0
            let east = miss.x.nearest(to: 0, modulo: WebMercator.world)
            // If there is no way back (nan), the point is accepted.
            return max(abs(east), abs(miss.y)) > Self.wayBack ? .nowhere : point
        }
    }

    /// The most Mercator metres by which a visible place may be missed on the way there and back. They are
    /// less than a pixel of any image of a whole disk, but more than the error of approximate inverses near
    /// their centre.
    private static let wayBack = 2000.0

    /// The places of a lattice of pixels that are on the Earth, in Mercator metres: of 65 x 65 pixels, or of
    /// more if none of these is on the Earth.
    func placesOnEarth(within image: BoundingBox) -> [Point] {
        var places = pixelsOnEarth(within: image)
        mercatorPoints(ofImage: &places)
        return places.filter(\.isFinite)
    }

    /// The pixel in the middle of the pixels on the Earth; nil if there are none.
    func middlePixelOnEarth(width: Int, height: Int) -> Point? {
        let pixels = pixelsOnEarth(within: BoundingBox(width: width, height: height))
        if pixels.isEmpty { return nil }
        let middle = pixels.centroid
        return pixels.min { $0.distance(to: middle) < $1.distance(to: middle) }
    }

    private func pixelsOnEarth(within image: BoundingBox) -> [Point] {
        for steps in [64, 256, 1024] {
            let pixels = image.lattice(steps: steps)
            let found = zip(pixels, isOnEarth(pixels)).filter(\.1).map(\.0)
            if !found.isEmpty { return found }
        }
        return []
    }
}

extension BoundingBox {
    fileprivate func grown(by margin: Double) -> BoundingBox {
        BoundingBox(minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
    }
}

extension [Double] {
    /// The widest arc of a circle without any of the values.
    fileprivate func widestGap(turn: Double) -> ClosedRange<Double> {
        let values = map { $0 - turn * ($0 / turn).rounded(.down) }.sorted()
        guard let first = values.first else { return 0...turn }
        let widest = zip(values, values.dropFirst() + [first + turn]).max { $0.1 - $0.0 < $1.1 - $1.0 }
        return widest.map { $0.0...$0.1 } ?? first...first + turn
    }
}

extension [Point] {
    /// A ring whose points on the edges of a box are moved outwards.
    fileprivate func pushed(out box: BoundingBox, by distance: Double) -> [Point] {
        func pushed(_ value: Double, _ low: Double, _ high: Double) -> Double {
            value == low ? value - distance : value == high ? value + distance : value
        }
        return map {
            Point(x: pushed($0.x, box.minX, box.maxX), y: pushed($0.y, box.minY, box.maxY))
        }
    }

    /// The smallest convex ring around points (Andrew's monotone chain).
    fileprivate var convexHull: [Point] {
        func chain(_ points: some Sequence<Point>) -> [Point] {
            var chain: [Point] = []
            for point in points {
                while chain.count > 1,
                    (chain[chain.count - 1] - chain[chain.count - 2]).cross(point - chain[chain.count - 1])
                        <= 0
                {
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain.dropLast()
        }
        let sorted = sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        return chain(sorted) + chain(sorted.reversed())
    }
}
