import Platform
import Testing
import Tiling

@testable import Tilesets

@Suite struct TileTemplateTests {
    /// Row and quadkey by mercantile 1.2.1: `2**16 - 1 - 21960`, `quadkey(33510, 21960, 16)`.
    private static let tile = TileCoordinate(zoom: 16, column: 33510, row: 21960)

    @Test(
        "a template names a tile",
        arguments: [
            ("{z}/{x}/{y}.{ext}", TileScheme.xyz, "16/33510/21960.png"),
            ("{z}/{x}/{y}.{ext}", .tms, "16/33510/43575.png"),
            ("{z}/{x}/{-y}.{ext}", .xyz, "16/33510/43575.png"),
            ("{z}/{x}/{-y}.{ext}", .tms, "16/33510/43575.png"),
            ("{z}/{y}/{x}", .xyz, "16/21960/33510"),
            ("L{floor}_{z}_{x}_{y}.png", .xyz, "LEG 1_16_33510_21960.png"),
            ("{quadkey}.{ext}", .xyz, "1202021233102110.png"),
            ("q/a{quadkey}.{ext}", .tms, "q/a1202021233102110.png"),
            ("{floor}/{z}/{x}/{y}@2x.jpg", .xyz, "EG 1/16/33510/21960@2x.jpg"),
            ("{z}/{x}/{z}-{x}-{y}{ext}", .xyz, "16/33510/16-33510-21960png"),
        ])
    func paths(template: String, scheme: TileScheme, path: String) throws {
        let names = try TileNames(
            TileTemplate(template), fileExtension: "png", floor: "EG 1", scheme: scheme)
        #expect(names.path(of: Self.tile) == path)
    }

    @Test(
        "a template that cannot name tiles is refused with its reason",
        arguments: [
            ("", "is empty"),
            ("{z}/{x}/{q}.png", "unknown placeholder '{q}'"),
            ("{z}/{x}/{}.png", "unknown placeholder '{}'"),
            ("{z}/{x}/{y.png", "an unmatched brace"),
            ("{z}/{x}/y}.png", "an unmatched brace"),
            ("{z}/{x}/{{y}}.png", "an unmatched brace"),
            ("{x}/{y}.png", "has no {z}"),
            ("{z}/{y}.png", "has no {x}"),
            ("{z}/{x}.png", "has no {y}"),
            ("{z}/{x}/{y}/{-y}.png", "both {y} and {-y}"),
            ("{z}/{x}{y}.png", "does not separate {x} from {y}"),
            ("{z}/{x}1{y}.png", "does not separate {x} from {y}"),
            ("{floor}{z}/{x}/{y}.png", "does not separate {floor} from {z}"),
            ("{z}{quadkey}.png", "does not separate {z} from {quadkey}"),
            ("/{z}/{x}/{y}.png", "is absolute"),
            ("../{z}/{x}/{y}.png", "the name '..'"),
            ("{z}/../{x}/{y}.png", "the name '..'"),
            ("../\u{301}{z}/{x}/{y}.png", "the name '..'"),
            ("/\u{301}{z}/{x}/{y}.png", "the name ''"),
            ("./{z}/{x}/{y}.png", "the name '.'"),
            ("{z}//{x}/{y}.png", "the name ''"),
            ("{z}/{x}/{y}/", "the name ''"),
            ("{quadkey}", "at zoom 0, where the quadkey is empty"),
            ("a/{quadkey}/tile.png", "at zoom 0, where the quadkey is empty"),
            ("a/{quadkey}./tile.png", "at zoom 0, where the quadkey is empty"),
            ("{z}\\{x}\\{y}.png", "a backslash"),
            ("{z}/{x}/{y}\0.png", "a control character"),
            ("{z}/{x}/{y}\n.png", "a control character"),
            (".tilewright/{z}/{x}/{y}.png", "a name that tilewright uses"),
            (".TileWright/{z}/{x}/{y}.png", "a name that tilewright uses"),
            ("{quadkey}.tilewright/a.png", "a name that tilewright uses"),
            ("tilejson-{z}_{x}_{y}.json", "a name that tilewright uses"),
            ("metadata.json/{z}/{x}/{y}.png", "a name that tilewright uses"),
        ])
    func refusals(template: String, reason: String) throws {
        let failure = try #require(throws: Failure.self) { try TileTemplate(template) }
        #expect(failure.kind == .usage)
        #expect(failure.message.contains(reason), "\(failure.message)")
        #expect(failure.message.contains("'\(template)'"))
        #expect(failure.remedy != nil)
    }

    @Test(
        "values that are filled in are checked like the rest",
        arguments: [
            (".{floor}/{z}/{x}/{y}.png", "tilewright"),
            ("{floor}.json/{z}/{x}/{y}.png", "tilejson"),
        ])
    func filledIn(template: String, floor: String) throws {
        let template = try TileTemplate(template)
        let failure = try #require(throws: Failure.self) {
            try TileNames(template, fileExtension: "png", floor: floor, scheme: .xyz)
        }
        #expect(failure.message.contains("a name that tilewright uses"))
    }

    @Test("{floor} needs a floor")
    func missingFloor() throws {
        let template = try TileTemplate("{floor}/{z}/{x}/{y}.png")
        let failure = try #require(throws: Failure.self) {
            try TileNames(template, fileExtension: "png", floor: nil, scheme: .xyz)
        }
        #expect(failure.kind == .usage)
        #expect(failure.remedy == "add --floor NAME")
    }

    @Test(
        "a floor that cannot be part of a file name is refused",
        arguments: [
            "", ".", "..", ".a", "a/b", "a\\b", "{z}", "a\nb", String(repeating: "a", count: 129),
        ])
    func floors(floor: String) throws {
        let template = try TileTemplate(TileTemplate.standard)
        let failure = try #require(throws: Failure.self) {
            try TileNames(template, fileExtension: "png", floor: floor, scheme: .xyz)
        }
        #expect(failure.kind == .usage)
        #expect(failure.message.contains("'\(floor)'"))
    }

    @Test(
        "clients get a template with their placeholders, and the scheme of its rows",
        arguments: [
            ("{z}/{x}/{y}.{ext}", TileScheme.xyz, "{z}/{x}/{y}.png", TileScheme.xyz),
            ("{z}/{x}/{y}.{ext}", .tms, "{z}/{x}/{y}.png", .tms),
            ("L{floor}_{z}_{x}_{-y}.{ext}", .xyz, "L-1_{z}_{x}_{y}.png", .tms),
            ("{quadkey}.{ext}", .xyz, "{quadkey}.png", .xyz),
        ])
    func clients(
        template: String, scheme: TileScheme, clientTemplate: String, clientScheme: TileScheme
    ) throws {
        let names = try TileNames(
            TileTemplate(template), fileExtension: "png", floor: "-1", scheme: scheme)
        #expect(names.clientTemplate == clientTemplate)
        #expect(names.clientScheme == clientScheme)
    }

    @Test(
        "all tiles of the first zooms have unique names",
        arguments: [
            "{z}/{x}/{y}.{ext}", "{z}_{x}_{y}", "{x}-{-y}-{z}.png", "{quadkey}.png", "1{quadkey}1",
            "{y}/{x}1_{z}",
        ])
    func uniqueness(template: String) throws {
        let names = try TileNames(
            TileTemplate(template), fileExtension: "png", floor: nil, scheme: .xyz)
        let tiles = (0...5).flatMap { zoom in
            (0..<1 << (2 * zoom)).map {
                TileCoordinate(zoom: zoom, column: $0 >> zoom, row: $0 & (1 << zoom - 1))
            }
        }
        #expect(Set(tiles.map(names.path)).count == tiles.count)
    }
}
