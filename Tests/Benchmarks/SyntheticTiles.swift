import Tilesets
import Tiling

/// Tiles of 1 to 10 KB of random bytes, the same in every run. Every tenth tile is a copy of an earlier one.
/// They form a square at zoom 20, and come row by row, as in a build.
struct SyntheticTiles {
    let count: Int
    /// The bytes from which tiles are cut.
    private let pool: [UInt8]

    init(count: Int) {
        self.count = count
        var state: UInt64 = 1
        // Lehmer's generator (MMIX); its upper bits are random enough.
        pool = (0..<1 << 20).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
    }

    /// Calls `body` with each tile.
    func forEach(_ body: (EncodedTile) throws -> Void) throws {
        let edge = Int(Double(count).squareRoot().rounded(.up))
        for number in 0..<count {
            let tile = TileCoordinate(zoom: 20, column: number % edge, row: number / edge)
            try body(EncodedTile(coordinate: tile, bytes: bytes(of: number)))
        }
    }

    private func bytes(of number: Int) -> [UInt8] {
        let original = number % 10 == 9 ? number - 5 : number
        let start = original &* 7919 % (pool.count - 10_000)
        var bytes = Array(pool[start..<start + 1000 + original &* 104_729 % 9000])
        for byte in 0..<8 { bytes[byte] = UInt8(truncatingIfNeeded: original >> (8 * byte)) }
        return bytes
    }

    /// The final documents, by which a later run recognizes the tiles.
    func documents(_ contents: TilesetContents) -> TilesetDocuments {
        let metadata = TilesetMetadata(
            name: "benchmark", description: "", attribution: "", floor: nil, format: .png,
            tileSize: 256, scheme: .xyz, template: "", baseURL: nil,
            bounds: BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1), limits: [], contents: nil)
        let rows = [
            MetadataRow("name", "benchmark"), MetadataRow("format", "png"),
            MetadataRow("generator", TilesetMetadata.generator),
            MetadataRow("tileCount", String(contents.tileCount)),
            MetadataRow("digest", contents.digest),
        ]
        return TilesetDocuments(
            sideFiles: [], rows: rows,
            json: { origin in
                let job = origin.job.map { ", \"job\": \"\($0.hex)\"" } ?? ""
                let json = """
                    {"generator": "\(TilesetMetadata.generator)", "digest": "\(contents.digest)", \
                    "tileCount": \(contents.tileCount)\(job)}
                    """
                return Array(json.utf8)
            }, extent: PublishedExtent(of: metadata), format: .png)
    }
}
