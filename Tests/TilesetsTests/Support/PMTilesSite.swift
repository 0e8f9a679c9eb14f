import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// A place for the archives of one test.
struct PMTilesSite {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("plan.pmtiles")
    }

    func archive(force: Bool = false, fsync: Bool = false) throws -> PMTilesWriter {
        try PMTilesWriter(
            TilesetOptions(path: path, force: force, fsync: fsync),
            scratchDirectory: directory.url.path)
    }

    /// Writes a whole archive.
    @discardableResult
    func build(_ tiles: [EncodedTile], force: Bool = false) throws -> TilesetSummary {
        let archive = try archive(force: force)
        for tile in tiles { try archive.write(tile) }
        return try archive.finish(archiveDocuments())
    }

    var bytes: [UInt8] {
        get throws { try [UInt8](Data(contentsOf: URL(filePath: path))) }
    }

    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

    /// All entries of the directory, including hidden ones.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
    }

    /// What is wrong with the archive, one line each.
    func faults() throws -> [String] {
        var faults: [String] = []
        try PMTilesReader(path).check { faults.append("\($0.place) \($0.problem)") }
        return faults
    }

    /// All tiles, in the archive's order.
    func tiles() throws -> [EncodedTile] {
        var tiles: [EncodedTile] = []
        try PMTilesReader(path).forEachTile { tiles.append($0) }
        return tiles
    }

    /// Runs a Python script on the archive.
    func python(_ script: String, _ arguments: [String] = []) throws -> Tool.Outcome {
        try Python.run(script, [path] + arguments, with: ["pmtiles"])
    }
}

/// Documents of a tileset that lies somewhere.
func archiveDocuments(
    format: TileFormat = .png, json: String = #"{"name": "plan", "generator": "tilewright"}"#
) -> TilesetDocuments {
    var documents = documents()
    documents.format = format
    documents.json = { _ in Array(json.utf8) }
    return documents
}

/// Tiles of a square of columns and rows, every tenth the same as others.
func manyTiles(_ count: Int, zoom: Int = 20) -> [EncodedTile] {
    let edge = Int(Double(count).squareRoot())
    return (0..<count).map { number in
        let text = number % 10 == 9 ? "sea" : String(repeating: "x", count: number % 50)
        let (column, row) = (500 + number % edge, 700 + number / edge)
        return EncodedTile(
            coordinate: TileCoordinate(zoom: zoom, column: column, row: row),
            bytes: Array((number % 10 == 9 ? text : "\(number) \(text)").utf8))
    }
}

extension EncodedTile {
    /// Address and bytes, to compare.
    var text: String { "\(coordinate) \(String(decoding: bytes, as: UTF8.self))" }
}
