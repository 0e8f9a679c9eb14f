import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Archives with one fault each.
@Suite struct PMTilesCheckTests {
    private let site: PMTilesSite

    init() throws { site = try PMTilesSite() }

    /// An archive with parts of its own, which fit together unless they are changed.
    struct Parts {
        var header = PMTilesHeader()
        var root: [UInt8]
        var metadata = Array("{}".utf8)
        var leaves: [UInt8] = []
        var data = Array("0123456789".utf8)

        /// Three tiles of zooms 0 and 1, the last two the same; nothing is compressed.
        init() {
            root = PMTilesDirectory.encode([
                PMTilesEntry(id: TileID(0), offset: 0, length: 4, runLength: 1),
                PMTilesEntry(id: TileID(3), offset: 4, length: 6, runLength: 2),
            ])
            header.addressedTiles = 3
            header.tileEntries = 2
            header.tileContents = 2
            header.isClustered = true
            header.internalCompression = .none
            header.tileCompression = .none
            header.tileType = .png
            header.maxZoom = 1
            header.bounds = [0, 0, 10, 10]
            header.center = [5, 5]
        }

        /// One part behind the other.
        mutating func place() {
            var end = UInt64(127)
            func section(_ bytes: [UInt8]) -> PMTilesHeader.Section {
                defer { end += UInt64(bytes.count) }
                return .init(offset: end, length: UInt64(bytes.count))
            }
            header.root = section(root)
            header.metadata = section(metadata)
            header.leaves = section(leaves)
            header.data = section(data)
        }

        var bytes: [UInt8] { header.encoded + root + metadata + leaves + data }
    }

    private func faults(
        _ change: (inout Parts) -> Void, thenHeader: (inout PMTilesHeader) -> Void = { _ in }
    ) throws -> [String] {
        var parts = Parts()
        change(&parts)
        parts.place()
        thenHeader(&parts.header)
        try site.write(parts.bytes)
        return try site.faults()
    }

    @Test("a header without the length of the tile data is a fault, but the tiles are read")
    func noLength() throws {
        let said = try faults({ _ in }, thenHeader: { $0.data.length = 0 })
        #expect(said == ["header gives 0 as the length of its tile data"])
        #expect(try site.tiles().map(\.text) == ["0/0/0 0123", "1/1/1 456789", "1/1/0 456789"])
    }

    @Test("a correct archive has no fault")
    func sound() throws {
        #expect(try faults({ _ in }) == [])
        #expect(try site.tiles().map(\.text) == ["0/0/0 0123", "1/1/1 456789", "1/1/0 456789"])
    }

    struct Change: CustomTestStringConvertible {
        var fault: String
        var change: @Sendable (inout PMTilesHeader) -> Void
        var testDescription: String { fault }
    }

    @Test(
        "each wrong number of a header is found, and nothing else",
        arguments: [
            Change(fault: "header counts 4 addressed tiles, but there are 3") {
                $0.addressedTiles = 4
            },
            Change(fault: "header counts 3 tile entries, but there are 2") { $0.tileEntries = 3 },
            Change(fault: "header counts 1 tile contents, but there are 2") { $0.tileContents = 1 },
            Change(fault: "header says that the lowest zoom is 1, but it is 0") {
                ($0.minZoom, $0.centerZoom) = (1, 1)
            },
            Change(fault: "header says that the highest zoom is 7, but it is 1") { $0.maxZoom = 7 },
            Change(fault: "header has empty bounds, in which some clients show nothing") {
                $0.bounds = [5, 0, 5, 10]
            },
            Change(fault: "header has bounds beyond the Earth") { $0.bounds[3] = 900_000_001 },
            Change(fault: "header has a centre outside its bounds") { $0.center = [11, 5] },
            Change(fault: "header has a centre zoom 2 outside its zooms") {
                $0.centerZoom = 2
            },
            Change(fault: "header does not say what the tiles are") { $0.tileType = .other },
            Change(fault: "header does not say whether the tiles are compressed") {
                $0.tileCompression = .unknown
            },
            Change(fault: "header gives 0 as the offset of its leaf directories") {
                $0.leaves.offset = 0
            },
        ])
    func header(change: Change) throws {
        #expect(try faults({ _ in }, thenHeader: { change.change(&$0) }) == [change.fault])
    }

    @Test("parts that overlap, are cut off, or do not add up")
    func sections() throws {
        #expect(
            try faults({ _ in }, thenHeader: { $0.data.length += 5 }).contains(
                "tile data is beyond the end of the file"))
        #expect(
            try faults({ $0.data += [1, 2] }, thenHeader: { $0.data.length -= 2 }) == [
                "file is not as long as the sum of its parts"
            ])
        #expect(
            try faults({ _ in }, thenHeader: { $0.metadata.offset -= 1 }).contains(
                "metadata overlaps the part before it"))
        #expect(
            try faults({ _ in }, thenHeader: { $0.root.offset = .max }).contains(
                "root directory is beyond the end of the file"))
    }

    @Test("directories that are out of order, empty, or lead outside")
    func directories() throws {
        func entry(
            _ id: UInt64, _ offset: UInt64, _ length: UInt32, run: UInt32 = 1
        ) -> PMTilesEntry {
            PMTilesEntry(id: TileID(id), offset: offset, length: length, runLength: run)
        }
        func faults(_ entries: [PMTilesEntry], leaves: [UInt8] = []) throws -> [String] {
            try self.faults {
                $0.root = PMTilesDirectory.encode(entries)
                $0.leaves = leaves
                ($0.header.addressedTiles, $0.header.tileEntries) = (0, 0)
                ($0.header.tileContents, $0.header.maxZoom) = (0, 0)
            }
        }
        let ascending = "root directory is not in ascending order, or has a tile twice"
        #expect(try faults([entry(0, 0, 10), entry(0, 0, 10)]) == [ascending])
        #expect(try faults([entry(0, 0, 10, run: 2), entry(1, 0, 10)]) == [ascending])
        #expect(try faults([entry(0, 4, 10)]) == ["tile 0/0/0 is outside the tile data"])
        #expect(
            try faults([entry(0, 0, 4)]) == ["tile data has 6 bytes that belong to no tile"])
        #expect(
            try faults([entry(0, 3, 7)]) == [
                "tile 0/0/0 is out of order, but the header says that the archive is clustered",
                "tile data has 3 bytes that belong to no tile",
            ])
        #expect(
            try faults([entry(TileID.end, 0, 10)]) == ["root directory has tiles beyond zoom 30"])
        #expect(
            try faults([entry(TileID.end - 1, 0, 10, run: 2)]) == [
                "root directory has tiles beyond zoom 30"
            ])
        #expect(
            try faults([entry(0, 99, 5, run: 0)]) == [
                "leaf directory at 99 is beyond the end of the file"
            ])
        let leaf = PMTilesDirectory.encode([entry(1, 0, 10)])
        #expect(
            try faults([entry(0, 0, UInt32(leaf.count), run: 0)], leaves: leaf) == [
                "leaf directory at 0 does not begin with the tile that its entry names"
            ])
    }

    @Test("tiles that overlap are found")
    func overlaps() throws {
        let found = try faults {
            $0.root = PMTilesDirectory.encode([
                PMTilesEntry(id: TileID(0), offset: 0, length: 6, runLength: 1),
                PMTilesEntry(id: TileID(3), offset: 4, length: 6, runLength: 2),
            ])
        }
        #expect(found == ["tile data has 1 tile beginning inside others"])
    }

    @Test("a directory that refers to itself is nested too deep")
    func recursion() throws {
        let pointer = PMTilesEntry(id: TileID(0), offset: 0, length: 5, runLength: 0)
        let leaf = PMTilesDirectory.encode([pointer])
        #expect(leaf.count == 5)
        let found = try faults {
            $0.root = leaf
            $0.leaves = leaf
        }
        #expect(found == ["leaf directory at 0 is nested too deep"])
    }

    @Test(
        "metadata that is not an object is found", arguments: ["[]", "7", "", "{", #"{"name": }"#])
    func metadata(json: String) throws {
        #expect(try faults({ $0.metadata = Array(json.utf8) }) == ["metadata is not a JSON object"])
    }

    @Test("another compression, or damage, is reported")
    func compression() throws {
        let gzip = try faults { $0.header.internalCompression = .gzip }
        #expect(gzip == ["metadata cannot be inflated", "root directory cannot be inflated"])
        let zstd = try faults { $0.header.internalCompression = .zstd }
        #expect(zstd.last == "root directory is compressed with Zstandard: only gzip is supported")
        let failure = try #require(throws: Failure.self) { try PMTilesReader(site.path).limits() }
        #expect(failure.kind == .badInput)
        #expect(failure.message.hasSuffix(zstd.last ?? "-"))
    }

    @Test("other files are not archives")
    func otherFiles() throws {
        for (text, fault) in [
            ("", "header does not begin with 'PMTiles': it is another file"),
            ("SQLite format 3", "header does not begin with 'PMTiles': it is another file"),
            ("PM\u{2}", "header has an older version: only version 3 is supported"),
            ("PMTiles\u{3}", "header is cut off after 8 of 127 bytes"),
            (
                "PMTiles\u{4}" + String(repeating: " ", count: 200),
                "header has version 4: only version 3 is supported"
            ),
        ] {
            try site.write(Array(text.utf8))
            #expect(try site.faults() == [fault])
            let failure = try #require(throws: Failure.self) { try site.tiles() }
            #expect(failure.kind == .badInput)
        }
        let missing = try #require(throws: Failure.self) { try PMTilesReader("/no/such.pmtiles") }
        #expect(missing.kind == .missingInput)
        let directory = try #require(throws: Failure.self) { try PMTilesReader("/tmp") }
        #expect(directory.kind == .badInput)
    }

    @Test("tiles compressed by gzip are decompressed, vector tiles are refused")
    func tileCompression() throws {
        let packed = try Gzip.compress(Array("hello".utf8))
        _ = try faults {
            $0.data = packed
            $0.root = PMTilesDirectory.encode([
                PMTilesEntry(
                    id: TileID(0), offset: 0, length: UInt32(packed.count), runLength: 1)
            ])
            $0.header.tileCompression = .gzip
            $0.header.tileType = .vector
        }
        #expect(try site.tiles().map(\.text) == ["0/0/0 hello"])
        let failure = try #require(throws: Failure.self) { try PMTilesReader(site.path).statement() }
        #expect(failure.message.contains("vector tiles"))
    }

    @Test("too much memory is refused before it is allocated")
    func bombs() throws {
        let zeros = try Gzip.compress([UInt8](repeating: 0, count: 17 << 20))
        let packedMetadata = try Gzip.compress(Array("{}".utf8))
        let bomb = try faults {
            $0.root = zeros
            $0.metadata = packedMetadata
            $0.header.internalCompression = .gzip
        }
        #expect(bomb.last == "root directory cannot be inflated")

        // A file that takes no disk space.
        _ = try faults({ _ in }, thenHeader: { $0.root.length = 5 << 30 })
        let file = try FileHandle(forWritingTo: URL(filePath: site.path))
        try file.truncate(atOffset: 6 << 30)
        try file.close()
        #expect(
            try site.faults().last
                == "root directory has 5368709120 bytes: at most 4194304 are read")
        #expect(throws: Failure.self) { try site.tiles() }
    }

    @Test("a damaged byte never causes a crash", .long)
    func damage() throws {
        try site.build(manyTiles(300))
        let bytes = try site.bytes
        let header = try PMTilesReader(site.path).header.get()
        var random = SplitMix(seed: 11)
        // Tiles may be any bytes; everything before them is parsed.
        for position in 0..<Int(header.data.offset) {
            var damaged = bytes
            damaged[position] = .random(in: 0...255, using: &random)
            try site.write(damaged)
            _ = try site.faults()
            let file = try PMTilesReader(site.path)
            var tiles = 0
            struct Enough: Error {}
            do {
                _ = try file.statement()
                _ = try file.limits()
                try file.forEachTile { _ in
                    tiles += 1
                    if tiles > 1000 { throw Enough() }
                }
            } catch let failure as Failure {
                #expect(failure.kind == .badInput)
            } catch is Enough {}
        }
        for count in stride(from: 0, to: bytes.count, by: 101) {
            try site.write(Array(bytes[..<count]))
            #expect(try site.faults() != [])
        }
    }
}
