import Platform
import Foundation
import TestSupport
import Testing
@testable import Tilesets
import Tiling

/// The file of a shard: only what was written is read back.
struct ShardFileTests {
    private static let identity = ShardIdentity(digest: ContentHash(of: "a job"), index: 17)

    private static let tiles = (0..<20).map { index in
        EncodedTile(
            coordinate: TileCoordinate(zoom: 12, column: 2000 + index, row: 1000),
            bytes: (0..<index * 37).map { UInt8(truncatingIfNeeded: $0 * index) })
    }

    private static func write(in folder: Directory, _ tiles: [EncodedTile] = tiles) throws {
        var writer = try ShardWriter(identity, in: folder)
        for (index, tile) in tiles.enumerated() {
            try writer.write(tile)
            if index % 3 == 0 { try writer.keep(tile) }
        }
        #expect(writer.tileCount == tiles.count)
        try writer.finish()
    }

    private func folder() throws -> (TemporaryDirectory, Directory) {
        let place = try TemporaryDirectory()
        return (place, try #require(try Directory.open(place.url.path)))
    }

    @Test("pieces are read back in their order")
    func roundTrip() throws {
        let (place, folder) = try folder()
        defer { _ = place }
        try Self.write(in: folder)
        #expect(try folder.names() == ["17.shard"])
        let reader = try ShardReader(Self.identity, in: folder)
        let found = try reader.pieces.filter { $0.kind == .tile }.map {
            EncodedTile(coordinate: $0.coordinate, bytes: try reader.bytes(of: $0))
        }
        #expect(found == Self.tiles)
        #expect(reader.pieces.count { $0.kind == .pixels } == 7)
    }

    @Test("the file is always the same, even without pieces")
    func sameBytes() throws {
        let (place, folder) = try folder()
        defer { _ = place }
        for tiles in [Self.tiles, []] {
            try Self.write(in: folder, tiles)
            let first = try folder.readFile("17.shard", most: 1 << 20)
            try Self.write(in: folder, tiles)
            #expect(try folder.readFile("17.shard", most: 1 << 20) == first)
            #expect(try ShardReader(Self.identity, in: folder).pieces.isEmpty == tiles.isEmpty)
        }
    }

    @Test("two simultaneous runs leave one file, and nothing of a killed run remains")
    func twins() throws {
        let (place, folder) = try folder()
        defer { _ = place }
        var writers = try (0..<2).map { _ in try ShardWriter(Self.identity, in: folder) }
        for index in writers.indices { try writers[index].write(Self.tiles[5]) }
        try folder.writeFile("17.shard.0123456789abcdef.tilewright-partial", [1])
        for index in writers.indices { try writers[index].finish() }
        #expect(try folder.names() == ["17.shard"])
        #expect(try ShardReader(Self.identity, in: folder).pieces.count == 1)
    }

    @Test("a shard of another job or number is distinguished from a damaged one")
    func foreign() throws {
        let (place, folder) = try folder()
        defer { _ = place }
        try Self.write(in: folder)
        let other = ShardIdentity(digest: ContentHash(of: "another"), index: 17)
        #expect(throws: ShardReader.Fault.foreign) { try ShardReader(other, in: folder) }
        _ = try folder.moveFile("17.shard", to: folder, as: "18.shard")
        let next = ShardIdentity(digest: Self.identity.digest, index: 18)
        #expect(throws: ShardReader.Fault.foreign) { try ShardReader(next, in: folder) }
        #expect(throws: ShardReader.Fault.missing) { try ShardReader(Self.identity, in: folder) }
    }

    @Test("each flipped bit and each cut is found")
    func damage() throws {
        let (place, folder) = try folder()
        defer { _ = place }
        try Self.write(in: folder)
        let whole = try #require(try folder.readFile("17.shard", most: 1 << 20))
        var random = SplitMix(seed: 20)
        for round in 0..<1000 {
            var bytes = whole
            if round % 10 == 0 {
                bytes.removeLast(Int.random(in: 1...whole.count, using: &random))
            } else {
                let place = Int.random(in: 0..<whole.count, using: &random)
                bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            try folder.writeFile("17.shard", bytes)
            #expect(throws: ShardReader.Fault.self, "round \(round)") {
                let reader = try ShardReader(Self.identity, in: folder)
                for piece in reader.pieces { _ = try reader.bytes(of: piece) }
            }
        }
    }

    @Test("packed pixels are unpacked, and damaged ones are refused")
    func pixels() throws {
        let packer = try PackedPixels()
        var random = SplitMix(seed: 3)
        for kind in 0..<4 {
            var pixels: [Int16] = (0..<64 * 64 * 4).map { index in
                switch kind {
                case 0: 0
                case 1: Int16(index / 256)
                case 2: [Int16.min, .max][index % 2]
                default: Int16.random(in: .min ... .max, using: &random)
                }
            }
            let packed = try pixels.withUnsafeBufferPointer { try packer.pack($0) }
            #expect(try packed == pixels.withUnsafeBufferPointer { try packer.pack($0) })
            let expected = pixels
            pixels = [Int16](repeating: 7, count: pixels.count)
            #expect(try pixels.withUnsafeMutableBufferPointer { try PackedPixels.unpack(packed, into: $0) })
            #expect(pixels == expected)
            var few = [Int16](repeating: 0, count: 16)
            #expect(try !few.withUnsafeMutableBufferPointer { try PackedPixels.unpack(packed, into: $0) })
            let cut = Array(packed.dropLast())
            #expect(try !pixels.withUnsafeMutableBufferPointer { try PackedPixels.unpack(cut, into: $0) })
        }
    }
}

/// Shards of an attacker, with a valid hash.
struct ReceivedShardTests {
    private static let identity = ShardIdentity(digest: ContentHash(of: "a job"), index: 3)

    /// Writes a shard of records as they are, and opens it.
    private func open(
        _ records: [(kind: UInt8, zoom: UInt8, column: UInt32, row: UInt32, size: UInt32)], pieces: Int,
        budget: ReadingBudget = ReadingBudget()
    ) throws -> ShardReader {
        let place = try TemporaryDirectory()
        let folder = try #require(try Directory.open(place.url.path))
        func little(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        var list: [UInt8] = []
        for record in records {
            list += [record.kind, record.zoom, 0, 0]
            for number in [record.column, record.row, record.size] { list += little(number) }
            list += [UInt8](repeating: 0, count: 16)
        }
        let head = ShardLayout.head(Self.identity)
        let tail = ShardLayout.tail(head, list: list, at: head.count + pieces)
        try folder.writeFile("3.shard", head + [UInt8](repeating: 0, count: pieces) + list + tail)
        return try ShardReader(Self.identity, in: folder, budget: budget)
    }

    @Test("pieces outside the world, of unknown kind, or larger than a tile or the file are damage", .long)
    func pieces() throws {
        #expect(try open([(1, 4, 15, 15, 9)], pieces: 9).pieces.count == 1)
        for (record, pieces) in [
            ((1, 4, 0, 16, 9), 9), ((1, 31, 0, 0, 9), 9), ((0, 4, 0, 0, 9), 9),
            ((4, 4, 0, 0, 9), 9), ((1, 4, 0, 0, 9), 8), ((1, 4, 0, 0, .max), 9),
            ((2, 4, 0, 0, 65 << 20), 65 << 20),
        ] as [((UInt8, UInt8, UInt32, UInt32, UInt32), Int)] {
            #expect(throws: ShardReader.Fault.damaged, "\(record)") { try open([record], pieces: pieces) }
        }
    }

    @Test("a list of more tiles than allowed is refused before it is read")
    func longList() throws {
        let records = [(UInt8, UInt8, UInt32, UInt32, UInt32)](repeating: (1, 4, 0, 0, 0), count: 30)
        #expect(try open(records, pieces: 0, budget: ReadingBudget(tiles: 15)).pieces.count == 30)
        let failure = try #require(throws: Failure.self) {
            try open(records, pieces: 0, budget: ReadingBudget(tiles: 14))
        }
        #expect(failure.kind == .usage)
    }
}
