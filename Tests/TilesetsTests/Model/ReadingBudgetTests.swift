import Platform
import Foundation
import TestSupport
import Testing

@testable import Tilesets

/// The limits of reading: the size of a file and the number of tiles.
struct ReadingBudgetTests {
    private func cost(tiles: Int = 1000, size: Int) -> ReadingCost {
        ReadingCost(ReadingBudget(tiles: tiles), size: size)
    }

    @Test("the allowed number of tiles, in runs or one by one, is the limit")
    func tiles() throws {
        var cost = cost(size: 100)
        try cost.add(tiles: 999)
        try cost.add(tiles: 1)
        #expect(throws: ReadingExcess.tiles(found: 1001, most: 1000)) { try cost.add(tiles: 1) }
        #expect(throws: ReadingExcess.tiles(found: 5000, most: 1000)) {
            try cost.add(tiles: 1, claimed: 5000)
        }
        #expect(throws: ReadingExcess.tiles(found: .max, most: 1000)) { try cost.add(tiles: .max) }
    }

    @Test("a file has no more rows than its size allows")
    func rows() throws {
        var cost = cost(size: 800)
        for _ in 0..<100 { try cost.addRow(bytes: 1) }
        #expect(throws: ReadingExcess.size) { try cost.addRow(bytes: 1) }
    }

    @Test("many small tiles may be equal, but not many large ones")
    func bytes() throws {
        var ocean = cost(size: 2000)
        try ocean.add(tiles: 1000)
        try ocean.add(bytes: 4096, times: 1000)
        var large = cost(size: 1 << 20)
        try large.add(tiles: 1000)
        #expect(throws: ReadingExcess.size) { try large.add(bytes: 1 << 20, times: 1000) }
        #expect(throws: ReadingExcess.size) { try large.add(bytes: .max, times: .max) }
    }

    @Test("each byte is part of one directory")
    func directories() throws {
        var cost = cost(size: 1000)
        try cost.add(directoryBytes: 1000)
        #expect(throws: ReadingExcess.size) { try cost.add(directoryBytes: 1) }
    }

    @Test("a document may have hundreds of thousands of values, but not millions")
    func values() {
        #expect(ReadingBudget.isShort("[\(String(repeating: "1,", count: 200_000))1]".utf8))
        for value in ["1,", "{}", "[]"] {
            #expect(!ReadingBudget.isShort(String(repeating: value, count: 300_000).utf8), "\(value)")
        }
    }

    @Test("too many tiles are an error of the request, and too much work an error of the file")
    func failures() {
        let tiles = ReadingExcess.tiles(found: 12, most: 3).failure(reading: "a.pmtiles")
        #expect(tiles.kind == .usage)
        #expect(
            tiles.message
                == "cannot read 'a.pmtiles': it says that it holds 12 tiles or more, but --max-tiles allows 3"
        )
        #expect(tiles.remedy?.contains("raise --max-tiles") == true)
        #expect(ReadingExcess.size.failure(reading: "a.pmtiles").kind == .badInput)
    }

    @Test("holes of a file do not count as size, if the file system supports them")
    func holes() throws {
        let place = try TemporaryDirectory()
        let path = place.path("file")
        try Data(repeating: 1, count: 100_000).write(to: URL(filePath: path))
        #expect(try stored(path) == 100_000)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: 1 << 40)
        try file.close()
        let size = try stored(path)
        // Whole blocks; one without holes says that all are data.
        #expect(size < 1 << 20 || size == 1 << 40, "\(size)")
    }

    private func stored(_ path: String) throws -> Int {
        let file = try FileDescriptor(opening: path, flags: O_RDONLY)
        return file.storedSize(of: try file.status().size)
    }
}
