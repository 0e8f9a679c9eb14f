import Platform
import Publishing
import Tilesets

// What tilewright wrote into a folder: tiles and documents in its manifests, indexes, archives that these name,
// and pages. Other files, and the program's state, are not published.
extension LocalObjects {
    /// Lists the objects of an output.
    ///
    /// - Parameters:
    ///   - isOneObject: whether an archive becomes one object.
    ///   - name: the name of that object.
    /// - Throws: `.missingInput` or `.badInput` if it cannot be read, or tilewright did not make it; `.busy` if a
    ///   run writes it.
    static func all(
        of output: String, _ cache: CacheControl, maxTiles: Int, isOneObject: Bool, named name: String
    ) throws -> LocalObjects {
        var objects = LocalObjects(of: output, cache, budget: ReadingBudget(tiles: maxTiles))
        let container = TilesetContainer(existing: output)
        if isOneObject {
            // Refuses what is not an archive, or a part of one.
            _ = try ArchivedTiles(output, maxTiles: maxTiles)
            try objects.add(file: output, at: name, as: .part)
        } else if container.isArchive {
            try objects.add(ArchivedTiles(output, maxTiles: maxTiles))
        } else {
            try objects.add(folder: output, below: "")
        }
        try objects.finish()
        return objects
    }

    private mutating func add(folder: String, below prefix: String) throws {
        let before = entries.count
        try addTilesets(of: folder, below: prefix)
        try addBuilding(of: folder, below: prefix)
        try addCampus(of: folder, below: prefix)
        if entries.count == before {
            // Says what is wrong with the folder.
            _ = try StoredTileset(folder)
            throw Self.foreign(folder)
        }
        try addPages(of: folder, below: prefix)
    }

    private static func foreign(_ folder: String) -> Failure {
        Failure(
            .badInput, cannot: "publish '\(folder)'", "tilewright did not make it, or its state is missing",
            remedy:
                "copy its tiles into a new folder first, tilewright convert \(ShellWord.quoted(folder)) OUT")
    }

    private mutating func addTilesets(of folder: String, below prefix: String) throws {
        if FileStatus(at: folder)?.kind != .directory { return }
        for floor in try TreeReader.floors(of: folder) {
            guard let tree = try TreeListing(of: folder, floor: floor) else { throw Self.foreign(folder) }
            try add(tree, below: prefix)
            for name in tree.documents {
                let found = try Failure.ofInput { try tree.root.readFile(name, most: Self.largestDocument) }
                guard let bytes = found else {
                    throw Failure(
                        .badInput, cannot: "publish '\(folder)'", "its '\(name)' is missing",
                        remedy: "run the same build again")
                }
                try add(document: prefix + name, bytes, as: ObjectRole(ofDocument: name))
            }
        }
    }

    private mutating func addBuilding(of folder: String, below prefix: String) throws {
        guard let index = try BuildingIndex(in: folder),
            let bytes = try IndexFile.read(folder.path(of: BuildingIndex.fileName))
        else { return }
        for floor in index.floors {
            guard let name = floor.archive, let path = try floor.archive(in: folder) else { continue }
            // Refuses what is not an archive.
            _ = try StoredTileset(path)
            try add(file: path, at: prefix + name.text, as: .part)
        }
        try add(document: prefix + BuildingIndex.fileName, bytes, as: .building)
    }

    private mutating func addCampus(of folder: String, below prefix: String) throws {
        guard let (_, indexes) = try CampusIndex.summary(in: folder),
            let bytes = try IndexFile.read(folder.path(of: CampusIndex.fileName))
        else { return }
        for index in indexes where !index.isName {
            // A received campus could lead to another folder of this user by a link.
            guard try Failure.ofInput({ try Directory.open(folder)?.parent(of: index) }) != nil else {
                throw Failure(.missingInput, cannot: "read '\(folder.path(of: index))'", "it does not exist")
            }
            let inner = index.text.parentDirectory
            try add(folder: folder.path(of: inner), below: "\(prefix)\(inner)/")
        }
        try add(document: prefix + CampusIndex.fileName, bytes, as: .campus)
    }

    /// Adds pages of `viewer` and `share` in the folder itself. Those of `place` and `open` are not for clients.
    private mutating func addPages(of folder: String, below prefix: String) throws {
        guard let root = try Failure.ofInput({ try Directory.open(folder) }) else { return }
        for name in try root.names().sorted() where name.hasEnding(".html") && !name.hasPrefix(".") {
            guard try root.status(of: name)?.kind == .file, let head = try root.head(of: name, count: 4096),
                let kind = PageKind(of: String(decoding: head, as: UTF8.self)),
                [.viewer, .shared].contains(kind)
            else { continue }
            try add(file: root.path(of: name), at: prefix + name, as: .page)
        }
    }
}
