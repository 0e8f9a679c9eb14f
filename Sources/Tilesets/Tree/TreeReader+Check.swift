import Platform
package import Tiling

extension TreeReader {
    package func check(
        _ report: (TilesetFault) -> Void, tiles body: (EncodedTile) throws -> Void
    ) throws {
        var directories = TileDirectories(root: root)
        guard let manifest else {
            return try forEachAddress { tile in
                try check(tile, at: names.path(of: tile), nil, in: &directories, report, body)
            }
        }
        for name in manifest.sideFiles.map(\.text) where try root.status(of: name)?.kind != .file {
            report(TilesetFault(name, "is missing"))
        }
        for section in manifest.sections {
            for record in section.records.sorted {
                let path = section.names.path(of: record.coordinate)
                try check(record.coordinate, at: path, record, in: &directories, report, body)
            }
        }
    }

    /// Calls `body` with a tile, or reports what is wrong with it.
    ///
    /// - Parameter record: the record of the tile; nil in a tree without a manifest.
    private func check(
        _ tile: TileCoordinate, at path: String, _ record: TileRecord?, in directories: inout TileDirectories,
        _ report: (TilesetFault) -> Void, _ body: (EncodedTile) throws -> Void
    ) throws {
        let bytes: [UInt8]?
        var problem: String?
        do {
            let found = try directories.status(of: path)
            if let found, found.kind != .file { problem = "is not a file" }
            bytes = problem == nil ? try directories.readTile(path) : nil
        } catch let failure as Failure where failure.kind == .outputRefused {
            (bytes, problem) = (nil, failure.message)
        }
        if let bytes, let record {
            if bytes.count != record.size {
                problem = "has \(bytes.count) bytes, but was written with \(record.size)"
            } else if ContentHash(of: bytes) != record.hash {
                problem = "has changed since it was written"
            }
        }
        if problem == nil, let bytes { return try body(EncodedTile(coordinate: tile, bytes: bytes)) }
        report(TilesetFault("tile \(path)", problem ?? "is missing", tile: tile))
    }

    /// Reports files in a tree that do not belong to any of its tilesets. Skips names that begin with a dot,
    /// which are not for the web.
    ///
    /// - Parameters:
    ///   - trees: all tilesets of one directory.
    ///   - indexes: the names of indexes of several tilesets.
    ///   - isOurs: recognises by its bytes an index that tilewright wrote.
    package static func checkForeignFiles(
        among trees: [TreeReader], indexes: Set<String>, isOurs: ([UInt8]) -> Bool,
        _ report: (TilesetFault) -> Void
    ) throws {
        guard let root = trees.first?.root else { return }
        try root.forEachFile { path in
            if trees.contains(where: { $0.owns(path) }) { return }
            if try isPage(path, in: root) { return }
            if indexes.contains(path), let bytes = try IndexFile.read(root.path(of: path)), isOurs(bytes) {
                return
            }
            report(TilesetFault("file \(path)", "belongs to no tileset here"))
        }
    }

    private func owns(_ path: String) -> Bool {
        if manifest?.hasSideFile(path) == true { return true }
        // In a copy without the manifest, documents are recognised by their names.
        if manifest == nil, !path.contains("/"), TileTemplate.isReserved(path.lowercased()) {
            return true
        }
        guard let tile = names.coordinate(ofPath: path) else { return false }
        return manifest?.sections.contains { $0.records.contains(tile) } ?? true
    }

    /// Whether a file is an HTML page that tilewright made.
    private static func isPage(_ path: String, in root: Directory) throws -> Bool {
        guard path.hasSuffix(".html"), let path = ContainedPath(path), let name = path.components.last,
            let head = try root.parent(of: path)?.head(of: name, count: 4096)
        else { return false }
        return String(decoding: head, as: UTF8.self)
            .contains("<meta name=\"generator\" content=\"tilewright")
    }

    /// Fails if a run is writing the tileset.
    ///
    /// - Throws: `.busy`.
    package func checkNobodyWrites() throws {
        try TilesetFolder.checkNobodyWrites(floor: floor, in: root)
    }
}
