import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Georeferencing

/// Points of a scan of 4000 x 3000 pixels, 0.1 m each, turned by 12 degrees, whose paper has warped by
/// up to 40 pixels, and which was clicked 2 pixels off.
private let warped = [
    [120.5, 80.25, 8.54208541, 47.37839096], [2050, 60.5, 8.54454967, 47.37806954],
    [3900, 210, 8.54701041, 47.37761239], [3950, 1480, 8.5466736, 47.37645652],
    [3800.5, 2850, 8.54605273, 47.37527131], [1990.75, 2930, 8.54372925, 47.37554785],
    [200, 2900.75, 8.54142706, 47.37593953], [90, 1510, 8.54165027, 47.37715274],
    [2010, 1490, 8.54410827, 47.37679742], [1020, 800, 8.54300196, 47.37759261],
    [3010, 760.5, 8.54565112, 47.37727136], [2980, 2240, 8.54518585, 47.37595393],
    [1100, 2190.25, 8.54274842, 47.37637108],
]

private func points(_ rows: [[Double]]) -> [ControlPoint] {
    rows.enumerated().map { index, row in
        ControlPoint(
            pixel: Point(x: row[0], y: row[1]), lonLat: Point(x: row[2], y: row[3]),
            name: "point \(index + 1)")
    }
}

private func fit(_ rows: [[Double]], _ model: TransformModel) throws -> ControlPointFit {
    try ControlPointFit(points(rows), model: model, width: 4000, height: 3000)
}

@Suite struct CurvedFitTests {
    /// Places, and the pixels that GDAL 3.6.2 finds for them. The points above were brought into the
    /// plane around them by PROJ's `proj +proj=tmerc +lat_0=47.376802 +lon_0=8.544144 +ellps=WGS84`,
    /// became the `-gcp`s of a file by `gdal_translate`, and the places, in the same plane, pixels by
    /// `gdaltransform -i -order 2` and `gdaltransform -i -tps`.
    static let gdal: [(TransformModel, [[Double]])] = [
        (
            .polynomial2,
            [
                [8.5419224, 47.3784937, -9.1604, -6.1854],
                [8.5471035, 47.3777456, 3939.0452, 61.1210],
                [8.5462774, 47.3751063, 3982.7325, 2993.8911],
                [8.5410966, 47.3758543, -43.5261, 3060.5009],
                [8.5433346, 47.3776656, 1235.0526, 672.7801],
                [8.544767, 47.3763359, 2598.6924, 1893.2291],
                [8.5461254, 47.3767834, 3477.7587, 1208.1366],
                [8.5418349, 47.3764833, 381.5186, 2219.7591],
            ]
        ),
        (
            .tps,
            [
                [8.5419224, 47.3784937, -29.1022, -4.8507],
                [8.5471035, 47.3777456, 3935.6409, 54.4110],
                [8.5462774, 47.3751063, 4008.4427, 2995.7403],
                [8.5410966, 47.3758543, -29.1472, 3050.5130],
                [8.5433346, 47.3776656, 1252.2026, 669.2165],
                [8.544767, 47.3763359, 2585.5474, 1890.2089],
                [8.5461254, 47.3767834, 3467.5015, 1211.4128],
                [8.5418349, 47.3764833, 386.3606, 2224.5538],
            ]
        ),
    ]

    @Test("a curved fit finds the pixels that GDAL finds", arguments: gdal)
    func likeGDAL(model: TransformModel, rows: [[Double]]) throws {
        let mapping = try ImageMapping(
            fit(warped, model).georeference, width: 4000, height: 3000)
        var places = rows.map { WebMercator.metres(Point(x: $0[0], y: $0[1])) }
        mapping.imagePoints(ofMercator: &places)
        for (pixel, row) in zip(places, rows) {
            #expect(pixel.distance(to: Point(x: row[2], y: row[3])) < 0.01)
        }
    }

    @Test(
        "misses, even leave-one-out misses, are those of SciPy and NumPy",
        arguments: [
            (
                // hypot(*(H @ pixels - pixels).T) with H = A @ pinv(A) of the terms in the plane.
                TransformModel.polynomial2,
                [
                    16.2627, 19.4944, 6.7028, 1.4693, 18.6111, 22.0308, 9.3678, 2.7682, 5.0767,
                    15.0178, 11.0986, 13.7418, 6.8014,
                ],
                // The same divided by 1 - diag(H).
                [
                    63.9926, 39.3577, 23.4497, 2.8025, 60.6321, 40.4626, 33.325, 5.2526, 7.2777,
                    19.5397, 14.4392, 17.8033, 8.7847,
                ]
            ),
            (
                .tps, [Double](repeating: 0, count: 13),
                // RBFInterpolator(plane[others], pixels[others], kernel="thin_plate_spline").
                [
                    25.1816, 23.3519, 33.8021, 5.1571, 32.0542, 20.7683, 19.1406, 9.3232, 6.8973,
                    10.5572, 6.894, 7.3778, 9.916,
                ]
            ),
        ])
    func misses(model: TransformModel, residuals: [Double], leftOut: [Double]) throws {
        let fit = try fit(warped, model)
        for (index, residual) in fit.residuals.enumerated() {
            #expect(abs(residual.miss.pixels - residuals[index]) < 1e-3)
            let miss = try #require(residual.leftOut)
            #expect(abs(miss.pixels - leftOut[index]) < 1e-3)
            // A pixel is 10 cm; the scan is bent by a few per cent.
            #expect(abs(miss.metres / miss.pixels - 0.1) < 0.008)
        }
        #expect(fit.worldFile == nil)
    }

    @Test(
        "from pixel to place and back is the identity everywhere on the image",
        arguments: [TransformModel.polynomial2, .tps])
    func roundTrip(model: TransformModel) throws {
        let mapping = try ImageMapping(
            fit(warped, model).georeference, width: 4000, height: 3000)
        let pixels = (0...20).flatMap { row in
            (0...20).map { Point(x: 200 * Double($0), y: 150 * Double(row)) }
        }
        var points = pixels
        mapping.mercatorPoints(ofImage: &points)
        mapping.imagePoints(ofMercator: &points)
        for (pixel, back) in zip(pixels, points) { #expect(pixel.distance(to: back) < 1e-5) }
    }

    @Test(
        "a curved transform follows a crop, a turn and larger pixels", arguments: [true, false])
    func composition(isSpline: Bool) throws {
        let transform = try fit(warped, isSpline ? .tps : .polynomial2).pixelToPlane
        let turn = AffineTransform(a: 0, b: 1, c: 30, d: -1, e: 0, f: 2900)
        let pixel = Point(x: 700, y: 1100)
        let (turned, moved) = (transform.preceded(by: turn), transform.followed(by: turn))
        #expect(turned(pixel).distance(to: transform(turn(pixel))) < 1e-8)
        #expect(moved(pixel).distance(to: turn(transform(pixel))) < 1e-8)
        let (back, place) = (try #require(turned.inverse), transform(turn(pixel)))
        #expect(back(place).distance(to: pixel) < 1e-6)
        let scaled = back.followed(by: AffineTransform(a: 0.5, b: 0, c: 3, d: 0, e: 0.5, f: 4))
        #expect(scaled(place).distance(to: Point(x: 353, y: 554)) < 1e-6)
        let shifted = back.preceded(by: .translation(x: 10, y: -20))
        #expect(shifted(Point(x: place.x - 10, y: place.y + 20)).distance(to: pixel) < 1e-6)
    }

    @Test("the finest place of a spline is found, even inside the image")
    func finestPlace() throws {
        // Around the centre, pixels are 1.8 times as large on the ground as at the edges.
        let rows = (0..<81).map { index -> [Double] in
            let (x, y) = (500 * Double(index % 9), 375 * Double(index / 9))
            let (u, v) = ((x - 2000) / 2000, (y - 1500) / 2000)
            let growth = 1 + 0.8 * exp(-8 * (u * u + v * v))
            return [x, y, 8.54 + 2e-3 * growth * u, 47.38 - 1.35e-3 * growth * v]
        }
        let mapping = try ImageMapping(fit(rows, .tps).georeference, width: 4000, height: 3000)
        let matrix = TileMatrix(zoom: 20, tileSize: 256)
        func pixels(at pixel: Point) -> Double {
            var places = [pixel]
            mapping.mercatorPoints(ofImage: &places)
            let here = places[0]
            var points = [here, Point(x: here.x + matrix.cellSize, y: here.y)]
            mapping.imagePoints(ofMercator: &points)
            return points[0].distance(to: points[1])
        }
        let fewest = mapping.fewestPixels(inCell: matrix.cellSize)
        #expect(fewest < 1.05 * pixels(at: Point(x: 2000, y: 1500)))
        #expect(fewest < 0.75 * pixels(at: Point(x: 10, y: 1500)))
    }

    @Test("three points make a spline an affine transform")
    func flatSpline() throws {
        let rows = Array(warped.prefix(5))
        let corners = [rows[0], rows[2], rows[4]]
        let mappings = try [TransformModel.tps, .affine].map {
            try ImageMapping(fit(corners, $0).georeference, width: 4000, height: 3000)
        }
        for (one, other) in zip(mappings[0].lonLatCorners(), mappings[1].lonLatCorners()) {
            #expect(one.distance(to: other) < 1e-10)
        }
    }

    @Test("an outline follows edges that are bent, to a hundredth of a pixel")
    func outline() throws {
        let mapping = try ImageMapping(fit(warped, .tps).georeference, width: 4000, height: 3000)
        for index in mapping.outline.indices {
            let (here, next) = (
                mapping.outline[index], mapping.outline[(index + 1) % mapping.outline.count]
            )
            var middle = [Point(x: (here.x + next.x) / 2, y: (here.y + next.y) / 2)]
            mapping.imagePoints(ofMercator: &middle)
            let (x, y) = (middle[0].x, middle[0].y)
            #expect(min(abs(x), abs(x - 4000), abs(y), abs(y - 3000)) < 0.02)
        }
    }

    @Test(
        "a mistyped digit is found among warped points",
        arguments: [TransformModel.polynomial2, .tps])
    func suspect(model: TransformModel) throws {
        #expect(try fit(warped, model).suspect == nil)
        var wrong = warped
        wrong[9][3] += 0.0006
        let fit = try fit(wrong, model)
        #expect(fit.suspect?.point.name == "point 10")
        // 0.0006 degrees of latitude are 66.7 m.
        #expect(abs((fit.suspect?.leftOut?.metres ?? 0) - 66.7) < 3)
    }

    @Test("a fit that folds the image is refused, and the points that fold it are named")
    func folds() throws {
        var crossed = warped
        (crossed[8][2], crossed[9][2]) = (warped[9][2], warped[8][2])
        (crossed[8][3], crossed[9][3]) = (warped[9][3], warped[8][3])
        let failure = #expect(throws: Failure.self) { try fit(crossed, .tps) }
        #expect(failure?.kind == .badInput)
        #expect(
            failure?.message.contains("'point 9' and 'point 10' are probably swapped") == true)
        #expect(throws: Never.self) { try fit(crossed, .polynomial2) }
        // A digit is wrong by so much that the image folds, which is seen elsewhere: between its
        // neighbours.
        var wrong = warped
        wrong[9][2] += 0.002
        let second = #expect(throws: Failure.self) { try fit(wrong, .tps) }
        #expect(second?.message.contains("'point 10' is probably wrong") == true)
    }

    @Test("corners beyond the points are checked for folds, unless they are cropped off")
    func extrapolation() throws {
        // Points in the middle, bent so much that the polynomial turns back left of column 1000.
        var rows: [[Double]] = []
        for x in [1400.0, 2000, 2600] {
            for y in [1000.0, 1500, 2000] {
                let (u, v) = ((x - 2000) / 1000, (y - 1500) / 1000)
                rows.append([x, y, 8.54 + 0.001 * (u - 0.55 * u * u), 47.38 - 0.0007 * v])
            }
        }
        let failure = #expect(throws: Failure.self) { try fit(rows, .polynomial2) }
        #expect(failure?.message.contains("folds the image over itself near column") == true)
        #expect(failure?.remedy?.contains("--crop") == true)
        let crop = PixelWindow(columns: 1400..<2600, rows: 900..<2100)
        #expect(throws: Never.self) {
            try ControlPointFit(
                points(rows), model: .polynomial2, width: 4000, height: 3000, crop: crop)
        }
    }

    @Test("a polynomial that folds the image in a narrow cusp is refused")
    func cusp() throws {
        // Both sides of the cusp are seen, at the left edge near row 90, and none of 1024 pixels
        // along the edges, nor of a grid of 33 by 33, lies in it.
        let rows: [[Double]] = [
            [772.409040, 7.948510, 8.540828825, 47.379993502],
            [936.144800, 128.287931, 8.540785616, 47.379787458],
            [107.592555, 366.716595, 8.539943933, 47.379659013],
            [940.584204, 240.419644, 8.540741586, 47.379700992],
            [567.471766, 285.491229, 8.540574537, 47.379800266],
            [289.002847, 56.337993, 8.540370783, 47.380042012],
            [185.886754, 291.459482, 8.540097122, 47.379763646],
            [819.379743, 404.670265, 8.540708430, 47.379657677],
            [492.994477, 135.708678, 8.540564191, 47.379945674],
            [169.554111, 478.899808, 8.540055101, 47.379593938],
            [924.307228, 685.021053, 8.540829857, 47.379524323],
            [821.253403, 142.327034, 8.540761850, 47.379840054],
            [570.019741, 373.571433, 8.540566546, 47.379734422],
            [373.865918, 564.133440, 8.540382151, 47.379602942],
            [969.259546, 774.163096, 8.540897628, 47.379499982],
            [207.186142, 552.484800, 8.540128487, 47.379556840],
        ]
        let failure = #expect(throws: Failure.self) {
            try ControlPointFit(points(rows), model: .polynomial2, width: 1000, height: 800)
        }
        #expect(
            failure?.message.contains("folds the image over itself near column 0, row 9") == true)
    }

    @Test("points that do not determine a curve are refused")
    func refused() throws {
        let twoRows = (0..<6).map { index in
            let (x, y) = (Double(index % 3), Double(index / 3))
            return [500 * x, 500 * y, 8.54 + 0.001 * x, 47.38 - 0.001 * y]
        }
        let failure = #expect(throws: Failure.self) { try fit(twoRows, .polynomial2) }
        #expect(failure?.message.contains("all are on two lines") == true)
        let many = #expect(throws: Failure.self) {
            try fit(
                (0..<2001).map { index in
                    let (x, y) = (Double(index % 50), Double(index / 50))
                    return [50 * x, 50 * y, 8.54 + 0.0001 * x, 47.38 - 0.0001 * y]
                }, .tps)
        }
        #expect(many?.message.contains("at most 2000 control points, but there are 2001") == true)
    }

    @Test("a polynomial is found from its points")
    func knownPolynomial() throws {
        let plane = LocalPlane(around: [Point(x: 8.54, y: 47.38)])
        let places = (0..<4).flatMap { row in
            (0..<4).map { Point(x: 60 * Double($0) - 100, y: 50 * Double(row) - 80) }
        }
        func pixel(_ p: Point) -> Point {
            let (xx, xy, yy) = (p.x * p.x, p.x * p.y, p.y * p.y)
            let column: Double = 9 * p.x - 1.5 * p.y + 4e-3 * xx - 2e-3 * xy + 3e-3 * yy
            let row: Double = 1.2 * p.x - 9.5 * p.y + 2e-3 * xx + 5e-3 * xy
            return Point(x: 2000 + column, y: 1500 + row)
        }
        var lonLat = places
        try CRSConversion(CRS(plane)).lonLat(of: &lonLat)
        let fit = try ControlPointFit(
            zip(places, lonLat).map { ControlPoint(pixel: pixel($0), lonLat: $1, name: "") },
            model: .polynomial2, width: 4000, height: 3000)
        // The fit's own plane lies 5 m away, so that lines bend by a billionth of their length.
        #expect(fit.rmsPixels < 1e-4)
        #expect(fit.rmsLeftOutMetres ?? 1 < 1e-4)
    }

    @Test("a spline can have many points", arguments: [150])
    func manyPoints(count: Int) throws {
        var random = SplitMix(seed: 5)
        let rows = (0..<count).map { _ -> [Double] in
            let (x, y) = (Double(random.next() % 4000), Double(random.next() % 3000))
            let (right, down) = (x + 20 * sin(y / 400), y + 15 * cos(x / 500))
            return [x, y, 8.54 + 1.3e-6 * right, 47.38 - 0.9e-6 * down]
        }
        let fit = try fit(rows, .tps)
        #expect(fit.residuals.allSatisfy { $0.miss.pixels < 1e-6 && $0.miss.metres < 1e-6 })
        #expect(fit.suspect == nil)
    }
}

@Suite(.needs("gdaltransform", "gdal_create"))
struct GDALFitTests {
    @Test(
        "the same points and the same plane give GDAL's pixels",
        arguments: [("-order", "2", TransformModel.polynomial2), ("-tps", "", .tps)])
    func pixels(option: String, value: String, model: TransformModel) throws {
        let sample = try ControlPointSample(points(warped), model: model)
        let directory = try TemporaryDirectory()
        func run(_ tool: String, _ arguments: [String], input: String = "") throws -> String {
            let outcome = try Tool.run(
                tool, arguments, input: input, in: directory.url)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        _ = try run("gdal_create", ["-outsize", "40", "30", "blank.tif"])
        let gcps = zip(sample.pixels, sample.ground).flatMap {
            ["-gcp", "\($0.x)", "\($0.y)", "\($1.x)", "\($1.y)"]
        }
        _ = try run("gdal_translate", ["-of", "VRT"] + gcps + ["blank.tif", "gcps.vrt"])
        let places = (0..<60).map { index -> Point in
            let (column, row) = (Double(index % 10), Double(index / 10))
            return Point(x: 40 * column - 180, y: 50 * row - 130)
        }
        let output = try run(
            "gdaltransform", ["-i", option, value, "gcps.vrt"].filter { !$0.isEmpty },
            input: places.map { "\($0.x) \($0.y)\n" }.joined())
        let transform = try #require(
            try fit(warped, model).pixelToPlane.inverse)
        let lines = output.split(separator: "\n")
        #expect(lines.count == places.count)
        for (line, place) in zip(lines, places) {
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            #expect(transform(place).distance(to: Point(x: numbers[0], y: numbers[1])) < 1e-3)
        }
    }
}
