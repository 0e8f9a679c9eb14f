import Foundation
import TestSupport
import Testing

@testable import Tilesets

@Suite struct PMTilesDirectoryTests {
    private func entry(
        _ id: UInt64, _ offset: UInt64, _ length: UInt32, run: UInt32 = 1
    ) -> PMTilesEntry {
        PMTilesEntry(id: TileID(id), offset: offset, length: length, runLength: run)
    }

    @Test("a directory has the bytes of the specification")
    func bytes() throws {
        // Four entries: one that follows the one before, a back reference, a run, and a leaf.
        let entries = [
            entry(0, 0, 300), entry(5, 300, 7), entry(6, 0, 300, run: 2),
            entry(200, 999, 1, run: 0),
        ]
        let bytes: [UInt8] = [
            4, 0, 5, 1, 0xC2, 0x01, 1, 1, 2, 0, 0xAC, 0x02, 7, 0xAC, 0x02, 1, 1, 0, 1, 0xE8, 0x07,
        ]
        #expect(PMTilesDirectory.encode(entries) == bytes)
        #expect(try PMTilesDirectory.decode(bytes, place: "root") == entries)
    }

    @Test("directories are decoded as they were encoded")
    func roundTrip() throws {
        var random = SplitMix(seed: 3)
        var id: UInt64 = 0
        let entries = (0..<10_000).map { _ in
            id += .random(in: 1...1 << 40, using: &random)
            return entry(
                id, .random(in: 0...1 << 50, using: &random),
                .random(in: 1...UInt32.max, using: &random), run: .random(in: 0...9, using: &random)
            )
        }
        #expect(
            try PMTilesDirectory.decode(PMTilesDirectory.encode(entries), place: "root") == entries)
    }

    @Test(
        "damaged directories are errors",
        arguments: [
            [], [0], [1], [1, 0, 1], [1, 0, 1, 1], [1, 0, 1, 0, 1], [1, 0, 1, 1, 0],
            [1, 0, 1, 1, 1, 0], [0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0, 0, 0],
            [2, 0, 1, 1, 1, 1, 1, 1],
            // A number of more than 64 bits, and a run of more than 32.
            [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02, 1, 1, 1],
            [1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 1, 1],
            // IDs and ends that overflow.
            [
                2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 1, 1, 1, 1, 1, 1, 1,
            ],
            [1, 0, 1, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
        ] as [[UInt8]])
    func damaged(bytes: [UInt8]) {
        #expect(throws: PMTilesDamage.self) {
            try PMTilesDirectory.decode(bytes, place: "root")
        }
    }

    @Test("gzip decompresses what it compressed, and stops at its limit")
    func gzip() throws {
        for count in [0, 1, 100_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
            let packed = try Gzip.compress(bytes)
            #expect(try Gzip.decompress(packed, limit: count) == bytes)
            if count > 0 { #expect(try Gzip.decompress(packed, limit: count - 1) == nil) }
            #expect(try Gzip.decompress(packed.dropLast(9) + [], limit: count) == nil)
        }
        #expect(try Gzip.decompress([], limit: 9) == nil)
        // A length of 4 GB that is not there.
        let liar = try Gzip.compress([1, 2, 3]).dropLast(4) + [0xFF, 0xFF, 0xFF, 0xFF]
        #expect(try Gzip.decompress(liar + [], limit: .max) == nil)
    }

    @Test("a header of 127 bytes is decoded as it was encoded")
    func header() throws {
        var header = PMTilesHeader()
        header.root = .init(offset: 127, length: 1 << 40)
        header.leaves = .init(offset: .max, length: 3)
        header.tileContents = 9
        header.isClustered = true
        header.tileType = .webp
        header.bounds = [-1_800_000_000, -850_511_287, 1_800_000_000, 5]
        header.center = [-7, 8]
        header.centerZoom = 30
        #expect(header.encoded.count == 127)
        #expect(try PMTilesHeader(decoding: header.encoded) == header)
    }
}
