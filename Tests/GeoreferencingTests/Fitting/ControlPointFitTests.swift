import Platform
import Foundation
import Georeferencing
import TestSupport
import Testing
import Tiling

@Suite struct ControlPointFitTests {
    private func points(_ rows: [[Double]]) -> [ControlPoint] {
        rows.enumerated().map { index, row in
            ControlPoint(
                pixel: Point(x: row[0], y: row[1]), lonLat: Point(x: row[2], y: row[3]),
                name: "point \(index + 1)")
        }
    }

    private func places(_ fit: ControlPointFit, _ pixels: [Point]) throws -> [Point] {
        var points = pixels
        let mapping = try ImageMapping(fit.georeference, width: 4000, height: 3000)
        mapping.mercatorPoints(ofImage: &points)
        return points.map(WebMercator.lonLat)
    }

    /// Metres between two places in degrees, good to a promille over a few metres.
    private func metres(_ one: Point, _ other: Point) -> Double {
        let metresPerDegree = 111_195.0
        return Point(x: (one.x - other.x) * cos(one.y * .pi / 180), y: one.y - other.y)
            .distance(to: Point(x: 0, y: 0)) * metresPerDegree
    }

    @Test("two points 300 m apart at latitude 30 place a whole plan to 5 cm")
    func similarity() throws {
        // A plan of 0.1 m a pixel, turned by 20 degrees, laid out in another plane: PROJ's
        // proj -I +proj=tmerc +lat_0=30 +lon_0=31.2 +ellps=WGS84, 600 m away.
        let fit = try ControlPointFit(
            points([
                [500, 1500, 31.19373660574, 30.00218243764],
                [3500, 1500, 31.19665844028, 30.00125693525],
            ]), width: 4000, height: 3000)
        #expect(fit.model == .similarity)
        #expect(!fit.isMirrored)
        let expected = [
            (31.19378127434, 30.00360825255), (31.19767709682, 30.00237423387),
            (31.1966137316, 29.9998311208), (31.19271799531, 30.0010651085),
        ].map { Point(x: $0, y: $1) }
        let corners = [(0.0, 0.0), (4000, 0), (4000, 3000), (0, 3000)].map { Point(x: $0, y: $1) }
        for (place, truth) in zip(try places(fit, corners), expected) {
            #expect(metres(place, truth) < 0.05)
        }
        #expect(fit.rmsMetres < 1e-6)
        let mapping = try ImageMapping(fit.georeference, width: 4000, height: 3000)
        #expect(abs(mapping.groundCellSize - 0.1) < 1e-5)
    }

    @Test("a similarity is found from its points", arguments: [2, 3, 9])
    func knownSimilarity(count: Int) throws {
        let plane = LocalPlane(around: [Point(x: 31.2, y: 30)])
        // 0.15 m a pixel, up points to a bearing of 40 degrees.
        let (c, s) = (0.15 * cos(40 * Double.pi / 180), 0.15 * sin(40 * Double.pi / 180))
        let transform = AffineTransform(a: c, b: -s, c: 12, d: -s, e: -c, f: -7)
        let pixels = (0..<count).map { index -> Point in
            let (column, row) = (Double(index % 3), Double(index / 3))
            return Point(x: 200 + 1700 * column, y: 150 + 1300 * row)
        }
        var places = pixels.map { transform($0) }
        try CRSConversion(CRS(plane)).lonLat(of: &places)
        let fit = try ControlPointFit(
            zip(pixels, places).map { ControlPoint(pixel: $0, lonLat: $1, name: "") },
            model: .similarity, width: 4000, height: 3000)
        // Two conformal planes a few hundred metres apart differ by a tenth of a millimetre.
        #expect(fit.rmsMetres < 1e-4)
        #expect(abs(fit.metresPerPixel - 0.15) < 1e-6)
        guard case .affine(let found) = fit.pixelToPlane else {
            Issue.record("a similarity is affine")
            return
        }
        #expect(abs(found.a - c) < 2e-5 && abs(found.b + s) < 2e-5)
        #expect(found.a == -found.e && found.b == found.d)
    }

    /// Five points, the last a few metres off.
    private let clicked = [
        [120.5, 80.25, 8.5417, 47.3781], [3900, 210, 8.54655, 47.37795],
        [3800.5, 2850, 8.54645, 47.37565], [200, 2900.75, 8.54183, 47.37562],
        [2010, 1490, 8.54410, 47.37685],
    ]

    @Test("an affine fit is GDAL's, to a hundredth of a pixel")
    func affine() throws {
        // gdaltransform -order 1 on the same points in PROJ's tmerc around their centre.
        let fit = try ControlPointFit(points(clicked), width: 4000, height: 3000)
        #expect(fit.model == .affine)
        let expected = [
            (0.0, 0.0, 8.5415363772, 47.3781666726), (4000, 0, 8.5466687895, 47.3781388513),
            (4000, 3000, 8.5466994583, 47.3755122512), (0, 3000, 8.541567301, 47.3755400739),
            (1234.5, 678.9, 8.543127349, 47.3775637115),
        ]
        let found = try places(fit, expected.map { Point(x: $0.0, y: $0.1) })
        for (place, truth) in zip(found, expected) {
            // A pixel is 10 cm.
            #expect(metres(place, Point(x: truth.2, y: truth.3)) < 0.001)
        }
        let residuals = [
            0.789711903473446, 0.8425618503926294, 0.8252573422357543, 0.8210660823190715,
            2.3280937070696943,
        ]
        for (residual, metres) in zip(fit.residuals, residuals) {
            #expect(abs(residual.miss.metres - metres) < 1e-4)
        }
        #expect(abs(fit.rmsMetres - 1.2734814379150585) < 1e-4)
        #expect(fit.worst?.point.name == "point 5")
        #expect(abs(fit.rmsPixels / fit.rmsMetres - 10.3) < 0.2)
    }

    @Test("a point without which the others agree is suspected")
    func suspect() throws {
        let exact = [
            [0.0, 0.0, 8.54, 47.38], [1000, 0, 8.541, 47.38], [0, 1000, 8.54, 47.379],
            [1000, 1000, 8.541, 47.379], [300, 600, 8.5403, 47.3794], [700, 200, 8.5407, 47.3798],
        ]
        let clean = try ControlPointFit(points(exact), width: 1000, height: 1000)
        #expect(clean.suspect == nil)
        var wrong = exact
        wrong[4][3] = 47.3749
        let fit = try ControlPointFit(points(wrong), width: 1000, height: 1000)
        #expect(fit.suspect?.point.name == "point 5")
        // 47.3794 - 47.3749 degrees of latitude are 500 m.
        #expect(abs((fit.suspect?.leftOut?.metres ?? 0) - 500.3) < 0.5)
        #expect((fit.suspect?.miss.metres ?? 0) < 450)
    }

    @Test("with four points, one is known to be wrong, but not which one")
    func fourPoints() throws {
        let fit = try ControlPointFit(
            points([
                [0, 0, 8.54, 47.38], [1000, 0, 8.541, 47.38], [0, 1000, 8.54, 47.379],
                [1000, 1000, 8.542, 47.379],
            ]), width: 1000, height: 1000)
        #expect(fit.suspect == nil)
        #expect(fit.rmsMetres > 10)
        #expect(fit.residuals.allSatisfy { $0.leftOut != nil })
    }

    /// Points whose places are a known projective image of their pixels, in a plane of our choice.
    private func view(
        _ pixels: [Point], _ transform: ProjectiveTransform
    ) throws -> [ControlPoint] {
        let plane = LocalPlane(around: [Point(x: 8.54, y: 47.38)])
        var places = pixels.map { transform($0) }
        try CRSConversion(CRS(plane)).lonLat(of: &places)
        return zip(pixels, places).map { ControlPoint(pixel: $0, lonLat: $1, name: "") }
    }

    @Test("a projective fit finds the view that its points were made with", arguments: [4, 5, 9])
    func projective(count: Int) throws {
        let transform = ProjectiveTransform((0.1, 0.01, -50), (0.02, -0.12, 70), (1e-4, 2e-4, 1))
        let pixels = [
            (0.0, 0.0), (1000, 0), (1000, 800), (0, 800), (500, 300), (200, 700), (900, 350),
            (100, 400), (640, 620),
        ].map { Point(x: $0, y: $1) }
        let fit = try ControlPointFit(
            view(Array(pixels.prefix(count)), transform), model: .projective,
            width: 1000, height: 800)
        #expect(fit.rmsMetres < 1e-6)
        let expected = try view(pixels, transform).map(\.lonLat)
        for (place, truth) in zip(try places(fit, pixels), expected) {
            #expect(metres(place, truth) < 1e-5)
        }
        #expect(fit.worldFile == nil)
    }

    @Test("a projective fit of noisy points is at the minimum of the misses")
    func projectiveMinimum() throws {
        let transform = ProjectiveTransform((0.1, 0.01, -50), (0.02, -0.12, 70), (1e-4, 2e-4, 1))
        let pixels = [
            (0.0, 0.0), (1000, 0), (1000, 800), (0, 800), (500, 300), (200, 700), (900, 350),
        ].map { Point(x: $0, y: $1) }
        var points = try view(pixels, transform)
        for index in points.indices {
            points[index].pixel.x += Double(index * 7 % 5) * 3 - 6
            points[index].pixel.y -= Double(index * 11 % 7) * 2 - 6
        }
        let fit = try ControlPointFit(points, model: .projective, width: 1000, height: 800)
        guard case .projective(let best) = fit.pixelToPlane else {
            Issue.record("the fit is no projective one")
            return
        }
        let ground = fit.residuals.map {
            let image = best($0.point.pixel)
            return Point(x: image.x - $0.miss.groundOffset.x, y: image.y - $0.miss.groundOffset.y)
        }
        func squares(_ transform: ProjectiveTransform) -> Double {
            zip(points, ground).reduce(0) { sum, pair in
                let miss = transform(pair.0.pixel).distance(to: pair.1)
                return sum + miss * miss
            }
        }
        let least = squares(best)
        #expect(least > 0.1)
        for change in [1 + 1e-5, 1 - 1e-5] {
            for entry in [\ProjectiveTransform.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h] {
                var other = best
                other[keyPath: entry] *= change
                #expect(squares(other) >= least * (1 - 1e-9))
            }
        }
    }

    @Test("a fit whose horizon would cross the image is refused")
    func horizon() throws {
        let transform = ProjectiveTransform((0.1, 0.01, -50), (0.02, -0.12, 70), (-1e-3, 0, 1))
        let points = try view(
            [(0.0, 0.0), (800, 0), (800, 800), (0, 800)].map { Point(x: $0, y: $1) }, transform)
        #expect(throws: Never.self) {
            try ControlPointFit(points, model: .projective, width: 900, height: 800)
        }
        let failure = #expect(throws: Failure.self) {
            try ControlPointFit(points, model: .projective, width: 1100, height: 800)
        }
        #expect(failure?.message.contains("horizon") == true)
    }

    @Test("an affine fit of interchanged points is recognised as mirrored; a similarity never is")
    func mirrored() throws {
        let swapped = points([
            [0, 0, 8.541, 47.38], [1000, 0, 8.54, 47.38], [0, 1000, 8.541, 47.379],
        ])
        #expect(try ControlPointFit(swapped, width: 1000, height: 1000).isMirrored)
        let similarity = try ControlPointFit(
            swapped, model: .similarity, width: 1000, height: 1000)
        #expect(!similarity.isMirrored)
    }

    @Test(
        "points that do not determine a transform are refused",
        arguments: [
            (TransformModel?.none, [[0.0, 0.0, 8.0, 47.0]], "but there is 1"),
            (nil, [], "but there are 0"),
            (.affine, [[0, 0, 8, 47], [9, 9, 8.1, 47.1]], "needs 3"),
            (.projective, [[0, 0, 8, 47], [9, 9, 8.1, 47.1], [9, 0, 8.1, 47]], "needs 4"),
            (nil, [[5, 5, 8, 47], [5, 5, 8.1, 47.1]], "same pixel: point 1 and point 2"),
            (nil, [[5, 5, 8, 47], [50, 5, 8, 47]], "same place: point 1 and point 2"),
            (nil, [[0, 0, 8, 47], [10, 10, 8.1, 47.1], [20, 20, 8.2, 47]], "line on the image"),
            (nil, [[0, 0, 8, 47], [10, 10, 8, 47.1], [20, 0, 8, 47.2]], "line on the ground"),
            (
                .projective,
                [[0, 0, 8, 47], [10, 0, 8.1, 47], [20, 0, 8.2, 47], [0, 10, 8, 46.9]], "line"
            ),
        ])
    func refused(model: TransformModel?, rows: [[Double]], reason: String) {
        let failure = #expect(throws: Failure.self) {
            try ControlPointFit(points(rows), model: model, width: 100, height: 100)
        }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    }

    @Test("disabled points take no part")
    func disabled() throws {
        var all = points(clicked)
        all[4].isEnabled = false
        let fit = try ControlPointFit(all, width: 4000, height: 3000)
        #expect(fit.residuals.map(\.point.name) == ["point 1", "point 2", "point 3", "point 4"])
    }

    @Test("points on both sides of the antimeridian are neighbours")
    func antimeridian() throws {
        let fit = try ControlPointFit(
            points([
                [0, 0, 179.999, -16.999], [1000, 0, -179.999, -16.999],
                [0, 1000, 179.999, -17.001],
            ]), width: 1000, height: 1000)
        #expect(fit.rmsMetres < 1e-6)
        let mapping = try ImageMapping(fit.georeference, width: 1000, height: 1000)
        #expect(mapping.groundCellSize < 0.3)
        let box = try #require(BoundingBox(around: mapping.outline))
        #expect(box.minX < WebMercator.halfWorld && box.maxX > WebMercator.halfWorld)
    }

    @Test("the world file of a fit, with its .prj, places the image where the fit does")
    func worldFile() throws {
        let fit = try ControlPointFit(points(clicked), width: 4000, height: 3000)
        let directory = try TemporaryDirectory()
        let path = try directory.write(try #require(fit.worldFile).text, to: "plan.pgw")
        _ = try directory.write(fit.georeference.crs.esriWKT(), to: "plan.prj")
        let read = try ImageMapping(
            Georeference.worldFile(at: path, crs: nil), width: 4000, height: 3000)
        let corners = [(0.0, 0.0), (4000, 0), (4000, 3000), (0, 3000)].map { Point(x: $0, y: $1) }
        for (one, other) in zip(read.lonLatCorners(), try places(fit, corners)) {
            #expect(metres(one, other) < 1e-4)
        }
    }
}

@Suite struct ControlPointTests {
    @Test("a control point is written COL,ROW,LON,LAT")
    func parsing() throws {
        let point = try ControlPoint(parsing: "120.5,80, -8.5417 ,47.3769")
        #expect(point.pixel == Point(x: 120.5, y: 80))
        #expect(point.lonLat == Point(x: -8.5417, y: 47.3769))
        #expect(point.isEnabled)
    }

    @Test(
        "anything else is refused with the typed text",
        arguments: ["", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,nan", "1,2,8.5,95", "1;2;3;4"])
    func refused(text: String) {
        let failure = #expect(throws: Failure.self) { try ControlPoint(parsing: text) }
        #expect(failure?.kind == .usage)
        #expect(failure?.message.contains("'\(text)'") == true)
    }
}
