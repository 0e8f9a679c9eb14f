import Foundation
import TestSupport
import Testing

@testable import TilewrightKit

/// The schema for editors, compared with the reader.
struct ManifestSchemaTests {
    private static let path = SharedData.packageRoot
        .appending(path: "Sources/TilewrightKit/Manifests/building.schema.json")

    @Test("The schema has the reader's keys, each at its levels", arguments: ManifestKey.Level.allCases)
    func keys(level: ManifestKey.Level) throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.path)) as? [String: Any]
        let definitions = json?["$defs"] as? [String: [String: Any]]
        func properties(_ name: String) -> [String] {
            (definitions?[name]?["properties"] as? [String: Any]).map { Array($0.keys) } ?? []
        }
        let settings = level == .campus ? [] : properties("settings")
        #expect((properties("\(level)") + settings).sorted() == ManifestKey.names(at: level).sorted())
        let names = definitions?["names"]?["enum"] as? [String]
        #expect(names?.sorted() == properties("settings").sorted())
    }

    /// Keys of a floor with valid values, as JSON.
    private static let taken = lines(
        #"""
        "zoom": "17-22"
        "zoom": 18
        "zoom": "16-"
        "zoom": -20
        "zoom": "-20"
        "tile-size": 512
        "format": "webp", "quality": 80
        "format": "webp", "lossless": true
        "png-level": "small"
        "format": "jpeg", "jpeg-level": "small"
        "palette": 16
        "background": "0a0B0c"
        "cutline": "hull.geojson"
        "resampling": "mode", "overview-resampling": "area"
        "empty": "write"
        "scheme": "tms"
        "template": "{floor}-{quadkey}.{ext}"
        "attribution": "x", "description": 3
        "doc-kml": "overlay"
        "crop": "1,2,3,4"
        "crop": [1, 2, 3, 4]
        "nodata": [1, 2, 3, 4]
        "nodata": "255,255,255"
        "paper": [255, 255, 255]
        "bands": 1
        "bands": "3,2,1"
        "bands": [1, 2, 3, 4]
        "rescale": [0, 3000.5]
        "keep-colors": false
        "max-residual": 0.5, "gcps": "ground.points"
        "bounds": [1, 2, 3, 4], "crs": "EPSG:4326"
        "bounds": "1, 2, 3, 4"
        "corners": "1,2 3,4 5,6"
        "corners": ["1,2", [3, 4], [5, 6], [7, 8]]
        "gcp": "1,2,3,4"
        "gcp": [1, 2, 3, 4]
        "gcp": [[1, 2, 3, 4], "5,6,7,8"], "transform": "tps"
        "anchor": "1,2,3,4", "scale": "1:100", "bearing": 17.5, "dpi": 300
        "anchor": [1, 2, 3, 4], "scale": 0.02
        "gcp": [1, 2, 3, 4], "transform": "rigid", "scale": "1:100", "bearing": -3
        "world-file": "a.pgw", "crs": "EPSG:3857", "orient": "no"
        "kml": "a.kml"
        "label": "First", "short-name": 1, "ordinal": -3, "default": true, "name": "x"
        """#)

    /// Keys of a floor with invalid values.
    private static let refused = lines(
        #"""
        "zoom": "high"
        "zoom": [17, 22]
        "zoom": 31
        "zoom": true
        "tile-size": 1024
        "format": "jpg"
        "quality": "best", "format": "jpeg"
        "quality": 0, "format": "jpeg"
        "lossless": "perhaps"
        "png-level": 9
        "format": "jpeg", "jpeg-level": "fast"
        "palette": 1
        "palette": 300
        "background": "blue"
        "cutline": [1]
        "resampling": "best"
        "overview-resampling": 1
        "empty": "keep"
        "scheme": "wmts"
        "template": ["x"]
        "attribution": {"a": "b"}
        "description": []
        "doc-kml": true
        "crop": [1, 2, 3]
        "crop": "1,2,3"
        "nodata": [1, 2]
        "paper": "white"
        "bands": 0
        "bands": [1, 2, 3, 4, 5]
        "rescale": 5
        "keep-colors": 3
        "max-residual": -1
        "bounds": [1, 2, 3]
        "corners": "1,2 3"
        "gcp": "1,2,3"
        "gcp": []
        "anchor": [1, 2], "scale": 1
        "anchor": "1,2,3,4", "scale": "1:x"
        "transform": "all"
        "transform": "spline"
        "bearing": "north"
        "dpi": 0
        "crs": []
        "orient": "up"
        "kml": {}
        "world-file": 1.5, "gcps": []
        "label": ["x"]
        "short-name": {}
        "ordinal": 1.5
        "default": "perhaps"
        "output": "x"
        "jobs": 3
        "zooom": 3
        "floors": []
        """#)

    /// Whole manifests that are valid.
    private static let takenWhole = lines(
        #"""
        {"output": "t", "floors": [{"floor": 1, "image": "a.png"}]}
        {"output": "t/{floor}.pmtiles", "floors": [{"floor": "-1", "image": ["a.png", "b.png"]}]}
        {"name": "x", "url": "https://a.b/c", "output": "t", "floors": [{"floor": "B", "image": "a.png", "ordinal": 0}]}
        {"output": "t", "buildings": [{"output": "u", "floors": [{"floor": 1, "image": "a.png"}]}]}
        """#)

    /// Whole manifests that are invalid.
    private static let refusedWhole = lines(
        #"""
        {"output": "t", "floors": []}
        {"floors": [{"floor": 1, "image": "a.png"}]}
        {"output": "t"}
        []
        {"output": "t", "buildings": []}
        {"output": "t.pmtiles", "floors": [{"floor": 1, "image": "a.png"}]}
        {"output": "{floor}", "floors": [{"floor": 1, "image": "a.png"}]}
        {"output": "t", "url": "t", "floors": [{"floor": 1, "image": "a.png"}]}
        {"output": "t", "floors": [{"floor": "B", "image": "a.png"}]}
        {"output": "t", "floors": [{"image": "a.png"}]}
        {"output": "t", "floors": [{"floor": 1}]}
        {"output": "t", "zoom": 3, "buildings": [{"output": "u", "floors": [{"floor": 1, "image": "a.png"}]}]}
        """#)

    private static let examples: [(text: String, isTaken: Bool)] =
        taken.flatMap(manifests).map { ($0, true) } + refused.flatMap(manifests).map { ($0, false) }
        + takenWhole.map { ($0, true) } + refusedWhole.map { ($0, false) }

    /// Keys at a floor and, if allowed, at the top.
    private static func manifests(with keys: String) -> [String] {
        let ofFloors = ["label", "short-name", "ordinal", "default", "output", "floors"]
        let atFloor = #"{"output": "t", "floors": [{"floor": 1, "image": "a.png", \#(keys)}]}"#
        let atTop = #"{\#(keys), "output": "t", "floors": [{"floor": 1, "image": "a.png"}]}"#
        return ofFloors.contains { keys.contains("\"\($0)\":") } ? [atFloor] : [atFloor, atTop]
    }

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    @Test("The reader accepts valid manifests and refuses others")
    func reader() throws {
        let site = try ManifestSite()
        for (text, isTaken) in Self.examples {
            let failure = try site.failure(of: Array(text.utf8))
            #expect((failure == nil) == isTaken, "\(text): \(failure.map { "\($0)" } ?? "taken")")
        }
    }

    @Test("The schema accepts what the reader accepts", .long, .needsPython("jsonschema"))
    func schema() throws {
        let script = """
            import json, sys, jsonschema
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft202012Validator.check_schema(schema)
            validator = jsonschema.Draft202012Validator(schema)
            for line in open(sys.argv[2]):
                print("taken" if validator.is_valid(json.loads(line)) else "refused")
            """
        let scratch = try TemporaryDirectory()
        let lines = Self.examples.map(\.text).joined(separator: "\n") + "\n"
        let list = try scratch.write(lines, to: "list")
        let outcome = try Python.run(script, [Self.path.path, list], with: ["jsonschema"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let verdicts = outcome.output.split(separator: "\n")
        #expect(verdicts.count == Self.examples.count)
        for (example, verdict) in zip(Self.examples, verdicts) {
            #expect((verdict == "taken") == example.isTaken, "\(example.text)")
        }
    }
}
