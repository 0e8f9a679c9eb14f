import Platform
package import Tiling

/// A finished tileset in a tree of files, made by tilewright or another program.
///
/// In a tree that tilewright made, the tiles are those in the manifest. In other trees, or in a copy without
/// the manifest, all files that are named like tiles count.
package struct TreeReader: TilesetReader {
    package let path: String
    /// The floor that is read, or nil for a tileset without one.
    package let floor: String?
    /// How the tiles are named.
    package let names: TileNames

    /// OUTPUT.
    let root: Directory
    /// The manifest, or nil if there is none.
    let manifest: TilesetManifest?
    private let documents: [TilesetStatement]

    /// Opens a tree.
    ///
    /// - Parameters:
    ///   - floor: the floor to read; nil for the only floor, or for tiles without a floor.
    ///   - naming: finds the naming of the tiles in a document of a tree that has no manifest. The extension
    ///     is that of the tiles; it is empty if the statement is a TileJSON, which has the whole naming.
    /// - Throws: `.missingInput` if there is no such directory or floor, `.badInput` if
    ///   nothing in it looks like a tileset.
    package init(
        _ path: String, floor: String?,
        naming: (_ statement: TilesetStatement, _ fileExtension: String) throws -> TileNames
    ) throws {
        let root = try Self.open(path)
        let floors = try floor.map { [$0] } ?? Self.floors(of: path)
        // The given one, or the only one.
        let floor = floors.count == 1 ? floors[0] : nil
        let manifest = try TilesetFolder.manifest(of: floor, in: root)
        if manifest?.unfinishedJob != nil {
            throw Failure(
                .badInput, "cannot read '\(path)': the run that published it was interrupted",
                remedy: "run the same build again")
        }
        let documents = try Failure.ofInput {
            try TreeDocuments(in: root, floor: floor, isKnown: manifest != nil)
        }
        guard let documents else { throw try Self.missing(floor: floor, in: root) }
        (self.path, self.floor, self.root, self.manifest) = (path, floor, root, manifest)
        self.documents = documents.statements
        names =
            try manifest?.sections.last?.names
            ?? naming(documents.statements[0], documents.fileExtension)
    }

    private static func open(_ path: String) throws -> Directory {
        do {
            let isFile = FileStatus(at: path)?.kind == .file
            if !isFile, let root = try Failure.ofInput({ try Directory.open(path) }) { return root }
            let why = isFile ? "it is a file, not a tileset" : "there is no such folder"
            throw Failure(.missingInput, cannot: "read '\(path)'", why)
        } catch var failure as Failure {
            failure.remedy = "a tileset is a folder, or a file that ends in .mbtiles or .pmtiles"
            throw failure
        }
    }

    /// The floors of a tree, sorted by name; nil for a tileset without a floor.
    package static func floors(of path: String) throws -> [String?] {
        if let address = RemoteAddress(path) { throw address.readingFailure }
        let root = try open(path)
        let floors = try TreeDocuments.floors(in: root) + TilesetFolder.floors(in: root)
        return Set(floors).sorted { $0 ?? "" < $1 ?? "" }
    }

    /// The names, for messages, of other tilesets of a tree whose tiles are named as in a new tileset.
    package static func tilesets(of path: String, namedAs names: TileNames) throws -> [String] {
        guard let root = try Directory.open(path) else { return [] }
        return try TilesetFolder.others(than: names.floor, in: root) { other in
            other.sections.contains { $0.names.template == names.template }
        }
    }

    private static func missing(floor: String?, in root: Directory) throws -> Failure {
        let floors = try floors(of: root.path).compactMap(\.self)
        let choice = "choose one with --floor: " + floors.map { "'\($0)'" }.listed("or")
        if let floor {
            return Failure(
                .missingInput, "cannot read '\(root.path)': it has no floor '\(floor)'",
                remedy: floors.isEmpty ? "its tiles have no floor: leave out --floor" : choice)
        }
        if !floors.isEmpty {
            return Failure(
                .usage, "cannot read '\(root.path)': it holds the tiles of several floors", remedy: choice)
        }
        if try !TilesetFolder.floors(in: root, started: true).isEmpty {
            return Failure(
                .badInput, "cannot read '\(root.path)': a run that wrote into it was stopped",
                remedy: "run the same command again to continue")
        }
        return Failure(
            .badInput, "cannot read '\(root.path)': it has no tilejson.json",
            remedy: "a folder of tiles has this file, or files like 7/66/41.png")
    }

    package var origin: TilesetOrigin {
        TilesetOrigin(job: manifest?.job, images: manifest?.images ?? [])
    }

    package func statement() -> TilesetStatement { documents[0] }

    package func statements() -> [TilesetStatement] { documents }

    package func place(of tile: TileCoordinate) -> String { "tile \(names.path(of: tile))" }

    package func limits() throws -> [TileRange] {
        var zooms = TilesByZoom()
        try forEachAddress { _, tile, _ in zooms.count(tile) }
        return zooms.limits
    }

    package func forEachTile(_ body: (EncodedTile) throws -> Void) throws {
        var directories = TileDirectories(root: root)
        try forEachAddress { names, tile, _ in
            let path = names.path(of: tile)
            guard let bytes = try Failure.ofInput({ try directories.readTile(path) }) else {
                throw Failure(
                    .badInput, "cannot read '\(root.path(of: path))': the tile is missing",
                    remedy: "'tilewright verify' lists all that is wrong")
            }
            try body(EncodedTile(coordinate: tile, bytes: bytes))
        }
    }

    package func tile(at coordinate: TileCoordinate) throws -> [UInt8]? {
        var directories = TileDirectories(root: root)
        return try Failure.ofInput { try directories.readTile(names.path(of: coordinate)) }
    }

    /// Calls `body` with the names and the address of each tile, and with its record if there is a manifest.
    private func forEachAddress(
        _ body: (TileNames, TileCoordinate, TileRecord?) throws -> Void
    ) throws {
        guard let manifest else {
            return try root.forEachFile { path in
                if let tile = names.coordinate(ofPath: path) { return try body(names, tile, nil) }
                if case .tileJSON = statement() { return }
                try ForeignTree.checkNoTile(path, nextTo: names, in: root)
            }
        }
        for section in manifest.sections {
            for record in section.records.sorted { try body(section.names, record.coordinate, record) }
        }
    }
}

extension TreeReader {
    /// In a tree with a manifest, files are not read: the manifest has their hashes, and only their sizes are
    /// checked. In other trees, each tile is read once.
    package func survey() throws -> TilesetSurvey {
        var survey = TilesetSurvey(storesOnce: false)
        if manifest == nil {
            try forEachTile { tile in
                survey.note(front: Array(tile.bytes.prefix(16)))
                survey.count(tile.coordinate, size: tile.bytes.count, content: ContentHash(of: tile.bytes))
            }
            return survey
        }
        var directories = TileDirectories(root: root)
        try forEachAddress { names, tile, record in
            let status = try Failure.ofInput { try directories.status(of: names.path(of: tile)) }
            if let record, status?.kind == .file, status?.size == record.size {
                survey.count(tile, size: record.size, content: record.hash)
            } else {
                survey.missing += 1
            }
        }
        return survey
    }

    /// When the newest document or manifest of the tileset changed, in seconds since 1970; nil if there are
    /// none.
    package var changed: Int? {
        let names =
            ["tilejson", "metadata"].map { SideFile.name($0, floor: floor) }
            + ["tilemapresource.xml", TilesetFolder.manifestPath(floor: floor)]
        return names.compactMap { FileStamp(root.path(of: $0))?.modifiedSeconds }.max()
    }

    /// Whether the manifest, a TileJSON or another document states how rows are counted.
    ///
    /// - Parameter stated: whether the most detailed document states it.
    package func knowsScheme(stated: Bool) -> Bool {
        if case .tileJSON = statement() { return true }
        return manifest != nil || stated
    }

    /// The description that gdal2tiles writes next to tiles whose rows are counted from the south; nil if
    /// there is none.
    package func tileMapResource() throws -> [UInt8]? {
        try Failure.ofInput { try root.readFile("tilemapresource.xml", most: TreeDocuments.largest) }
    }

    package func check(
        _ report: (TilesetFault) -> Void, tiles body: (EncodedTile) throws -> Void
    ) throws {
        for name in manifest?.sideFiles.map(\.text) ?? [] where try root.status(of: name)?.kind != .file {
            report(TilesetFault(name, "is missing"))
        }
        var directories = TileDirectories(root: root)
        try forEachAddress { names, tile, record in
            let path = names.path(of: tile)
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
    }

    /// Reports files in a tree that do not belong to any of its tilesets. Skips names that begin with a dot,
    /// which are not for the web.
    ///
    /// - Parameters:
    ///   - trees: all tilesets of one directory.
    ///   - isOurs: recognises by its bytes an index of several tilesets that tilewright wrote.
    package static func checkForeignFiles(
        among trees: [TreeReader], isOurs: ([UInt8]) -> Bool, _ report: (TilesetFault) -> Void
    ) throws {
        guard let root = trees.first?.root else { return }
        try root.forEachFile { path in
            if trees.contains(where: { $0.owns(path) }) { return }
            if try isPage(path, in: root) { return }
            if IndexFile.names.contains(path), let bytes = try IndexFile.read(root.path(of: path)),
                isOurs(bytes)
            {
                return
            }
            report(TilesetFault("file \(path)", "belongs to no tileset here"))
        }
    }

    private func owns(_ path: String) -> Bool {
        if let manifest { return manifest.owns(path) }
        // In a copy without the manifest, documents are recognised by their names.
        return !path.contains("/") && TileTemplate.isReserved(path.lowercased())
            || names.coordinate(ofPath: path) != nil
    }

    /// The files of a tree that belong to tilewright, according to its manifests: runs replace and remove
    /// them. Damaged manifests are skipped, since runs do not use them.
    ///
    /// - Returns: whether a file belongs to tilewright, by its path below the directory.
    package static func claims(in path: String) -> (_ path: String) -> Bool {
        let root = try? Directory.open(path)
        let manifests = root.map { root in
            let floors = (try? TilesetFolder.floors(in: root)) ?? []
            return floors.compactMap { try? TilesetFolder.manifest(of: $0, in: root) }
        }
        return { path in
            path.hasPrefix(TilesetFolder.markName + "/") || path == TilesetFolder.markName
                || manifests?.contains { $0.owns(path) } == true
        }
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
        guard let home = try TilesetFolder.home(of: floor, in: root) else { return }
        let owner = TilesetFolder.owner(floor, path: root.path)
        try FileLock.checkIsFree(TilesetFolder.lockName, in: home, for: owner)
    }
}
