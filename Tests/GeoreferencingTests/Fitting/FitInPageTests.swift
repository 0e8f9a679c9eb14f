import Foundation
import TestSupport
import Testing
import Tiling

@testable import Georeferencing

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

    /// The scale that a rigid fit of points keeps: not quite what they measure.
    private static func kept(_ points: [ControlPoint]) -> KeptScale {
        let measured = try? ControlPointFit(
            points, model: .similarity, width: size.width, height: size.height)
        return KeptScale(metresPerPixel: 1.002 * (measured?.metresPerPixel ?? 0.05))
    }

    /// What JavaScript says of problems under all models, in their order; `none` if there is no fit.
    private func fits(_ problems: [[ControlPoint]]) throws -> [[String: Any]] {
        func object(_ point: ControlPoint) -> [String: Any] {
            [
                "name": point.name, "pixel": ["x": point.pixel.x, "y": point.pixel.y],
                "place": ["x": point.lonLat.x, "y": point.lonLat.y],
            ]
        }
        let json = try JSONSerialization.data(
            withJSONObject: problems.map { points in
                ["points": points.map(object), "kept": Self.kept(points).metresPerPixel] as [String: Any]
            })
        let script =
            try ["fit", "faults"].map { name in
                let page = SharedData.packageRoot.appending(path: "Sources/Publishing/Pages/\(name).js")
                return try String(contentsOf: page, encoding: .utf8)
            }.joined() + """

                const results = \(String(decoding: json, as: UTF8.self)).flatMap(({ points, kept }) =>
                  \(Self.models.map(\.rawValue)).map((model) => {
                    const size = { width: 4000, height: 3000 };
                    try {
                      const fit = fitPoints(points, model, size, kept);
                      const corner = fit.toPlace({ x: 0, y: 3000 });
                      return { rms: fit.rms, residuals: fit.residuals, suspect: fit.suspect, fault: fit.fault,
                        corner: fit.plane.point(corner) };
                    } catch { return { none: true, fault: faultWithoutFit(points, model, size, kept) }; }
                  }));
                """
        let output = try run(script)
        return try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
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

    @Test("a hundred random problems have the same fits, to a millimetre and a hundredth of a pixel", .long)
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
                points, model: model, keeping: Self.kept(points), width: Self.size.width,
                height: Self.size.height)
            let name = "problem \(index / Self.models.count), \(model)"
            #expect((expected == nil) == (fit["none"] != nil), "\(name): whether there is a fit")
            guard let expected, fit["none"] == nil else { continue }
            made += 1
            suspects += expected.suspect == nil ? 0 : 1
            try compare(fit, expected, name)
        }
        // The problems are worth their name.
        #expect(made > 350 && suspects > 10, "\(made) fits, \(suspects) suspects")
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

    /// A slip of somebody who types points.
    private enum Slip: CaseIterable {
        case swapped, digits, rowFromBottom, negativeRow, interchanged, allSwapped, allFromBottom, allNegative

        func make(_ points: inout [ControlPoint]) {
            let height = Double(FitInPageTests.size.height)
            switch self {
            case .swapped: points[1].lonLat = points[1].lonLat.interchanged
            case .digits: points[2].lonLat.y = FitInPageTests.transposed(points[2].lonLat.y)
            case .rowFromBottom: points[0].pixel.y = height - points[0].pixel.y
            case .negativeRow: points[3].pixel.y.negate()
            case .interchanged: (points[1].lonLat, points[4].lonLat) = (points[4].lonLat, points[1].lonLat)
            case .allSwapped:
                for index in points.indices { points[index].lonLat = points[index].lonLat.interchanged }
            case .allFromBottom:
                for index in points.indices { points[index].pixel.y = height - points[index].pixel.y }
            case .allNegative: for index in points.indices { points[index].pixel.y.negate() }
            }
        }
    }

    /// A number of degrees with its fourth and fifth decimal, or the next ones that differ, in each other's
    /// place.
    private static func transposed(_ degrees: Double) -> Double {
        var text = Array("\(degrees)")
        guard let dot = text.firstIndex(of: "."),
            let place = (dot + 3..<text.count - 1).first(where: { text[$0] != text[$0 + 1] })
        else { return degrees }
        text.swapAt(place, place + 1)
        return Double(String(text)) ?? degrees
    }

    /// Points as people type them, with a slip.
    private static func slipped(_ slip: Slip, _ random: inout SplitMix) -> [ControlPoint] {
        while true {
            var points = problem(&random)
            for index in points.indices {
                points[index].pixel.x = (points[index].pixel.x * 10).rounded() / 10
                points[index].pixel.y = (points[index].pixel.y * 10).rounded() / 10
                points[index].lonLat.x = (points[index].lonLat.x * 1e7).rounded() / 1e7
                points[index].lonLat.y = (points[index].lonLat.y * 1e7).rounded() / 1e7
            }
            guard points.count > 6 else { continue }
            slip.make(&points)
            if points.allSatisfy({ abs($0.lonLat.y) <= 90 }) { return points }
        }
    }

    @Test("The page names the same wrong points as the program, with the same cause", .long)
    func faults() throws {
        var random = SplitMix(seed: 11)
        let problems = (0..<10).flatMap { _ in Slip.allCases.map { Self.slipped($0, &random) } }
        let fits = try fits(problems)
        try #require(fits.count == problems.count * Self.models.count)
        var kinds: [String: Int] = [:]
        for (index, fit) in fits.enumerated() {
            let (points, model) = (
                problems[index / Self.models.count], Self.models[index % Self.models.count]
            )
            let expected = Self.fault(points, model)
            kinds[expected.kind, default: 0] += 1
            let fault = fit["fault"] as? [String: Any]
            let named = (fault?["indices"] as? [Int] ?? []).map { points[$0].name }
            let words = ["kind", "written", "meant"].compactMap { fault?[$0] as? String }
            let slip = Slip.allCases[index / Self.models.count % Slip.allCases.count]
            #expect(named == expected.names, "\(slip), \(model), problem \(index)")
            // The page quotes the number, and leaves out which of the four it is.
            let kind = expected.kind.replacing(/^digits [a-z]+/, with: "digits")
            #expect(words.joined(separator: " ") == kind, "\(slip), \(model), problem \(index)")
        }
        for kind in ["swappedPlace", "rowFromBottom", "negativeRow", "interchanged", "mirrored", "elsewhere"]
        {
            #expect(kinds[kind, default: 0] > 0, "\(kind)")
        }
        #expect(kinds.keys.contains { $0.hasPrefix("digits latitude") })
    }

    /// What the program says of points: names, none of them if all are wrong, and the kind in the page's words.
    private static func fault(
        _ points: [ControlPoint], _ model: TransformModel
    ) -> (names: [String], kind: String) {
        let kept = kept(points)
        let fit = try? ControlPointFit(
            points, model: model, keeping: kept, width: size.width, height: size.height)
        let error =
            fit.map(\.error)
            ?? PointErrorSearch(points, model: model, keeping: kept, height: size.height)?.findWithoutFit()
        guard let error else { return ([], "") }
        let kind =
            if case .digits(let name, let written, let meant) = error.kind {
                "digits \(name) \(written) \(meant)"
            } else {
                "\(error.kind)"
            }
        return (error.concernsAll ? [] : error.points.map(\.name), kind)
    }
}
