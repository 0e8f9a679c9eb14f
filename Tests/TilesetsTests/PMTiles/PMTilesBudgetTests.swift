import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Archives that claim more than their size explains, and honest ones that claim much.
@Suite struct PMTilesBudgetTests {
    private typealias Parts = PMTilesCheckTests.Parts

    private let site: PMTilesSite

    init() throws { site = try PMTilesSite() }

    private func entry(_ id: UInt64, _ offset: Int, _ length: Int, run: UInt32 = 1) -> PMTilesEntry {
        PMTilesEntry(id: TileID(id), offset: UInt64(offset), length: UInt32(length), runLength: run)
    }

    /// Opens an archive whose parts are changed.
    private func reader(
        tiles: Int = 1000, _ change: (inout Parts) throws -> Void
    ) throws -> PMTilesReader {
        var parts = Parts()
        try change(&parts)
        parts.place()
        try site.write(parts.bytes)
        return try PMTilesReader(site.path, budget: ReadingBudget(tiles: tiles))
    }

    /// All passes over the tiles, by name.
    private static let passes: [(String, @Sendable (PMTilesReader) throws -> Void)] = [
        ("limits", { _ = try $0.limits() }), ("tiles", { try $0.forEachTile { _ in } }),
        ("survey", { _ = try $0.survey() }),
        (
            "ledger",
            { reader in
                var ledger = TileLedger()
                // Compressed tiles are not copied.
                do { try reader.readTiles(into: &ledger) } catch is DamagedArchive {}
            }
        ),
        ("check", { try $0.check({ _ in }, tiles: { _ in }) }),
    ]

    private func expectRefusal(_ reader: PMTilesReader, kind: Failure.Kind, in names: Set<String>) {
        for (name, pass) in Self.passes {
            if names.contains(name) {
                let failure = #expect(throws: Failure.self, "\(name)") { try pass(reader) }
                #expect(failure?.kind == kind, "\(name): \(failure.map { "\($0)" } ?? "-")")
            } else {
                #expect(throws: Never.self, "\(name)") { try pass(reader) }
            }
        }
    }

    @Test("a run of more tiles than allowed is refused by its number, by every reader")
    func run() throws {
        let reader = try reader {
            $0.root = PMTilesDirectory.encode([entry(0, 0, 10, run: .max)])
            $0.header.addressedTiles = 1
        }
        expectRefusal(reader, kind: .usage, in: Set(Self.passes.map(\.0)))
        let failure = try #require(throws: Failure.self) { try reader.limits() }
        #expect(failure.message.contains("it says that it holds 4294967295 tiles or more"))
        #expect(throws: Failure.self) { try reader.firstTile() }
    }

    @Test("runs with too many tiles together are refused, with the larger number of the header")
    func runs() throws {
        let reader = try reader {
            $0.root = PMTilesDirectory.encode((0..<20).map { entry(100 * $0, 0, 10, run: 99) })
            $0.header.addressedTiles = 1 << 40
        }
        let failure = try #require(throws: Failure.self) { try reader.limits() }
        #expect(failure.message.contains("holds 1099511627776 tiles or more"))
    }

    @Test("a run over the ocean is read, up to the number of tiles that is allowed")
    func ocean() throws {
        for run in [1000, 1001] as [UInt32] {
            let reader = try reader {
                $0.root = PMTilesDirectory.encode([entry(TileID.first(ofZoom: 8).number, 0, 10, run: run)])
            }
            var count = 0
            if run == 1000 {
                try reader.forEachTile { _ in count += 1 }
                #expect(count == 1000)
            } else {
                #expect(throws: Failure.self) { try reader.forEachTile { _ in count += 1 } }
                #expect(count == 0)
            }
        }
    }

    /// A content of a megabyte that many tiles share, as separate entries or as a run.
    @Test("reading a large content of many tiles stops", arguments: [false, true])
    func sharedContent(isRun: Bool) throws {
        let reader = try reader {
            $0.data = [UInt8](repeating: 7, count: 1 << 20)
            $0.root = PMTilesDirectory.encode(
                isRun
                    ? [entry(1, 0, 1 << 20, run: 900)]
                    : (0..<900).map { entry(2 * $0, 0, 1 << 20) })
        }
        // Hashes are taken once for a run.
        expectRefusal(reader, kind: .badInput, in: isRun ? ["tiles"] : ["tiles", "ledger"])
        var faults: [String] = []
        var tiles = 0
        try reader.check({ faults.append("\($0)") }, tiles: { _ in tiles += 1 })
        #expect(
            faults.contains(
                "the archive: was not read to its end: it takes far too long to read for its size"))
        #expect(tiles < 40)
    }

    @Test("a content that is a hole in the file is not read again and again")
    func hole() throws {
        let length = 20 << 20
        _ = try reader {
            $0.data = []
            $0.root = PMTilesDirectory.encode((0..<900).map { entry(2 * $0, 0, length) })
        }
        var bytes = try site.bytes
        // The length of the tile data.
        withUnsafeBytes(of: UInt64(length).littleEndian) { bytes.replaceSubrange(64..<72, with: $0) }
        try site.write(bytes)
        let file = try FileHandle(forWritingTo: URL(filePath: site.path))
        try file.truncate(atOffset: UInt64(bytes.count + length))
        try file.close()
        var tiles = 0
        #expect(throws: Failure.self) { try PMTilesReader(site.path).forEachTile { _ in tiles += 1 } }
        #expect(tiles < 20)
    }

    @Test("reading tiles that expand too much stops")
    func inflation() throws {
        let bomb = try Gzip.compress([UInt8](repeating: 0, count: 8 << 20))
        let reader = try reader {
            $0.data = bomb + bomb
            $0.root = PMTilesDirectory.encode([entry(1, 0, bomb.count), entry(2, bomb.count, bomb.count)])
            $0.header.tileCompression = .gzip
        }
        expectRefusal(reader, kind: .badInput, in: ["tiles"])
        #expect(try reader.tile(at: TileCoordinate(zoom: 1, column: 0, row: 0))?.count == 8 << 20)
    }

    @Test("reading leaves that overlap stops")
    func overlappingLeaves() throws {
        let leaves = try (0..<40).map { try Gzip.compress(PMTilesDirectory.encode([entry(100 + $0, 0, 4)])) }
        // Each leaf extends to the end, which contains its decompressed length.
        let all = leaves.flatMap(\.self) + [UInt8](repeating: 0, count: 20_000) + leaves[0].suffix(4)
        let reader = try reader {
            var (offset, pointers): (Int, [PMTilesEntry]) = (0, [])
            for (index, leaf) in leaves.enumerated() {
                pointers.append(entry(UInt64(100 + index), offset, all.count - offset, run: 0))
                offset += leaf.count
            }
            $0.root = try Gzip.compress(PMTilesDirectory.encode(pointers))
            $0.metadata = try Gzip.compress(Array("{}".utf8))
            $0.leaves = all
            $0.header.internalCompression = .gzip
        }
        expectRefusal(reader, kind: .badInput, in: ["limits", "tiles", "survey", "ledger"])
    }

    @Test("leaves that refer to themselves, or one leaf for several entries, are damage")
    func cycles() throws {
        let cycle = PMTilesDirectory.encode([entry(1, 0, 5, run: 0)])
        let own = try reader {
            $0.root = PMTilesDirectory.encode([entry(1, 0, cycle.count, run: 0)])
            $0.leaves = cycle
        }
        expectRefusal(own, kind: .badInput, in: ["limits", "tiles", "survey", "ledger"])
        let leaf = PMTilesDirectory.encode([entry(1, 0, 4, run: 2)])
        let shared = try reader {
            $0.root = PMTilesDirectory.encode((0..<100).map { _ in entry(1, 0, leaf.count, run: 0) })
            $0.leaves = leaf
        }
        expectRefusal(shared, kind: .badInput, in: ["limits", "tiles", "survey", "ledger"])
    }

    @Test("directories on the path to a tile are cached, even large ones; others as far as they fit")
    func keptDirectories() throws {
        let kept = KeptDirectories()
        var reads = 0
        func read(_ number: Int, entries: Int) throws {
            _ = try kept.directory(in: .init(offset: UInt64(number), length: 1)) {
                reads += 1
                return [PMTilesEntry](repeating: entry(0, 0, 1), count: entries)
            }
        }
        for _ in 0..<5 { for number in 0..<4 { try read(number, entries: ReadingBudget.keptEntries) } }
        #expect(reads == 4)
        for number in 10..<12 { try read(number, entries: 10) }
        reads = 0
        try read(0, entries: 1)
        #expect(reads == 1)
        for number in 20..<80 { try read(number, entries: 4096) }
        reads = 0
        for number in 20..<80 { try read(number, entries: 4096) }
        #expect(reads == 0)
    }
}
