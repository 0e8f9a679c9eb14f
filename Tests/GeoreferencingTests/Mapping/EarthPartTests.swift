import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Georeferencing

/// The part of an image that is on the Earth, against the geometry of spheres.
@Suite struct EarthPartTests {
    private static let radius = 6_371_000.0

    private func mapping(
        _ crs: String, halfWidth: Double, halfHeight: Double, width: Int = 1000, height: Int = 1000
    ) throws -> ImageMapping {
        let box = BoundingBox(minX: -halfWidth, minY: -halfHeight, maxX: halfWidth, maxY: halfHeight)
        return try ImageMapping(
            .bounds(box, crs: CRS(crs), width: width, height: height), width: width, height: height)
    }

    @Test("a geostationary satellite sees the Earth up to the angle whose cosine is R / (R + h)", .long)
    func geostationary() throws {
        let height = 35_785_831.0
        let mapping = try mapping(
            "+proj=geos +h=\(height) +lon_0=140 +R=\(Self.radius)", halfWidth: 5_500_000,
            halfHeight: 5_500_000)
        let angle = acos(Self.radius / (Self.radius + height)) * 180 / .pi
        let box = mapping.lonLatBounds
        for (edge, expected) in [
            (box.minX, 140 - angle), (box.maxX, 140 + angle), (box.minY, -angle), (box.maxY, angle),
        ] {
            #expect(abs(edge - expected) < 0.01, "\(edge) is not \(expected)")
        }
        // Coordinates are angles of sight times the height, 11 km to a pixel; a line of sight touches the sphere
        // at asin(R / (R + h)).
        let disk = height * asin(Self.radius / (Self.radius + height)) / 11_000
        let pixels = try #require(mapping.earth?.pixels)
        #expect(pixels.count == 1)
        let around = try #require(BoundingBox(around: pixels[0]))
        for (edge, expected) in [(around.minX, 500 - disk), (around.maxY, 500 + disk)] {
            #expect(abs(edge - expected) < 0.05, "\(edge) is not \(expected)")
        }
        #expect(mapping.lonLatCorners().allSatisfy { !$0.isFinite })
    }

    @Test(
        "an orthographic image shows a half of the Earth",
        arguments: [(0.0, 0.0, -90.0, 90.0), (0, 170, 80, 260), (90, 0, -180, 180), (-30, 20, -180, 180)]
            .some(1))
    func orthographic(latitude: Double, longitude: Double, west: Double, east: Double) throws {
        let mapping = try mapping(
            "+proj=ortho +lat_0=\(latitude) +lon_0=\(longitude) +R=\(Self.radius)", halfWidth: 6_400_000,
            halfHeight: 6_400_000)
        let box = mapping.lonLatBounds
        #expect(abs(box.minX - west) < 0.01 && abs(box.maxX - east) < 0.01)
        // Half a turn beyond the middle, the limb lies as far from the nearer pole as the middle from the
        // equator.
        let (south, north) = (
            latitude > 0 ? latitude - 90 : -WebMercator.maximumLatitude,
            latitude < 0 ? latitude + 90 : WebMercator.maximumLatitude
        )
        #expect(abs(box.minY - max(south, -WebMercator.maximumLatitude)) < 0.01)
        #expect(abs(box.maxY - min(north, WebMercator.maximumLatitude)) < 0.01)
        #expect(mapping.columnsPerTurn == nil)
    }

    @Test(
        "Mollweide's world is an ellipse with half axes of twice the root of 2, and half of it, radii", .long)
    func mollweide() throws {
        let mapping = try mapping(
            "+proj=moll +R=\(Self.radius)", halfWidth: 18_100_000, halfHeight: 9_100_000, width: 1448,
            height: 728)
        let earth = try #require(mapping.earth)
        // All of the world can be seen.
        #expect(earth.seen == nil)
        let box = try #require(BoundingBox(around: mapping.outline))
        #expect(box.minX == -WebMercator.halfWorld && box.maxX == WebMercator.halfWorld)
        #expect(box.minY == -WebMercator.halfWorld && box.maxY == WebMercator.halfWorld)
        let axis = 2 * 2.0.squareRoot() * Self.radius / 25_000
        let area = earth.pixels.reduce(0) { $0 + abs($1.signedArea) }
        #expect(abs(area / (.pi * axis * axis / 2) - 1) < 1e-3)
        // Its longest row leads around the world, and no other does.
        #expect(mapping.columnsPerTurn == nil)
    }

    @Test(
        "corners of a Robinson world, which PROJ takes for places on its other side, are not on the Earth",
        .long)
    func robinson() throws {
        let mapping = try mapping(
            "+proj=robin +datum=WGS84", halfWidth: 17_100_000, halfHeight: 8_700_000, width: 684, height: 348)
        #expect(mapping.earth != nil)
        #expect(mapping.lonLatCorners().allSatisfy { !$0.isFinite })
    }

    @Test(
        "an image of a part of the disk keeps its corners that are on the Earth, near its other places", .long
    )
    func sector() throws {
        let box = BoundingBox(minX: -5_500_000, minY: 2_000_000, maxX: 1_000_000, maxY: 5_500_000)
        let mapping = try ImageMapping(
            .bounds(
                box, crs: CRS("+proj=geos +h=35785831 +lon_0=-75 +sweep=x +datum=WGS84"), width: 1300,
                height: 700), width: 1300, height: 700)
        let corners = mapping.lonLatCorners()
        #expect(corners.map(\.isFinite) == [false, false, true, false])
        // By cs2cs of PROJ 9.1.
        #expect(corners[2].distance(to: Point(x: -65.34911942, y: 18.63846476)) < 1e-7)
        #expect(mapping.lonLatBounds.minX > -160 && mapping.lonLatBounds.maxX < -20)
        var back = [WebMercator.metres(corners[2])]
        mapping.imagePoints(ofMercator: &back)
        #expect(back[0].distance(to: Point(x: 1300, y: 700)) < 1e-3)
    }

    @Test("a strip across the pole shows two sides of the Earth, with a footprint around both")
    func twoSides() throws {
        let mapping = try mapping(
            "+proj=ortho +lat_0=90 +lon_0=0 +R=\(Self.radius)", halfWidth: 6_400_000, halfHeight: 400_000,
            width: 1280, height: 80)
        let seen = try #require(mapping.earth?.seen)
        #expect(seen.count == 2)
        // At the map's last parallel, which is wider than the strip, its edges are this far from the
        // meridians of 90 degrees.
        let parallel = Self.radius * cos(WebMercator.maximumLatitude * .pi / 180)
        let angle = asin(400_000 / parallel) * 180 / .pi
        let box = mapping.lonLatBounds
        #expect(abs(box.maxX - box.minX - (180 + 2 * angle)) < 0.1)
        #expect(abs(box.minY) < 0.1, "\(box)")
        #expect(abs(box.maxY - WebMercator.maximumLatitude) < 0.1)
        // The footprint turns only one way.
        let ring = mapping.outline
        let turns = ring.indices.map { index in
            let (here, next) = (ring[(index + 1) % ring.count], ring[(index + 2) % ring.count])
            return (here - ring[index]).cross(next - here)
        }
        #expect(turns.allSatisfy { $0 > 0 })
        let moved = mapping.movedEast(turns: 1)
        for (old, new) in zip(seen, try #require(moved.earth?.seen)) {
            #expect(zip(old, new).allSatisfy { abs($1.x - $0.x - WebMercator.world) < 1e-6 && $0.y == $1.y })
        }
    }

    @Test(
        "images that are entirely on the Earth have no such part",
        arguments: ["EPSG:32632", "EPSG:3035", "EPSG:4269"])
    func wholeImages(crs: String) throws {
        let corner = crs == "EPSG:4269" ? Point(x: -90, y: 40) : Point(x: 4_000_000, y: 3_000_000)
        let place = crs == "EPSG:32632" ? Point(x: 500_000, y: 5_400_000) : corner
        let cell = crs == "EPSG:4269" ? 0.001 : 10.0
        let mapping = try ImageMapping(
            Georeference(
                crs: CRS(crs),
                pixelToCRS: .affine(AffineTransform(a: cell, b: 0, c: place.x, d: 0, e: -cell, f: place.y))),
            width: 100, height: 100)
        #expect(mapping.earth == nil)
    }

    @Test("an image that shows only space is nowhere on the map", .long)
    func space() {
        let box = BoundingBox(minX: 5_000_000, minY: 5_000_000, maxX: 6_000_000, maxY: 6_000_000)
        let failure = #expect(throws: Failure.self) {
            try ImageMapping(
                .bounds(box, crs: CRS("+proj=geos +h=35785831 +datum=WGS84"), width: 50, height: 50),
                width: 50, height: 50)
        }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains("is nowhere on the map") == true)
    }
}

/// Regions that are traced on a lattice, against areas that are known.
@Suite struct TracedRegionTests {
    private static let box = BoundingBox(minX: -10, minY: -10, maxX: 10, maxY: 10)

    private func rings(_ holds: (Point) -> Bool) -> [[Point]] {
        TracedRegion(in: Self.box) { $0.map(holds) }.rings
    }

    @Test("a disk is one ring on its circle")
    func disk() {
        let centre = Point(x: 1, y: -2)
        let rings = rings { $0.distance(to: centre) <= 3 }
        #expect(rings.count == 1)
        #expect(rings[0].allSatisfy { abs($0.distance(to: centre) - 3) < 1e-6 })
        #expect(abs(abs(rings[0].signedArea) - 9 * .pi) < 1e-3)
    }

    @Test("holes and separate parts are separate rings, and holes run the other way")
    func holes() {
        let rings = rings { point in
            let distance = point.distance(to: Point(x: -4, y: 0))
            return distance <= 4 && distance >= 2 || point.distance(to: Point(x: 6, y: 5)) <= 1
        }
        #expect(rings.count == 3)
        let area = abs(rings.reduce(0) { $0 + $1.signedArea })
        #expect(abs(area - (16 - 4 + 1) * .pi) < 1e-2)
    }

    @Test("a region that continues beyond the box ends exactly at its edges, with its corners", .long)
    func edges() {
        let rings = rings { $0.x + $0.y <= 0 }
        #expect(rings.count == 1)
        #expect(abs(abs(rings[0].signedArea) - 200) < 1e-3)
        // Corners are where edges meet, and not where a lattice cuts them.
        for corner in [Point(x: -10, y: -10), Point(x: -10, y: 10), Point(x: 10, y: -10)] {
            #expect(rings[0].contains { $0.distance(to: corner) < 1e-3 })
        }
        #expect(TracedRegion(in: Self.box) { $0.map { _ in true } }.isWhole)
        #expect(TracedRegion(in: Self.box) { $0.map { _ in false } }.rings.isEmpty)
    }

    @Test("a turned square has its corners")
    func corners() {
        let turn = (cos(0.3), sin(0.3))
        let rings = rings { point in
            max(
                abs(point.x * turn.0 + point.y * turn.1), abs(point.y * turn.0 - point.x * turn.1)) <= 3
        }
        #expect(rings.count == 1)
        #expect(abs(abs(rings[0].signedArea) - 36) < 1e-4)
        for (x, y) in [(3.0, 3.0), (3, -3), (-3, -3), (-3, 3)] {
            let corner = Point(x: x * turn.0 - y * turn.1, y: x * turn.1 + y * turn.0)
            #expect(rings[0].contains { $0.distance(to: corner) < 1e-3 }, "\(corner)")
        }
    }

    @Test("squares that touch at a corner are one part")
    func saddle() {
        // Between two nodes of the lattice, whose cells have 20 / 512.
        let rings = rings { ($0.x < 0.01) == ($0.y < 0.01) }
        #expect(rings.count == 1)
        #expect(abs(abs(rings.reduce(0) { $0 + $1.signedArea }) - 200) < 0.1)
    }
}

extension ImageMapping {
    /// The box around the footprint in degrees.
    fileprivate var lonLatBounds: BoundingBox {
        BoundingBox(around: outline.map(WebMercator.lonLat))
            ?? BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
    }
}

extension [Point] {
    fileprivate var signedArea: Double {
        indices.reduce(0) { sum, index in
            let (here, next) = (self[index], self[(index + 1) % count])
            return sum + (here.x * next.y - next.x * here.y) / 2
        }
    }
}
