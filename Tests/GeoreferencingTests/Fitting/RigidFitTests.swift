import Foundation
import Platform
import TestSupport
import Testing
import Tiling

@testable import Georeferencing

/// Fits that only turn and move: their scale is known.
struct RigidFitTests {
    private static let size = (width: 4000, height: 3000)

    /// Points of a plan somewhere on the Earth whose scale is not quite the one that they measure.
    private static func problem(_ random: inout SplitMix) -> (points: [ControlPoint], kept: KeptScale) {
        let centre = Point(
            x: Double.random(in: -180...180, using: &random), y: Double.random(in: -75...75, using: &random))
        let scale = exp(Double.random(in: -5...0, using: &random))
        let bearing = Double.random(in: 0...(2 * .pi), using: &random)
        let error = Double.random(in: 0...8, using: &random)
        let points = (0..<Int.random(in: 2...12, using: &random)).map { index in
            let pixel = Point(
                x: Double.random(in: 0...4000, using: &random), y: Double.random(in: 0...3000, using: &random)
            )
            let (x, y) = (
                pixel.x - 2000 + error * Double.random(in: -1...1, using: &random),
                pixel.y - 1500 + error * Double.random(in: -1...1, using: &random)
            )
            let east = scale * (x * cos(bearing) - y * sin(bearing))
            let north = -scale * (x * sin(bearing) + y * cos(bearing))
            let lonLat = Point(
                x: centre.x + east / (111_320 * cos(centre.y * .pi / 180)), y: centre.y + north / 111_320)
            return ControlPoint(pixel: pixel, lonLat: lonLat, name: "\(index)")
        }
        return (points, KeptScale(metresPerPixel: scale * Double.random(in: 0.97...1.03, using: &random)))
    }

    /// Kabsch: the rotation from the singular value decomposition of the covariance of centred points.
    private static let script = """
        import json, sys
        import numpy as np
        results = []
        for pixels, ground, scale in json.load(sys.stdin):
            p, g = np.array(pixels) * [1, -1] * scale, np.array(ground)
            u, _, v = np.linalg.svd((p - p.mean(0)).T @ (g - g.mean(0)))
            flip = np.diag([1, np.sign(np.linalg.det(u @ v))])
            results.append(((p - p.mean(0)) @ (u @ flip @ v) + g.mean(0)).tolist())
        print(json.dumps(results))
        """

    @Test("200 random sets of points are turned and moved as numpy does it", .needsPython("numpy"))
    func likeNumPy() throws {
        var random = SplitMix(seed: 22)
        let problems = (0..<200).map { _ in Self.problem(&random) }
        let fits = try problems.map {
            try ControlPointFit(
                $0.points, model: .rigid, keeping: $0.kept, width: Self.size.width, height: Self.size.height)
        }
        let samples = try problems.map { try ControlPointSample($0.points, model: .rigid, keeping: $0.kept) }
        let input = zip(samples, problems).map { sample, problem in
            [
                sample.pixels.map { [$0.x, $0.y] }, sample.ground.map { [$0.x, $0.y] },
                problem.kept.metresPerPixel,
            ] as [Any]
        }
        let scratch = try TemporaryDirectory()
        let path = try scratch.write(
            String(decoding: JSONSerialization.data(withJSONObject: input), as: UTF8.self), to: "input.json")
        let outcome = try Python.run(
            "import sys\nsys.stdin = open(sys.argv[1])\n" + Self.script, [path], with: ["numpy"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let expected = try #require(
            JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[[Double]]])
        try #require(expected.count == problems.count)
        for (index, fit) in fits.enumerated() {
            guard case .affine(let transform) = fit.pixelToPlane else {
                Issue.record("problem \(index) is not affine")
                continue
            }
            let kept = problems[index].kept.metresPerPixel
            #expect(abs(Point(x: transform.a, y: transform.d).length / kept - 1) < 1e-14)
            #expect(transform.a == -transform.e && transform.b == transform.d && fit.metresPerPixel == kept)
            for (point, place) in zip(problems[index].points, expected[index]) {
                let miss = (transform(point.pixel) - Point(x: place[0], y: place[1])).length
                #expect(miss < 0.001, "problem \(index): \(miss) m from numpy")
            }
        }
    }

    @Test("a single point with a bearing is an anchor")
    func single() throws {
        let point = ControlPoint(
            pixel: Point(x: 120.5, y: 160.5), lonLat: Point(x: 11.5, y: 48.1), name: "one")
        let kept = KeptScale(metresPerPixel: 0.5, bearing: -30)
        let fit = try ControlPointFit([point], model: .rigid, keeping: kept, width: 300, height: 240)
        let anchor = try Georeference.anchor(
            pixel: point.pixel, lonLat: point.lonLat, metresPerPixel: 0.5, bearing: -30)
        guard case .affine(let expected) = anchor.pixelToCRS, case .affine(let found) = fit.pixelToPlane
        else {
            Issue.record("not affine")
            return
        }
        for corner in PixelTransform.corners(width: 300, height: 240) {
            #expect((expected(corner) - found(corner)).length < 1e-9)
        }
        #expect(fit.isJustFixed && fit.residuals.count == 1 && fit.metresPerPixel == 0.5)
    }

    @Test("two points show what the scale costs: half of the difference at each")
    func cost() throws {
        // A thousand pixels that are 10 m, at a scale that makes them 9.8 m.
        let plane = LocalPlane(around: [Point(x: 11.5, y: 48.1)])
        let east = try plane.points(ofLonLat: [Point(x: 11.5001, y: 48.1)])[0].x
        let points = [(0.0, 11.5), (1000, 11.5 + 0.0001 * 10 / east)].map { column, longitude in
            ControlPoint(
                pixel: Point(x: column, y: 0), lonLat: Point(x: longitude, y: 48.1), name: "\(column)")
        }
        let fit = try ControlPointFit(
            points, model: .rigid, keeping: KeptScale(metresPerPixel: 0.0098), width: 1000, height: 800)
        #expect(!fit.isJustFixed)
        for residual in fit.residuals { #expect(abs(residual.miss.metres - 0.1) < 1e-4) }
        #expect(abs((fit.measuredMetresPerPixel ?? 0) - 0.01) < 1e-7)
    }

    @Test(
        "missing and superfluous values are errors with a way out",
        arguments: [
            (2, nil, nil, "needs the plan's scale", "--scale 1:N"),
            (1, 0.1, nil, "one control point does not say", "--bearing"),
            (3, 0.1, 17, "a bearing does not apply to 3 control points", "leave --bearing out"),
            (2, -0.1, nil, "is not positive", nil), (2, Double.infinity, nil, "is not positive", nil),
            (1, 0.1, Double.nan, "the bearing is not a number", nil),
            (0, 0.1, nil, "needs 2 control points, but there are 0", nil),
        ] as [(Int, Double?, Double?, String, String?)])
    func refusals(count: Int, scale: Double?, bearing: Double?, words: String, way: String?) {
        let points = (0..<count).map {
            ControlPoint(
                pixel: Point(x: 100 * Double($0), y: Double($0 * $0)),
                lonLat: Point(x: 8 + 0.001 * Double($0), y: 47), name: "\($0)")
        }
        let failure = #expect(throws: Failure.self) {
            try ControlPointFit(
                points, model: .rigid, keeping: scale.map { KeptScale(metresPerPixel: $0, bearing: bearing) },
                width: 400, height: 300)
        }
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
        if let way { #expect(failure?.remedy?.contains(way) == true, "\(failure?.remedy ?? "")") }
    }
}

/// The columns of a file of points that ask for a rigid transform.
struct RigidPointsTests {
    private func read(_ columns: String, _ rows: String...) throws -> KeptScale? {
        let text = "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,name,imageSize\(columns)\n"
        let lines = rows.enumerated().map { index, row in
            "8.5\(index),47.38,\(100 * index),-200,1,0,0,0,\(index),1000x800\(row)\n"
        }
        return try QGISPoints(
            parsing: text + lines.joined(), path: "plan.points", crs: nil, width: 1000, height: 800
        ).kept
    }

    @Test("a file names the scale, and the bearing of a single point")
    func kept() throws {
        let columns = ",transform,scale,bearing"
        #expect(
            try read(columns, ",rigid,0.04,", ",rigid,0.04,") == KeptScale(metresPerPixel: 0.04))
        #expect(try read(columns, ",rigid,1e-2,-17.5") == KeptScale(metresPerPixel: 0.01, bearing: -17.5))
        #expect(try read("", "", "") == nil)
        #expect(try read(columns, ",,,", ",,,") == nil)
        #expect(try read(",scale", ",7") == nil, "without a transform, the column is another program's")
    }

    @Test(
        "damaged columns are errors",
        arguments: [
            (",rigid,0,", "its scale '0'"), (",rigid,,", "its scale ''"), (",rigid,x,", "its scale 'x'"),
            (",rigid,inf,", "its scale 'inf'"), (",rigid,1,north", "its bearing 'north'"),
            (",rigid,1,nan", "its bearing 'nan'"), (",rubber,1,", "its transform 'rubber'"),
            (",,1,", "its transform ''"),
        ])
    func damaged(row: String, words: String) {
        let failure = #expect(throws: Failure.self) { try read(",transform,scale,bearing", row) }
        #expect(failure?.kind == .badInput && failure?.message.contains(words) == true)
    }

    @Test("rows that disagree are an error")
    func disagreement() {
        let failure = #expect(throws: Failure.self) {
            try read(",transform,scale,bearing", ",rigid,1,", ",rigid,2,")
        }
        #expect(failure?.message.contains("line 3 names another") == true, "\(failure?.message ?? "")")
    }
}
