import Publishing
import Testing
import Tilesets
import Tiling

/// What is found wrong with a tileset's documents.
@Suite struct StatementCheckTests {
    /// Two tiles of zoom 2, from 180 degrees west to the prime meridian, and those above them.
    private static let limits = (0...2).map {
        TileRange(zoom: $0, columns: 0...($0 / 2), rows: 0...0)
    }

    private static func problems(
        _ statement: TilesetStatement, limits: [TileRange] = limits, digest: String? = "0123"
    ) throws -> [String] {
        let check = try StatementCheck(statement, floor: nil, path: "out")
        return check.faults(limits: limits, tileCount: 3, digest: digest).map(\.description)
    }

    private static func json(_ members: String) -> TilesetStatement {
        .tileJSON(
            Array(#"{"tilejson": "3.0.0", "tiles": ["{z}/{x}/{y}.png"], \#(members)}"#.utf8))
    }

    @Test("relative addresses are a warning, not a fault")
    func addresses() throws {
        func warnings(_ addresses: String) throws -> [String] {
            let bytes = Array(#"{"tilejson": "3.0.0", "tiles": [\#(addresses)]}"#.utf8)
            let check = try StatementCheck(.tileJSON(bytes), floor: "2", path: "out")
            #expect(check.faults(limits: Self.limits, tileCount: 3, digest: nil).isEmpty)
            return check.warnings.map(\.place)
        }
        for address in ["{z}/{x}/{y}.png", "/tiles/{z}/{x}/{y}.png", "//a.example/{z}/{x}/{y}.png"] {
            #expect(try warnings("\"\(address)\"") == ["tilejson-2.json"])
            #expect(try warnings("\"https://a.example/{z}/{x}/{y}.png\", \"\(address)\"").count == 1)
        }
        #expect(try warnings(#""https://a.example/{z}/{x}/{y}.png""#).isEmpty)
        #expect(try StatementCheck(.metadataJSON(Array("{}".utf8)), floor: nil, path: "out").warnings.isEmpty)
    }

    @Test(
        "each mistake is named",
        arguments: [
            (#""minzoom": 1"#, "has minzoom 1, but the lowest zoom with a tile is 0"),
            (#""maxzoom": 3"#, "has maxzoom 3, but the highest zoom with a tile is 2"),
            (#""bounds": [-80, 70, -10]"#, "its 'bounds' is invalid"),
            (#""bounds": [-170, 86, -10, 70]"#, "its 'bounds' is invalid"),
            (#""bounds": "far away""#, "its 'bounds' is invalid"),
            (#""bounds": [-80, 70, -10, 80]"#, "its bounds do not contain the westernmost tiles"),
            (#""bounds": [-170, 70, -100, 80]"#, "its bounds do not contain the easternmost tiles"),
            (
                #""bounds": [-170, 84, -10, 85], "generator": "tilewright", "scheme": "zxy""#,
                "its 'scheme' is invalid"
            ),
            (
                #""bounds": [-170, 70, 10, 80], "generator": "tilewright""#,
                "its bounds reach farther east than any tile"
            ),
            (
                #""bounds": [-170, 70, -10, 80], "center": [0, 75, 1]"#,
                "its center is outside its bounds"
            ),
            (#""center": [0, 75, 1.5]"#, "the zoom of its center is not one of its zooms"),
            (
                #""minzoom": 0, "maxzoom": 2, "center": [0, 75, 3]"#,
                "the zoom of its center is not one of its zooms"
            ),
            (#""tileCount": 4"#, "claims 4 tiles, but there are 3"),
            (#""tileCount": 1e300"#, "its 'tileCount' is invalid"),
            (
                #""digest": "4567""#,
                "its digest does not match the tiles: some were changed or swapped"
            ),
            (
                #""tileMatrixSetLimits": [{"tileMatrix": "99"}]"#,
                "its 'tileMatrixSetLimits' is invalid"
            ),
        ])
    func mistakes(members: String, problem: String) throws {
        #expect(try Self.problems(Self.json(members)) == ["tilejson.json: \(problem)"])
    }

    @Test("a TileJSON without the version of its specification is invalid", arguments: ["3", "3.x.0"])
    func version(text: String) throws {
        let statement = TilesetStatement.tileJSON(
            Array(#"{"tilejson": "\#(text)", "tiles": "{z}/{x}/{y}.png"}"#.utf8))
        #expect(
            try Self.problems(statement)
                == ["tilejson.json: has no 'tilejson', the version of its specification"])
    }

    @Test(
        "good documents of others are good",
        arguments: [
            #""bounds": [-170, 70, -10, 80], "minzoom": 0, "maxzoom": 2, "center": [-90, 75, 1]"#,
            // Larger bounds than their tiles are others' business.
            #""bounds": [-180, -85, 180, 85]"#, #""scheme": "tms", "digest": "0123""#,
            #""tileSize": "512", "minzoom": "0""#, #""vector_layers": null"#,
        ])
    func good(members: String) throws {
        #expect(try Self.problems(Self.json(members)).isEmpty)
    }

    @Test("bounds across the antimeridian may be a whole turn")
    func antimeridian() throws {
        let limits = [
            TileRange(zoom: 3, columns: 7...7, rows: 3...3),
            TileRange(zoom: 3, columns: 0...0, rows: 3...3),
        ]
        let members = [
            #""bounds": [-180, 10, 180, 20], "generator": "tilewright", "center": [179, 15, 3]"#,
            #""bounds": [170, 10, -170, 20], "center": [-179, 15, 3]"#,
        ]
        for members in members {
            #expect(try Self.problems(Self.json(members), limits: limits).isEmpty)
        }
        let narrow = Self.json(#""bounds": [170, 10, 175, 20]"#)
        #expect(
            try Self.problems(narrow, limits: limits)
                == ["tilejson.json: its bounds do not contain the easternmost tiles"])
    }

    @Test("two documents of a tileset contradict each other only if both have the member")
    func contradictions() throws {
        let tileset = metadata(contents: TilesetContents(tileCount: 3, digest: "0123"))
        var other = tileset
        other.name = "Other"
        other.description = "what the TileJSON does not say"
        func check(_ statement: TilesetStatement) throws -> StatementCheck {
            try StatementCheck(statement, floor: "2", path: "out")
        }
        let json = try check(.tileJSON(tileset.tileJSON.bytes))
        let rows = try check(.metadataJSON(tileset.metadataJSON.bytes))
        #expect(rows.contradictions(of: json).isEmpty)
        let others = try check(.metadataJSON(other.metadataJSON.bytes))
        #expect(
            others.contradictions(of: json).map(\.description) == [
                "metadata-2.json: has the name 'Other', but tilejson-2.json has 'Plan'"
            ])
    }

    @Test("bounds are fitted to the tiles that exist")
    func bounds() {
        var tileset = metadata(limits: Self.limits)
        tileset.bounds = BoundingBox(minX: -170, minY: 60, maxX: -100, maxY: 89)
        tileset.fitBounds()
        // The edges of tile 2/1/0, as mercantile has them: 66.51326044311186 and 85.0511287798066.
        #expect(tileset.bounds.minX == -170 && tileset.bounds.maxX == 0)
        #expect(abs(tileset.bounds.minY - 66.51326044311186) < 1e-9)
        #expect(abs(tileset.bounds.maxY - 85.0511287798066) < 1e-9)
    }

    /// Two documents of one tileset, and what they say against each other.
    static let pairs: [(one: String, other: String, says: String?)] = [
        (#""name": "a""#, #""name": "b""#, "has the name 'a', but tilejson.json has 'b'"),
        (#""name": "a""#, #""name": "a""#, nil), (#""name": null"#, #""name": "b""#, nil),
        (#""name": true"#, #""name": "b""#, "has the name 'true', but tilejson.json has 'b'"),
        (#""tileSize": 256.0"#, #""tileSize": "256""#, nil),
        (#""bounds": [1, 2]"#, #""bounds": "1,2.0""#, nil),
        (#""bounds": [1, 2]"#, #""bounds": "1,3""#, "has the bounds '1,2', but tilejson.json has '1,3'"),
        (
            #""name": {"b": 2, "a": [1.5, false]}"#, #""name": 7"#,
            "has the name '1.5,false,2', but tilejson.json has '7'"
        ),
        ("", #""name": "b", "generator": "tilewright""#, "does not contain the name, but tilejson.json does"),
        ("", #""name": "b", "generator": "another""#, nil),
    ]

    @Test("two documents of a tileset must agree", arguments: pairs)
    func contradictions(one: String, other: String, says: String?) throws {
        let checks = try [one, other].map { members in
            try StatementCheck(.tileJSON(Array("{\(members)}".utf8)), floor: nil, path: "out")
        }
        #expect(checks[0].contradictions(of: checks[1]).map(\.problem) == [says].compactMap(\.self))
    }
}
