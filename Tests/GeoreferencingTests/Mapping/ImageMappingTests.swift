import Platform
import Georeferencing
import TestSupport
import Testing
import Tiling

@Suite struct ImageMappingTests {
    /// An upright image in degrees.
    private func mapping(
        _ west: Double, _ south: Double, _ east: Double, _ north: Double, crs: CRS = .wgs84,
        width: Int = 1000, height: Int = 800
    ) throws -> ImageMapping {
        let box = BoundingBox(minX: west, minY: south, maxX: east, maxY: north)
        return try ImageMapping(
            .bounds(box, crs: crs, width: width, height: height), width: width, height: height)
    }

    @Test("an upright image in degrees is separable, its rows follow the latitude")
    func separableDegrees() throws {
        let mapping = try mapping(-10, 40, 10, 60)
        guard case .separable(let column, let row) = mapping.shape else {
            Issue.record("the shape is \(mapping.shape)")
            return
        }
        // mercantile.xy(5, 50)
        let place = Point(x: 556597.4539663679, y: 6446275.841017161)
        #expect(abs(column(place.x) - 750) < 1e-9)
        #expect(abs(row(place.y) - 400) < 1e-9)
        var points = [place]
        mapping.imagePoints(ofMercator: &points)
        #expect(points[0].distance(to: Point(x: 750, y: 400)) < 1e-9)
        mapping.mercatorPoints(ofImage: &points)
        #expect(points[0].distance(to: place) < 1e-6)
    }

    @Test(
        "in larger pixels an image stays in its place",
        arguments: [CRS.wgs84, .webMercator])
    func largerPixels(crs: CRS) throws {
        let mapping = try mapping(-10, 40, 10, 60, crs: crs)
        // A crop that begins three pixels to the right in squares of four.
        let change = AffineTransform(a: 0.25, b: 0, c: 0.75, d: 0, e: 0.25, f: 0.5)
        let larger = mapping.inPixels(change)
        #expect(larger.outline == mapping.outline)
        #expect((larger.columns, larger.rows) == (0.75...250.75, 0.5...200.5))
        #expect(abs(larger.mercatorCellSize / mapping.mercatorCellSize - 4) < 1e-12)
        for (corner, place) in zip(larger.lonLatCorners(), mapping.lonLatCorners()) {
            #expect(corner.distance(to: place) < 1e-9)
        }
        guard case .separable(let column, let row) = mapping.shape,
            case .separable(let largerColumn, let largerRow) = larger.shape
        else {
            Issue.record("the shape is \(larger.shape)")
            return
        }
        #expect(abs(largerColumn(300_000) - column(300_000) / 4 - 0.75) < 1e-9)
        #expect(abs(largerRow(6_000_000) - row(6_000_000) / 4 - 0.5) < 1e-9)
    }

    @Test("the fewest pixels along a tile's pixel are those of the coarser axis, at its worst place")
    func fewestPixels() throws {
        let matrix = TileMatrix(zoom: 10, tileSize: 256)
        // 1000 pixels across 20 degrees are fewer than 800 down 20 degrees at 60 degrees north,
        // where Mercator stretches both twice.
        let mapping = try mapping(-10, 40, 10, 60)
        let degrees = 360 / Double(matrix.pixelsPerEdge)
        #expect(abs(mapping.fewestPixels(inCell: matrix.cellSize) / (40 * degrees / 2) - 1) < 1e-3)
        let wide = try self.mapping(-10, -1, 10, 1)
        #expect(abs(wide.fewestPixels(inCell: matrix.cellSize) / (50 * degrees) - 1) < 1e-3)
    }

    @Test(
        "points of national grids agree with cs2cs to a millimetre",
        .needs("cs2cs"),
        arguments: [
            ("EPSG:27700", 530_000.0, 180_000.0, false), ("EPSG:2056", 2_600_000, 1_200_000, false),
            ("EPSG:32618", 585_000, 4_511_000, false), ("EPSG:3035", 4_321_000, 3_210_000, true),
            ("EPSG:2263", 990_000, 205_000, false), ("EPSG:31467", 3_500_000, 5_500_000, true),
            ("EPSG:2193", 1_570_000, 5_180_000, true), ("EPSG:3413", 500_000, -1_500_000, false),
        ])
    func nationalGrids(code: String, x: Double, y: Double, northingFirst: Bool) throws {
        let (width, height) = (5000, 4000)
        let transform = AffineTransform(a: 0.1, b: 0.02, c: x, d: 0.02, e: -0.1, f: y)
        let mapping = try ImageMapping(
            Georeference(crs: CRS(code), pixelToCRS: .affine(transform)),
            width: width, height: height)
        #expect(mapping.shape == .general)
        let pixels = [
            Point(x: 0, y: 0), Point(x: 5000, y: 0), Point(x: 5000, y: 4000), Point(x: 0, y: 4000),
            Point(x: 1234.5, y: 2345.6),
        ]
        // cs2cs keeps to the order of the authority.
        let input = pixels.map { transform($0) }
            .map { northingFirst ? "\($0.y) \($0.x)" : "\($0.x) \($0.y)" }
        let expected = try cs2cs(from: code, to: "EPSG:3857", input)
        var points = pixels
        mapping.mercatorPoints(ofImage: &points)
        for (point, place) in zip(points, expected) { #expect(point.distance(to: place) < 1e-3) }
        mapping.imagePoints(ofMercator: &points)
        // There and back through a datum shift costs a millimetre: the height is dropped between.
        for (point, pixel) in zip(points, pixels) { #expect(point.distance(to: pixel) < 2e-2) }
    }

    @Test(
        "degrees of another datum agree with cs2cs, also across the antimeridian",
        .needs("cs2cs"))
    func otherDatum() throws {
        // The Aleutians on NAD27: cs2cs EPSG:4267 EPSG:3857 of 51.8 179.6 and 51.8 -179.6.
        let expected = try cs2cs(
            from: "EPSG:4267", to: "EPSG:3857", ["51.8 179.6", "51.8 -179.6"])
        let mapping = try mapping(179.5, 51.7, -179.5, 51.9, crs: CRS("EPSG:4267"))
        var points = [Point(x: 100, y: 400), Point(x: 900, y: 400)]
        mapping.mercatorPoints(ofImage: &points)
        #expect(points[0].distance(to: expected[0]) < 1e-3)
        #expect(
            points[1].distance(to: Point(x: expected[1].x + WebMercator.world, y: expected[1].y))
                < 1e-3)
        mapping.imagePoints(ofMercator: &points)
        #expect(points[0].distance(to: Point(x: 100, y: 400)) < 1e-3)
        #expect(points[1].distance(to: Point(x: 900, y: 400)) < 1e-3)
    }

    @Test("threads that share a mapping get the same results as one")
    func threads() async throws {
        let transform = AffineTransform(a: 0.1, b: 0, c: 3_500_000, d: 0, e: -0.1, f: 5_200_000)
        let mapping = try ImageMapping(
            Georeference(crs: CRS("EPSG:31467"), pixelToCRS: .affine(transform)),
            width: 1000, height: 1000)
        let pixels = (0..<2000).map { Point(x: Double($0 % 100) * 10, y: Double($0 / 2)) }
        var alone = pixels
        mapping.mercatorPoints(ofImage: &alone)
        let results = await withTaskGroup(of: [Point].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var points = pixels
                    mapping.mercatorPoints(ofImage: &points)
                    return points
                }
            }
            return await group.reduce(into: [[Point]]()) { $0.append($1) }
        }
        #expect(results.count == 8 && results.allSatisfy { $0 == alone })
    }

    @Test("a datum shift states its accuracy")
    func datumAccuracy() throws {
        // projinfo -s EPSG:31467 -t EPSG:4326 lists no operation better than a metre without grids
        // that are not installed; WGS 84 needs no shift.
        let transform = AffineTransform(a: 1, b: 0, c: 3_500_000, d: 0, e: -1, f: 5_500_000)
        let shifted = try ImageMapping(
            Georeference(crs: CRS("EPSG:31467"), pixelToCRS: .affine(transform)),
            width: 100, height: 100)
        #expect((0.5...5).contains(try #require(shifted.datumAccuracy)))
        #expect(try mapping(5, 50, 6, 51).datumAccuracy == nil)
    }

    @Test("bounds across the antimeridian continue beyond the eastern edge of the world")
    func antimeridian() throws {
        // Fiji: mercantile.xy(177, -19), and mercantile.xy(-178, -16) one world further east.
        let mapping = try mapping(177, -19, -178, -16)
        let box = try #require(BoundingBox(around: mapping.outline))
        #expect(abs(box.minX - 19703549.87040942) < 1e-6)
        #expect(abs(box.maxX - (-19814869.36120272 + 40075016.685578488)) < 1e-6)
        #expect(abs(box.minY - -2154935.9150858927) < 1e-6)
        #expect(
            mapping.lonLatCorners().map { ($0.x * 1e9).rounded() / 1e9 } == [177, 182, 182, 177])
    }

    @Test(
        "an image written beyond the antimeridian starts within the world",
        arguments: [(190.0, 200.0, -170.0), (-200, -190, 160), (180, 190, -180), (-190, -170, 170)])
    func unwrapping(west: Double, east: Double, start: Double) throws {
        let mapping = try mapping(west, 0, east, 1)
        let box = try #require(BoundingBox(around: mapping.outline))
        #expect(abs(WebMercator.longitude(metres: box.minX) - start) < 1e-9)
        #expect(abs(WebMercator.longitude(metres: box.width) - (east - west)) < 1e-9)
    }

    @Test("a projected image across the antimeridian is one piece")
    func projectedAntimeridian() throws {
        // UTM zone 1 goes on west of 180 degrees; 60 km wide at 17 degrees south.
        let transform = AffineTransform(a: 60, b: 0, c: 150_000, d: 0, e: -60, f: 8_120_000)
        let mapping = try ImageMapping(
            Georeference(crs: CRS("EPSG:32701"), pixelToCRS: .affine(transform)),
            width: 1000, height: 1000)
        let box = try #require(BoundingBox(around: mapping.outline))
        #expect(box.minX < WebMercator.halfWorld && box.maxX > WebMercator.halfWorld)
        #expect(box.width < 70_000)
        var points = [Point(x: box.center.x, y: box.center.y)]
        mapping.imagePoints(ofMercator: &points)
        #expect(points[0].distance(to: Point(x: 500, y: 500)) < 5)
    }

    @Test("the world in degrees is clipped at the edges of the tiles' world")
    func wholeWorld() throws {
        let mapping = try mapping(-180, -90, 180, 90, width: 3600, height: 1800)
        let box = try #require(BoundingBox(around: mapping.outline))
        #expect(
            box
                == BoundingBox(
                    minX: -WebMercator.halfWorld, minY: -WebMercator.halfWorld,
                    maxX: WebMercator.halfWorld, maxY: WebMercator.halfWorld))
        var corner = [Point(x: -WebMercator.halfWorld, y: WebMercator.halfWorld)]
        mapping.imagePoints(ofMercator: &corner)
        #expect(abs(corner[0].y - (90 - 85.0511287798066) * 10) < 1e-9)
        // 0.1 degrees at the equator: 40075016.69 / 3600 m wide.
        #expect(abs(mapping.mercatorCellSize / 11131.949 - 1) < 1e-4)
    }

    @Test("an image around a pole gets the cap of the world down to its corners")
    func polarImage() throws {
        let transform = AffineTransform(
            a: 6000, b: 0, c: -3_000_000, d: 0, e: -6000, f: 3_000_000)
        let mapping = try ImageMapping(
            Georeference(crs: CRS("EPSG:3413"), pixelToCRS: .affine(transform)),
            width: 1000, height: 1000)
        let box = try #require(BoundingBox(around: mapping.outline))
        #expect(box.width == 2 * WebMercator.halfWorld && box.maxY == WebMercator.halfWorld)
        // cs2cs EPSG:3413 EPSG:4326 of 3000000 3000000: 52d12'42.3"N.
        #expect(abs(WebMercator.latitude(metres: box.minY) - 52.21175) < 1e-5)
    }

    @Test(
        "an image around a pole may reach beyond the equator",
        arguments: [("EPSG:6931", 1.0), ("EPSG:6932", -1.0)])
    func hemisphere(code: String, side: Double) throws {
        // The grid of EASE-Grid 2.0, whose edges touch the equator.
        let transform = AffineTransform(
            a: 25_000, b: 0, c: -9_000_000, d: 0, e: -25_000, f: 9_000_000)
        let mapping = try ImageMapping(
            Georeference(crs: CRS(code), pixelToCRS: .affine(transform)), width: 720, height: 720)
        let box = try #require(BoundingBox(around: mapping.outline))
        let (pole, far) = side > 0 ? (box.maxY, box.minY) : (box.minY, box.maxY)
        #expect(pole == side * WebMercator.halfWorld)
        // cs2cs EPSG:6931 EPSG:4326 of -9000000 9000000: 84.634050 south.
        #expect(abs(WebMercator.latitude(metres: far) + side * 84.634_050) < 1e-5)
    }

    @Test(
        "an image that is nowhere on the map is refused",
        arguments: [
            AffineTransform(a: 1, b: 0, c: 500_000, d: 0, e: -1, f: 5_000_000),
            AffineTransform(a: 0.001, b: 0, c: 0, d: 0, e: -0.001, f: 89),
            AffineTransform(a: 0, b: 0, c: 0, d: 0, e: -1, f: 0),
            AffineTransform(a: 0.1, b: 0.1, c: 0, d: 0.1, e: 0.1, f: 0),
            AffineTransform(a: .nan, b: 0, c: 0, d: 0, e: -1, f: 0),
            AffineTransform(a: 1, b: 0, c: 0, d: 0, e: .infinity, f: 0),
            AffineTransform(a: 1, b: 0, c: -200, d: 0, e: -0.1, f: 50),
        ])
    func nowhere(transform: AffineTransform) {
        let failure = #expect(throws: Failure.self) {
            try ImageMapping(
                Georeference(crs: .wgs84, pixelToCRS: .affine(transform)), width: 400, height: 300)
        }
        #expect(failure?.kind == .badInput)
    }

    @Test("a projected image off its projection's plane is refused", .long)
    func offProjection() throws {
        let transform = AffineTransform(a: 1, b: 0, c: 1e9, d: 0, e: -1, f: 1e9)
        let georeference = Georeference(crs: try CRS("EPSG:32632"), pixelToCRS: .affine(transform))
        #expect(throws: Failure.self) { try ImageMapping(georeference, width: 10, height: 10) }
    }

    @Test(
        "the size of a pixel on the ground is that of PROJ's geod",
        arguments: [
            // geod +ellps=WGS84 -I: a cell of 1e-5 degrees; north-south by east-west, rooted.
            (0.0, 1.109463), (30.0, 1.034202), (60.0, 0.788467), (-75.0, 0.567978),
        ])
    func groundCell(latitude: Double, metres: Double) throws {
        let mapping = try mapping(7, latitude - 0.004, 7.01, latitude + 0.004)
        #expect(abs(mapping.groundCellSize / metres - 1) < 2e-6)
    }

    @Test(
        "an image on the grid of a zoom has that zoom as its native one", arguments: [0, 7, 18, 22])
    func nativeZoom(zoom: Int) throws {
        let cell = TileMatrix(zoom: zoom, tileSize: 256).cellSize
        let transform = AffineTransform(a: cell, b: 0, c: 0, d: 0, e: -cell, f: 0)
        let mapping = try ImageMapping(
            Georeference(crs: .webMercator, pixelToCRS: .affine(transform)), width: 100, height: 100
        )
        #expect(abs(mapping.nativeZoom(tileSize: 256) - Double(zoom)) < 1e-12)
        #expect(abs(mapping.nativeZoom(tileSize: 512) - Double(zoom - 1)) < 1e-12)
    }

    @Test("a rotated image in Web Mercator is affine, with four corners for an outline")
    func rotated() throws {
        let transform = AffineTransform(a: 3, b: 4, c: 1000, d: 4, e: -3, f: 2000)
        let mapping = try ImageMapping(
            Georeference(crs: .webMercator, pixelToCRS: .affine(transform)), width: 100, height: 50)
        #expect(mapping.shape == .affine(try #require(transform.inverse)))
        #expect(
            mapping.outline == [
                Point(x: 1000, y: 2000), Point(x: 1300, y: 2400), Point(x: 1500, y: 2250),
                Point(x: 1200, y: 1850),
            ])
        #expect(mapping.mercatorCellSize == 5)
    }

    @Test("a world that is a rounding error too wide is one turn, and two turns are refused")
    func oneTurn() throws {
        let wide = AffineTransform(a: 0.1, b: 0, c: -180.000_000_1, d: 0, e: -0.1, f: 60)
        let mapping = try ImageMapping(
            Georeference(crs: .wgs84, pixelToCRS: .affine(wide)), width: 3601, height: 100)
        let box = try #require(BoundingBox(around: mapping.outline))
        #expect(box.minX == -WebMercator.halfWorld && box.maxX == WebMercator.halfWorld)
        #expect(throws: Failure.self) {
            try ImageMapping(
                Georeference(crs: .wgs84, pixelToCRS: .affine(wide)), width: 7200, height: 100)
        }
    }

    @Test("a chord of the outline deviates by less than a hundredth of a pixel")
    func chords() throws {
        let transform = AffineTransform(a: 30, b: 5, c: 400_000, d: 5, e: -30, f: 6_700_000)
        let mapping = try ImageMapping(
            Georeference(crs: CRS("EPSG:32632"), pixelToCRS: .affine(transform)),
            width: 3000, height: 2000)
        let ring = mapping.outline
        #expect(ring.count <= 4 * 256)
        var middles = ring.indices.map { index in
            let next = ring[(index + 1) % ring.count]
            return Point(x: (ring[index].x + next.x) / 2, y: (ring[index].y + next.y) / 2)
        }
        mapping.imagePoints(ofMercator: &middles)
        for pixel in middles {
            let miss = [pixel.x, pixel.y, pixel.x - 3000, pixel.y - 2000].map(abs).min() ?? 1
            #expect(miss < 0.01)
        }
    }

    @Test("a crop leaves the remaining pixels in their place")
    func crop() throws {
        let whole = try Georeference.bounds(
            BoundingBox(minX: 5, minY: 50, maxX: 6, maxY: 51), crs: .wgs84, width: 100, height: 100)
        let part = whole.applying(first: .translation(x: 30, y: 20))
        let (here, there) = (
            part.pixelToCRS(Point(x: 1, y: 2)), whole.pixelToCRS(Point(x: 31, y: 22))
        )
        #expect(here.distance(to: there) < 1e-12)
    }
}
