import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Archives of other programs, put together by hand as version 3 of the specification has them.
@Suite struct PMTilesReaderTests {
    private typealias Parts = PMTilesCheckTests.Parts

    private let site: PMTilesSite

    init() throws { site = try PMTilesSite() }

    private func entry(
        _ id: UInt64, _ offset: UInt64, _ length: Int, run: UInt32 = 1
    ) -> PMTilesEntry {
        PMTilesEntry(id: TileID(id), offset: offset, length: UInt32(length), runLength: run)
    }

    /// Opens an archive whose parts are changed, one behind the other.
    private func reader(_ change: (inout Parts) -> Void = { _ in }) throws -> PMTilesReader {
        var parts = Parts()
        change(&parts)
        parts.place()
        try site.write(parts.bytes)
        return try PMTilesReader(site.path)
    }

    private func faults(of reader: PMTilesReader) throws -> (faults: [String], tiles: [String]) {
        var (faults, tiles): ([String], [String]) = ([], [])
        try reader.check({ faults.append("\($0)") }, tiles: { tiles.append($0.text) })
        return (faults, tiles)
    }

    @Test("a tile is found in the root or in a leaf, and an ID between entries has no tile")
    func oneTile() throws {
        // IDs of the specification: 1/0/0 is 1, 1/0/1 2, 1/1/1 3, 1/1/0 4, and 2/0/0 5.
        let leaves = [
            PMTilesDirectory.encode([entry(1, 4, 2, run: 2)]), PMTilesDirectory.encode([entry(5, 6, 4)]),
        ]
        let reader = try reader {
            $0.root = PMTilesDirectory.encode([
                entry(0, 0, 4), entry(1, 0, leaves[0].count, run: 0),
                entry(5, UInt64(leaves[0].count), leaves[1].count, run: 0),
            ])
            $0.leaves = leaves[0] + leaves[1]
            $0.header.maxZoom = 2
        }
        for (zoom, column, row, text) in [
            (0, 0, 0, "0123"), (1, 0, 0, "45"), (1, 0, 1, "45"), (1, 1, 1, nil), (1, 1, 0, nil),
            (2, 0, 0, "6789"), (2, 1, 0, nil), (30, 7, 9, nil),
        ] as [(Int, Int, Int, String?)] {
            let bytes = try reader.tile(at: TileCoordinate(zoom: zoom, column: column, row: row))
            #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == text, "\(zoom)/\(column)/\(row)")
        }
        #expect(try reader.firstTile()?.text == "0/0/0 0123")
    }

    @Test("the offsets of sections are used, but not their lengths", arguments: [0, 1, 9])
    func lengths(length: UInt64) throws {
        let leaf = PMTilesDirectory.encode([entry(1, 4, 2, run: 2)])
        var parts = Parts()
        parts.root = PMTilesDirectory.encode([entry(0, 0, 4), entry(1, 0, leaf.count, run: 0)])
        parts.leaves = leaf
        parts.place()
        (parts.header.leaves.length, parts.header.data.length) = (length, length)
        try site.write(parts.bytes)
        #expect(try site.tiles().map(\.text) == ["0/0/0 0123", "1/0/0 45", "1/0/1 45"])
        #expect(try PMTilesReader(site.path).survey().levels.map(\.tiles) == [1, 2])
        #expect(try !site.faults().isEmpty)
    }

    @Test("there is no tile before the first, and damage on the path to a tile is reported")
    func noTile() throws {
        let world = TileCoordinate(zoom: 0, column: 0, row: 0)
        #expect(
            try reader { $0.root = PMTilesDirectory.encode([entry(3, 0, 10)]) }.tile(at: world) == nil)
        for (root, problem) in [
            ([entry(0, 99, 5, run: 0)], "its leaf directory at 99 is beyond the end of the file"),
            ([entry(0, 8, 5)], "its tile 0/0/0 is beyond the end of the file"),
        ] {
            let reader = try reader { $0.root = PMTilesDirectory.encode(root) }
            let failure = try #require(throws: Failure.self) { try reader.tile(at: world) }
            #expect(failure.kind == .badInput && failure.message.hasSuffix(problem), "\(failure)")
        }
    }

    /// The first bytes of files: PNG (section 5.2), JPEG (SOI and a marker), and WebP's container.
    static let signatures: [(bytes: [UInt8], format: TileFormat?)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], .png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        (Array("RIFF1234WEBPVP8L".utf8), .webp), (Array("RIFF1234WAVEfmt ".utf8), nil),
        (Array("GIF89a".utf8), nil), ([0x1A], nil),
    ]

    @Test("if the header does not state the type of the tiles, the first tile does", arguments: signatures)
    func unnamedType(bytes: [UInt8], format: TileFormat?) throws {
        let reader = try reader {
            $0.data = bytes
            $0.root = PMTilesDirectory.encode([entry(0, 0, bytes.count)])
            $0.header.tileType = .other
        }
        guard let format else {
            let failure = try #require(throws: Failure.self) { try reader.statement() }
            #expect(failure.kind == .badInput)
            #expect(failure.message.hasSuffix("its header does not say what the tiles are"))
            return
        }
        guard case .pmtiles(_, _, let found) = try reader.statement() else {
            throw CocoaError(.coderInvalidValue)
        }
        #expect(found == format)
    }

    @Test("the type of an archive's tiles is the header's", arguments: [2, 3, 4])
    func namedType(number: UInt8) throws {
        let reader = try reader { $0.header.tileType = .init(rawValue: number) }
        let formats: [UInt8: TileFormat] = [2: .png, 3: .jpeg, 4: .webp]
        guard case .pmtiles(_, _, let format) = try reader.statement() else {
            throw CocoaError(.coderInvalidValue)
        }
        #expect(format == formats[number])
    }

    @Test(
        "tiles that are not images are refused with their type",
        arguments: [(1, "vector tiles"), (5, "AVIF"), (9, "of an unknown type (9)")])
    func otherTypes(number: UInt8, name: String) throws {
        let reader = try reader { $0.header.tileType = .init(rawValue: number) }
        let failure = try #require(throws: Failure.self) { try reader.statement() }
        #expect(failure.message.hasSuffix("its tiles are \(name), not PNG, JPEG or WebP"))
    }

    @Test(
        "an unsupported compression is refused with its name",
        arguments: [
            (0, "an unknown method (0)"), (3, "Brotli"), (4, "Zstandard"), (7, "an unknown method (7)"),
        ])
    func compressions(number: UInt8, name: String) throws {
        let reader = try reader { $0.header.internalCompression = .init(rawValue: number) }
        let failure = try #require(throws: Failure.self) { try reader.limits() }
        #expect(
            failure.message.hasSuffix(
                "its root directory is compressed with \(name): only gzip is supported"))
        let faults = try faults(of: reader).faults
        #expect(
            faults.contains("header: does not say how directories are compressed") == (number == 0),
            "\(faults)")
    }

    @Test("tiles of an unknown compression are read as they are")
    func unknownCompression() throws {
        _ = try reader { $0.header.tileCompression = .unknown }
        #expect(try site.tiles().map(\.text) == ["0/0/0 0123", "1/1/1 456789", "1/1/0 456789"])
    }

    @Test("an archive without metadata has an empty object")
    func noMetadata() throws {
        guard case .pmtiles(let json, _, _) = try reader({ $0.metadata = [] }).statement() else {
            throw CocoaError(.coderInvalidValue)
        }
        #expect(json == Array("{}".utf8))
    }

    @Test("a file that becomes shorter while it is read is not a damaged archive")
    func shortened() throws {
        let reader = try reader()
        #expect(truncate(site.path, 130) == 0)
        let failure = try #require(throws: Failure.self) { try reader.limits() }
        #expect(failure.kind == .inputOutput)
        #expect(failure.message == "cannot read '\(site.path)': it was truncated while it was read")
    }

    @Test("a check reads the tiles that are intact, and reports each problem once")
    func check() throws {
        let sound = try faults(of: reader())
        #expect(sound.faults == [])
        #expect(sound.tiles == ["0/0/0 0123", "1/1/1 456789", "1/1/0 456789"])

        try site.write(Array("PMTiles\u{3}".utf8))
        let cut = try faults(of: PMTilesReader(site.path))
        #expect(cut.faults == ["header: is cut off after 8 of 127 bytes"] && cut.tiles == [])

        let packed = try Gzip.compress(Array("hello".utf8))
        let damaged = try faults(
            of: reader {
                $0.data = packed + [0, 1, 2]
                $0.root = PMTilesDirectory.encode([
                    entry(0, 0, packed.count), entry(3, UInt64(packed.count), 3),
                ])
                $0.header.tileCompression = .gzip
                ($0.header.addressedTiles, $0.header.tileEntries) = (2, 2)
            })
        #expect(damaged.faults == ["tile 1/1/1: cannot be inflated"])
        #expect(damaged.tiles == ["0/0/0 hello"])
    }

    @Test("only a clustered archive must have its tiles in order")
    func unclustered() throws {
        func faults(isClustered: Bool) throws -> [String] {
            try self.faults(
                of: reader {
                    $0.root = PMTilesDirectory.encode([entry(0, 6, 4), entry(3, 0, 6, run: 2)])
                    $0.header.isClustered = isClustered
                }
            ).faults
        }
        #expect(try faults(isClustered: false) == [])
        #expect(
            try faults(isClustered: true)
                == ["tile 0/0/0: is out of order, but the header says that the archive is clustered"])
    }

    @Test("an archive that claims millions of tiles in a few bytes is not reused")
    func tooManyTiles() throws {
        func tiles(run: UInt32) throws -> Int? {
            let root = PMTilesDirectory.encode([
                PMTilesEntry(id: .first(ofZoom: 30), offset: 0, length: 10, runLength: run)
            ])
            let (packedRoot, packedMetadata) = (try Gzip.compress(root), try Gzip.compress(Array("{}".utf8)))
            return try reader {
                ($0.root, $0.metadata) = (packedRoot, packedMetadata)
                $0.header.internalCompression = .gzip
                ($0.header.addressedTiles, $0.header.tileEntries, $0.header.tileContents) = (0, 1, 1)
                ($0.header.minZoom, $0.header.maxZoom) = (30, 30)
            }.intactAddresses()?.count
        }
        #expect(try tiles(run: 5) == 5)
        let failure = try #require(throws: Failure.self) { try tiles(run: .max) }
        #expect(failure.kind == .usage, "\(failure)")
    }

    @Test("directories that do not fit into a root are divided into leaves, in order")
    func leaves() throws {
        // Numbers of many digits, which cannot be compressed into 16 KiB.
        var random = SplitMix(seed: 5)
        var id: UInt64 = 0
        let entries = (0..<8192).map { _ in
            id += .random(in: 1...1 << 20, using: &random)
            return entry(
                id, .random(in: 0...1 << 40, using: &random), .random(in: 1...1 << 20, using: &random))
        }
        let directories = try PMTilesDirectories(entries, count: entries.count)
        func decoded(_ bytes: [UInt8]) throws -> [PMTilesEntry] {
            let directory = try #require(try Gzip.decompress(bytes, limit: 1 << 24))
            return try PMTilesDirectory.decode(directory, place: "directory")
        }
        let pointers = try decoded(directories.root)
        #expect(pointers.count == 2 && pointers.allSatisfy { $0.runLength == 0 })
        let leaves = try pointers.flatMap { pointer in
            try decoded(Array(directories.leaves[Int(pointer.offset)...].prefix(Int(pointer.length))))
        }
        #expect(leaves == entries)
        #expect(pointers.map(\.id) == [entries[0].id, entries[4096].id])
    }
}
