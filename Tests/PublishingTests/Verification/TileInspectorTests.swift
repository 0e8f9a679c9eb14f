import Platform
import Testing
import Tilesets
import Tiling

@testable import Publishing

/// What is found wrong with single tiles.
@Suite struct TileInspectorTests {
    private struct Broken: Error, CustomStringConvertible { var description: String { "it is broken" } }

    private static let metadata = TilesetMetadata(
        name: "", description: "", attribution: "", floor: nil, format: .png, tileSize: 256, scheme: .xyz,
        template: "", baseURL: nil, bounds: BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1), limits: [],
        contents: nil)

    /// What the first byte of a tile stands for, and what is wrong with it.
    static let tiles: [(byte: UInt8, problem: String?)] = [
        (0, nil), (1, "is WebP, but the tileset's format is PNG"),
        (2, "is JPEG, but the tileset's format is PNG"),
        (3, "has 512 x 256 pixels, in a tileset of 256 x 256"), (4, "cannot be decoded: it is broken"),
    ]

    @Test("a tile must be of the type and the size of its tileset, and whole", arguments: tiles)
    func problems(byte: UInt8, problem: String?) throws {
        let inspector = TileInspector(Self.metadata) { bytes in
            switch bytes.first {
            case 1: (.webp, 256, 256)
            case 2: (.jpeg, 256, 256)
            case 3: (.png, 512, 256)
            case 4: throw Broken()
            default: (.png, 256, 256)
            }
        }
        let problems = try inspector.problems(of: [[0], [byte], [0]])
        #expect(problems == (problem.map { [1: $0] } ?? [:]))
    }

    @Test("a lack of memory is not a fault of a tile")
    func systemFailure() throws {
        let inspector = TileInspector(Self.metadata) { _ in throw Failure(.systemLimit, "out of memory") }
        #expect(throws: Failure(.systemLimit, cannot: "decode a tile", "out of memory")) {
            try inspector.problems(of: [[0]])
        }
    }
}
