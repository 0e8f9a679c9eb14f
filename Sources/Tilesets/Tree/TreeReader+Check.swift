import Platform
package import Tiling

extension TreeReader {
    package func check(
        _ report: (TilesetFault) -> Void, tiles body: (EncodedTile) throws -> Void
    ) throws {
        guard let manifest else { return try checkFiles(report, body) }
        for name in manifest.sideFiles.map(\.text) where try root.status(of: name)?.kind != .file {
            report(TilesetFault(name, "is missing"))
        }
        var directories = TileDirectories(root: root)
        for section in manifest.sections {
            for record in section.records.sorted {
                let path = section.names.path(of: record.coordinate)
                let contents = try read(path, in: &directories)
                if let problem = contents.problem(comparedWith: record) {
                    report(TilesetFault("tile \(path)", problem, tile: record.coordinate))
                } else if case .bytes(let bytes) = contents {
                    try body(EncodedTile(coordinate: record.coordinate, bytes: bytes))
                }
            }
        }
    }

    /// Lends what is named like a tile, in a tree without our list of files.
    private func checkFiles(
        _ report: (TilesetFault) -> Void, _ body: (EncodedTile) throws -> Void
    ) throws {
        var directories = TileDirectories(root: root)
        try forEachAddress { tile in
            let path = names.path(of: tile)
            switch try read(path, in: &directories) {
            case .bytes(let bytes): try body(EncodedTile(coordinate: tile, bytes: bytes))
            case .problem(let problem): report(TilesetFault("tile \(path)", problem, tile: tile))
            }
        }
    }

    private func read(
        _ path: String, in directories: inout TileDirectories
    ) throws -> FileContents {
        do {
            if let found = try directories.status(of: path), found.kind != .file {
                return .problem("is not a file")
            }
            return try directories.readTile(path).map(FileContents.bytes) ?? .problem("is missing")
        } catch let failure as Failure where failure.kind == .outputRefused {
            return .problem(failure.message)
        }
    }

    /// Looks for files in a tree that belong to none of its tilesets. Names that begin with a dot are left out: they
    /// are not for the web.
    ///
    /// - Parameters:
    ///   - trees: all tilesets of one directory.
    ///   - indexes: the names of files that belong to several tilesets.
    ///   - isOurs: recognises those of this program by their bytes.
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
        // In a copy without our list of files, a document is known by its name.
        if manifest == nil, !path.contains("/"), TileTemplate.isReserved(path.lowercased()) {
            return true
        }
        guard let tile = names.coordinate(ofPath: path) else { return false }
        return manifest?.sections.contains { $0.records.contains(tile) } ?? true
    }

    /// Whether a file is a page of HTML that this program made.
    private static func isPage(_ path: String, in root: Directory) throws -> Bool {
        guard path.hasSuffix(".html"), let path = ContainedPath(path), let name = path.components.last,
            let head = try root.parent(of: path)?.head(of: name, count: 4096)
        else { return false }
        return String(decoding: head, as: UTF8.self)
            .contains("<meta name=\"generator\" content=\"tilewright")
    }

    /// Fails while a run writes the tileset.
    ///
    /// - Throws: `.busy`.
    package func checkNobodyWrites() throws {
        try TilesetLock.checkNobodyWrites(floor: floor, in: root)
    }
}

/// The contents of a file.
private enum FileContents {
    case bytes([UInt8])
    /// What is wrong with a tile that has no bytes.
    case problem(String)

    /// What is wrong with a tile, compared with the record of when it was written.
    func problem(comparedWith record: TileRecord) -> String? {
        switch self {
        case .problem(let problem): return problem
        case .bytes(let bytes):
            if bytes.count != record.size {
                return "has \(bytes.count) bytes, and was written with \(record.size)"
            }
            return ContentHash(of: bytes) == record.hash ? nil : "is not as it was written"
        }
    }
}
