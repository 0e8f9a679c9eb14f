import Foundation
import TestSupport
import Tiling

@testable import Tilesets

/// A directory for the tilesets of one test.
struct Site {
    let directory: TemporaryDirectory
    var path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("tiles")
    }

    func options(
        template: String = TileTemplate.standard, floor: String? = nil,
        scheme: TileScheme = .xyz, job: String = "job", force: Bool = false, fsync: Bool = false
    ) throws -> TreeOptions {
        let names = try TileNames(
            TileTemplate(template), fileExtension: "png", floor: floor, scheme: scheme)
        return TreeOptions(
            tileset: TilesetOptions(path: path, force: force, fsync: fsync), names: names,
            job: ContentHash(of: job))
    }

    /// Runs a whole build: stages what is not staged yet, and publishes.
    @discardableResult
    func build(
        _ tiles: [EncodedTile], sideFiles: [SideFile] = [], _ options: TreeOptions
    ) throws -> TilesetSummary {
        var tileset = try TreeWriter(options)
        for tile in tiles where !tileset.staged.contains(tile.coordinate) {
            try tileset.write(tile)
        }
        return try tileset.finish(documents(sideFiles))
    }

    /// Published files by their path below OUTPUT, without our own state.
    func files() throws -> [String: String] {
        let names = try directory.files().filter {
            $0.hasPrefix("tiles/") && !$0.contains("/.tilewright/")
        }
        return Dictionary(
            uniqueKeysWithValues: try names.map {
                ($0.replacing("tiles/", with: "", maxReplacements: 1), try text($0))
            })
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: directory.url.appending(path: name), encoding: .utf8)
    }

    func write(_ text: String, to name: String) throws {
        let url = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(name)")
    }

    /// When a file was written and which one it is, to nanoseconds.
    func stamp(_ name: String) throws -> [String] {
        var status = stat()
        guard lstat("\(path)/\(name)", &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
        #if canImport(Glibc)
            let time = status.st_mtim
        #else
            let time = status.st_mtimespec
        #endif
        return ["\(status.st_ino)", "\(time.tv_sec)", "\(time.tv_nsec)"]
    }
}

/// All that a writer of a tree needs.
struct TreeOptions {
    var tileset: TilesetOptions
    let names: TileNames
    var job: ContentHash
    var threads = 1
}

extension TreeWriter {
    init(_ options: TreeOptions) throws {
        try self.init(options.tileset, names: options.names, job: options.job, threads: options.threads)
    }
}

/// The documents of a tileset that says nothing but what stands in files.
func documents(_ sideFiles: [SideFile] = []) -> TilesetDocuments {
    let metadata = TilesetMetadata(
        name: "", description: "", attribution: "", floor: nil, format: .png, tileSize: 256,
        scheme: .xyz, template: "", baseURL: nil,
        bounds: BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1), limits: [], contents: nil)
    return TilesetDocuments(
        sideFiles: sideFiles, rows: [], json: { _ in [] }, extent: PublishedExtent(of: metadata),
        format: .png)
}

/// A tile whose bytes are a text.
func tile(_ zoom: Int, _ column: Int, _ row: Int, _ text: String = "") -> EncodedTile {
    let coordinate = TileCoordinate(zoom: zoom, column: column, row: row)
    return EncodedTile(coordinate: coordinate, bytes: Array("\(coordinate) \(text)".utf8))
}
