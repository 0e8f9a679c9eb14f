import Foundation
import Georeferencing
import TestSupport
import Testing
import Tiling

/// The fits of the page of `place`, which are made in JavaScript, are those of the program.
@Suite(
    .enabled(
        if: Tool.path("node") ?? Tool.path("chromium") != nil, "not installed: node or chromium"))
struct FitInPageTests {
    private static let size = (width: 4000, height: 3000)
    private static let models = TransformModel.allCases

    /// Points of a plan somewhere on the Earth, clicked with an error, and now and then one in a wrong place.
    private static func problem(_ random: inout SplitMix) -> [ControlPoint] {
        let count = Int.random(in: 2...14, using: &random)
        let centre = Point(
            x: Double.random(in: -180...180, using: &random),
            y: Double.random(in: -75...75, using: &random))
        let scale = exp(Double.random(in: -5...0.5, using: &random))
        let bearing = Double.random(in: 0...(2 * .pi), using: &random)
        let errors: [Double] = [0, 0.3, 3, 12]
        let error = errors[Int.random(in: 0..<4, using: &random)]
        var points = (0..<count).map { index in
            let pixel = Point(
                x: Double.random(in: 0...Double(size.width), using: &random),
                y: Double.random(in: 0...Double(size.height), using: &random))
            let clicked = Point(
                x: pixel.x - 2000 + Double.random(in: -1...1, using: &random) * error,
                y: pixel.y - 1500 + Double.random(in: -1...1, using: &random) * error)
            let east = scale * (clicked.x * cos(bearing) - clicked.y * sin(bearing))
            let north = -scale * (clicked.x * sin(bearing) + clicked.y * cos(bearing))
            // Degrees of a sphere are good enough: the problem is what it is.
            let lonLat = Point(
                x: centre.x + east / (111_320 * cos(centre.y * .pi / 180)),
                y: centre.y + north / 111_320)
            return ControlPoint(pixel: pixel, lonLat: lonLat, name: "\(index)")
        }
        if Bool.random(using: &random), Bool.random(using: &random) {
            points[0].pixel.x += 150
        }
        return points
    }

    /// What JavaScript says of problems under all models, in their order: an object, or null if there is no fit.
    private func fits(_ problems: [[ControlPoint]]) throws -> [[String: Any]?] {
        func object(_ point: ControlPoint) -> [String: Any] {
            [
                "name": point.name, "pixel": ["x": point.pixel.x, "y": point.pixel.y],
                "place": ["x": point.lonLat.x, "y": point.lonLat.y],
            ]
        }
        let json = try JSONSerialization.data(withJSONObject: problems.map { $0.map(object) })
        let page = SharedData.packageRoot.appending(path: "Sources/Publishing/Pages/fit.js")
        let script =
            try String(contentsOf: page, encoding: .utf8) + """

                const results = \(String(decoding: json, as: UTF8.self)).flatMap((points) =>
                  \(Self.models.map(\.rawValue)).map((model) => {
                    try {
                      const fit = fitPoints(points, model, { width: 4000, height: 3000 });
                      const corner = fit.toPlace({ x: 0, y: 3000 });
                      return { rms: fit.rms, residuals: fit.residuals, suspect: fit.suspect,
                        corner: fit.plane.point(corner) };
                    } catch { return null; }
                  }));
                """
        let output = try run(script)
        let results = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [Any]
        return (results ?? []).map { $0 as? [String: Any] }
    }

    private func run(_ script: String) throws -> String {
        let scratch = try TemporaryDirectory()
        if let node = Tool.path("node") {
            let path = try scratch.write(
                "\"use strict\";\n\(script)\nconsole.log(JSON.stringify(results));", to: "fits.js")
            let outcome = try Tool.run(node, [path])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        let html = """
            <pre id="out"></pre><script>\(script)
            document.getElementById("out").textContent = JSON.stringify(results);</script>
            """
        let path = try scratch.write(html, to: "fits.html")
        let outcome = try Tool.run(
            "chromium",
            [
                "--headless=new", "--no-sandbox", "--user-data-dir=\(scratch.path("profile"))", "--dump-dom",
                "file://\(path)",
            ])
        let text = outcome.output.split(separator: "<pre id=\"out\">").last ?? ""
        return String(text.prefix { $0 != "<" })
    }

    @Test("a hundred random problems have the same fits, to a millimetre and a hundredth of a pixel")
    func hundred() throws {
        var random = SplitMix(seed: 7)
        let problems = (0..<100).map { _ in Self.problem(&random) }
        let fits = try fits(problems)
        try #require(fits.count == problems.count * Self.models.count)
        var (made, suspects) = (0, 0)
        for (index, fit) in fits.enumerated() {
            let points = problems[index / Self.models.count]
            let model = Self.models[index % Self.models.count]
            let expected = try? ControlPointFit(
                points, model: model, width: Self.size.width, height: Self.size.height)
            let name = "problem \(index / Self.models.count), \(model)"
            #expect((expected == nil) == (fit == nil), "\(name): whether there is a fit")
            guard let expected, let fit else { continue }
            made += 1
            suspects += expected.suspect == nil ? 0 : 1
            try compare(fit, expected, name)
        }
        // The problems are worth their name.
        #expect(made > 250 && suspects > 10, "\(made) fits, \(suspects) suspects")
    }

    private func compare(_ fit: [String: Any], _ expected: ControlPointFit, _ name: String) throws {
        let rms = try #require(fit["rms"] as? [String: Any])
        func agree(_ value: Any?, _ expected: Double?, _ within: Double, _ what: String) {
            let value = value as? Double
            guard let value, let expected else {
                #expect((value == nil) == (expected == nil), "\(name): \(what)")
                return
            }
            // Of misses as large as a building, the share that is a rounding error.
            let allowed = within + 1e-6 * abs(expected)
            #expect(abs(value - expected) <= allowed, "\(name): \(what) \(value), not \(expected)")
        }
        agree(rms["pixels"], expected.rmsPixels, 0.01, "RMS in pixels")
        agree(rms["metres"], expected.rmsMetres, 0.001, "RMS in metres")
        agree(rms["leftOut"], expected.rmsLeftOutMetres, 0.001, "RMS left out")
        let residuals = try #require(fit["residuals"] as? [[String: Any]])
        for (mine, theirs) in zip(residuals, expected.residuals) {
            agree(mine["pixels"], theirs.miss.pixels, 0.01, "pixels of \(theirs.point.name)")
            agree(mine["metres"], theirs.miss.metres, 0.001, "metres of \(theirs.point.name)")
            agree(mine["leftOut"], theirs.leftOut?.metres, 0.001, "left out: \(theirs.point.name)")
        }
        let suspect = (fit["suspect"] as? Int).map { expected.residuals[$0].point.name }
        #expect(suspect == expected.suspect?.point.name, "\(name): the suspect")
        let corner = try #require(fit["corner"] as? [String: Any])
        let ground = expected.pixelToPlane(Point(x: 0, y: 3000))
        agree(corner["x"], ground.x, 0.001, "easting of a corner")
        agree(corner["y"], ground.y, 0.001, "northing of a corner")
    }
}
