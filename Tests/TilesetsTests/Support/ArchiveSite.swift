import Foundation
import TestSupport
import Tiling

@testable import Tilesets

/// The containers that are one file.
enum ArchiveKind: String, CaseIterable {
    case mbtiles, pmtiles
}

/// A place for archives of one kind that know their jobs.
struct ArchiveSite {
    let kind: ArchiveKind
    let directory: TemporaryDirectory
    let path: String

    init(_ kind: ArchiveKind) throws {
        self.kind = kind
        directory = try TemporaryDirectory()
        path = directory.path("plan.\(kind)")
    }

    /// Begins a run.
    func open(
        job: String = "job", images: [SourceImage] = [], force: Bool = false,
        reusesTiles: Bool = true
    ) throws -> any TilesetWriter {
        var options = TilesetOptions(
            path: path, force: force, origin: TilesetOrigin(job: ContentHash(of: job), images: images))
        options.reusesTiles = reusesTiles
        return switch kind {
        case .mbtiles: try MBTilesWriter(options, scratchDirectory: directory.url.path)
        case .pmtiles: try PMTilesWriter(options, scratchDirectory: directory.url.path)
        }
    }

    /// Does what a command does: writes tiles unless they are all there, and ends.
    @discardableResult
    func build(
        _ tiles: [EncodedTile], job: String = "job", name: String = "plan", images: [SourceImage] = [],
        force: Bool = false
    ) throws -> TilesetSummary {
        var archive = try open(job: job, images: images, force: force)
        if !archive.isComplete { for tile in tiles { try archive.write(tile) } }
        return try archive.finish(Self.documents(archive.contents, name: name))
    }

    /// The content of an archive that a first run makes.
    func freshContent(_ tiles: [EncodedTile], job: String = "job", name: String = "plan") throws -> [String] {
        let other = try ArchiveSite(kind)
        try other.build(tiles, job: job, name: name)
        return try other.content
    }

    /// The bytes of PMTiles; the tiles and metadata of MBTiles, whose pages depend on what was there before.
    var content: [String] {
        get throws {
            if kind == .pmtiles { return [ContentHash(of: try bytes).hex] }
            let reader = try MBTilesReader(path)
            var content = try reader.rows().map { "\($0.name) = \($0.value)" }
            try reader.check { content.append("\($0)") }
            var tiles: [String] = []
            try reader.forEachTile { tiles.append("\($0.coordinate) \(ContentHash(of: $0.bytes).hex)") }
            return content + tiles.sorted()
        }
    }

    /// Documents like those of our tilesets.
    static func documents(_ contents: TilesetContents, name: String) -> TilesetDocuments {
        var documents = archiveDocuments()
        let members = [
            ("name", name), ("generator", "tilewright"), ("digest", contents.digest),
        ]
        documents.rows =
            members.map { MetadataRow($0.0, $0.1) }
            + [MetadataRow("tileCount", String(contents.tileCount))]
        documents.json = { origin in
            let all = members + (origin.job.map { [("job", $0.hex)] } ?? [])
            let texts = all.map { "\"\($0.0)\": \"\($0.1)\"" }.joined(separator: ", ")
            let images = origin.images.map { "\"\($0.text)\"" }.joined(separator: ", ")
            return Array("{\(texts), \"images\": [\(images)], \"tileCount\": \(contents.tileCount)}".utf8)
        }
        return documents
    }

    var bytes: [UInt8] {
        get throws { try [UInt8](Data(contentsOf: URL(filePath: path))) }
    }

    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

    /// Which file it is, and when it was written, to nanoseconds.
    func stamp() throws -> [Int] {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
        #if canImport(Glibc)
            let time = status.st_mtim
        #else
            let time = status.st_mtimespec
        #endif
        return [Int(status.st_ino), Int(time.tv_sec), Int(time.tv_nsec)]
    }

    /// All files next to the archive.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
    }
}
