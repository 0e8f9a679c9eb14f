import Foundation
import TestSupport
import Testing

@testable import TilewrightTiles

/// Archives that others may have made, or damaged.
@Suite struct PMTilesTests {
    private let scratch: TemporaryDirectory
    /// An archive of one tile at zoom 1, written byte by byte after the specification.
    private let archive: Data
    private static let picture = Data("GIF89a picture".utf8)

    init() throws {
        scratch = try TemporaryDirectory()
        // One entry: ID 2 (zoom 1, column 0, row 1), run 1, length, offset 0 + 1.
        let directory = Data([1, 2, 1, UInt8(Self.picture.count), 1])
        archive = Self.archive(root: directory, metadata: Data(#"{"tileSize": 512, "name": "A"}"#.utf8))
    }

    private static func archive(root: Data, metadata: Data, packing: UInt8 = 1) -> Data {
        var bytes = Data("PMTiles".utf8) + [3]
        func section(_ offset: Int, _ length: Int) {
            for number in [UInt64(offset), UInt64(length)] {
                withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
            }
        }
        let start = 127 + root.count + metadata.count
        section(127, root.count)
        section(127 + root.count, metadata.count)
        section(start, 0)
        section(start, picture.count)
        section(1, 1)
        bytes.append(contentsOf: Array(repeating: 0, count: 8))
        bytes.append(contentsOf: [1, packing, 1, 2, 1, 1])
        for degrees in [-180, -85, 0, 0] {
            withUnsafeBytes(of: Int32(degrees * 10_000_000).littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.append(contentsOf: Array(repeating: 0, count: 127 - bytes.count))
        return bytes + root + metadata + picture
    }

    private func open(_ bytes: Data, _ name: String = "a.pmtiles") async throws -> TileArchive {
        let url = scratch.url.appending(path: name)
        try bytes.write(to: url)
        return try await TileArchive(url)
    }

    @Test("an archive that was written by hand after the specification")
    func byHand() async throws {
        let archive = try await open(archive)
        #expect(archive.zooms == 1...1 && archive.tileSize == 512 && archive.facts.name == "A")
        #expect(archive.bounds == TileBounds(west: -180, south: -85, east: 0, north: 0))
        #expect(try archive.tileNow(zoom: 1, column: 0, row: 1) == .picture(Self.picture))
        for (column, row) in [(0, 0), (1, 1), (1, 0), (2, 0), (-1, 0), (0, .max)] {
            #expect(try archive.tileNow(zoom: 1, column: column, row: row) == .never)
        }
        #expect(try archive.tileNow(zoom: 30, column: 0, row: 0) == .never)
        #expect(try archive.tileNow(zoom: 31, column: 0, row: 0) == .never)
    }

    @Test("metadata that are not JSON are left out")
    func metadata() async throws {
        let root = Data([1, 2, 1, UInt8(Self.picture.count), 1])
        let archive = try await open(Self.archive(root: root, metadata: Data("no JSON".utf8)))
        #expect(archive.tileSize == 256 && archive.facts.name.isEmpty)
        #expect(try archive.tileNow(zoom: 1, column: 0, row: 1) == .picture(Self.picture))
    }

    /// More entries than bytes, sums that overflow, offsets beyond the end, an entry that names itself as a leaf.
    @Test(
        "directories that lie are errors",
        arguments: [
            [200, 1, 2, 1, 14, 1], [1], [2, 2, 1, 1, 1, 14, 14, 1, 255], [1, 2, 1, 200, 200, 200, 1, 1],
            [1, 2, 1, 14, 255, 255, 255, 255, 255, 255, 255, 255, 127],
            [
                2, 255, 255, 255, 255, 255, 255, 255, 255, 15, 255, 255, 255, 255, 255, 255, 255, 255, 15, 1,
                1, 1, 1, 1, 1,
            ],
            [1, 2, 0, 5, 1], [1, 0, 0, 200, 1, 1],
        ] as [[UInt8]])
    func lies(directory: [UInt8]) async throws {
        let bytes = Self.archive(root: Data(directory), metadata: Data())
        await #expect(throws: TileError.self) {
            let archive = try await open(bytes)
            // If the directory can be read, at least the tile cannot.
            let tile = try archive.tileNow(zoom: 1, column: 0, row: 1)
            if tile == .never { throw TileError(.unreadable, "never is no lie") }
        }
    }

    @Test("a directory that unpacks to more than its limit is an error")
    func bomb() async throws {
        let zeros = scratch.path("zeros")
        try Data(count: 40 << 20).write(to: URL(fileURLWithPath: zeros))
        #expect(try Tool.run("/bin/sh", ["-c", "gzip -9 '\(zeros)'"]).status == 0)
        let packed = try Data(contentsOf: URL(fileURLWithPath: zeros + ".gz"))
        let bytes = Self.archive(root: packed, metadata: Data(), packing: 2)
        await #expect(throws: TileError.self) {
            _ = try await open(bytes).tileNow(zoom: 1, column: 0, row: 1)
        }
    }

    @Test(
        "an archive that is cut short anywhere, or has any wrong byte, is an error or answers, and never crashes"
    )
    func damage() async throws {
        for length in 0..<archive.count {
            await #expect(throws: TileError.self) {
                let cut = try await open(archive.prefix(length))
                _ = try cut.tileNow(zoom: 1, column: 0, row: 1)
                throw TileError(.unreadable, "only metadata are missing")
            }
        }
        for index in archive.indices {
            for change in [1, 0x80, 0xFF] as [UInt8] {
                var damaged = archive
                damaged[index] ^= change
                do { _ = try await open(damaged).tileNow(zoom: 1, column: 0, row: 1) } catch is TileError {}
            }
        }
    }

    @Test("a pipe and a folder are no archives")
    func noFile() async throws {
        let pipe = scratch.url.appending(path: "pipe.pmtiles")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for url in [pipe, scratch.url.appending(path: "none.pmtiles")] {
            await #expect(throws: TileError.self) { try await TileArchive(url) }
        }
        let folder = scratch.url.appending(path: "folder.mbtiles")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        await #expect(throws: TileError.self) { try await TileArchive(folder) }
    }

    @Test("an archive that is replaced while it is open is read again")
    func replaced() async throws {
        let opened = try await open(archive)
        #expect(try opened.tileNow(zoom: 1, column: 0, row: 1) == .picture(Self.picture))
        let other = Data("GIF89a another".utf8)
        let next = scratch.url.appending(path: "next")
        try (archive.dropLast(other.count) + other).write(to: next)
        #expect(rename(next.path, opened.url.path) == 0)
        #expect(try opened.tileNow(zoom: 1, column: 0, row: 1) == .picture(other))
    }
}
