import Foundation
import TestSupport
import Testing

/// The file of outlines that the page of `place` saves.
@Suite(.needs("node"))
struct CutlineInPageTests {
    /// What a script says that may use the page's files without a page.
    private func run(_ script: String) throws -> Any {
        let scratch = try TemporaryDirectory()
        let pages = SharedData.packageRoot.appending(path: "Sources/Publishing/Pages")
        let files = try ["fit.js", "points.js"].map {
            try String(contentsOf: pages.appending(path: $0), encoding: .utf8)
        }
        let english = try String(contentsOf: pages.appending(path: "Words/en.json"), encoding: .utf8)
        let words = "const phrase = (key) => (\(english))[key];"
        let path = try scratch.write(
            (["\"use strict\";", words] + files + ["console.log(JSON.stringify((() => {\(script)})()));"])
                .joined(separator: "\n"), to: "cutline.js")
        let outcome = try Tool.run("node", [path])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    }

    /// A square around a centre, clockwise or not, in a script.
    private static let square = """
        const square = (x, y, half, isClockwise = false) => {
          const ring = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
            .map(([right, up]) => ({ x: x + half * right, y: y + half * up }));
          return isClockwise ? ring.reverse() : ring;
        };
        """

    @Test("holes are inside their outlines, and each ring is closed and ordered as in RFC 7946")
    func nested() throws {
        // A square with a hole, in which there is an island, and another square that was drawn first.
        let text = try run(
            Self.square + """
                return JSON.parse(cutlineText([square(9, 48, 1, true), square(1, 48, 3, true), square(1, 48, 2),
                  square(1, 48, 1, true)]));
                """)
        let features = try #require((text as? [String: Any])?["features"] as? [[String: Any]])
        let polygons = features.compactMap { $0["geometry"] as? [String: Any] }
            .compactMap { $0["coordinates"] as? [[[Double]]] }
        // By the shoelace formula, in square degrees: outlines counterclockwise, holes clockwise.
        let areas = polygons.map { $0.map(Self.area) }
        #expect(areas == [[4], [36, -16], [4]])
        for ring in polygons.joined() { #expect(ring.first == ring.last && ring.count == 5) }
        #expect(features.allSatisfy { $0["type"] as? String == "Feature" && $0["properties"] != nil })
    }

    private static func area(_ ring: [[Double]]) -> Double {
        let sum = zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0[0] * $1.1[1] - $1.1[0] * $1.0[1] }
        return (sum / 2).rounded()
    }

    @Test("an outline that crosses itself or another one is detected")
    func crossings() throws {
        let found = try run(
            Self.square + """
                const bow = [{ x: 0, y: 0 }, { x: 1, y: 1 }, { x: 1, y: 0 }, { x: 0, y: 1 }];
                return [crossesItself(bow), crossesItself(square(0, 0, 1)),
                  areCrossing(square(0, 0, 1), square(1, 1, 1)), areCrossing(square(0, 0, 1), square(0, 0, 2))];
                """)
        #expect(found as? [Bool] == [true, false, true, false])
    }

    @Test("a file is read in all the forms that GeoJSON has for polygons, and others are refused in words")
    func read() throws {
        let ring = "[[0,0],[1,0],[1,1],[0,0]]"
        let found = try run(
            """
            const read = (text) => { try { return readCutline(text).length; } catch (error) { return error.message; } };
            return [
              '{"type":"Polygon","coordinates":[\(ring),\(ring)]}',
              '{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[\(ring)],[\(ring)]]}}',
              '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"GeometryCollection",'
                + '"geometries":[{"type":"Polygon","coordinates":[\(ring)]}]}},{"type":"Feature","geometry":null}]}',
              '{"type":"Point","coordinates":[0,0]}', '{"type":"Polygon","coordinates":[[[0,0],[1,95],[1,1],[0,0]]]}',
              '{',
            ].map(read);
            """)
        let expected: [AnyHashable] = [
            2, 2, 1, "The file contains no polygons.",
            "An outline in the file is not a ring of longitudes and latitudes.",
            "The file is not GeoJSON.",
        ]
        #expect((found as? [AnyHashable]) == expected)
    }
}
