import Platform

/// The removal of tilesets from a tree: their files, and their parts of tilewright's state.
///
/// Documents are removed first, so that clients do not learn of missing tiles; then the tiles and empty
/// directories; last the manifest. If a removal is killed before that, another run can complete it. Files
/// that also belong to another tileset of the directory stay.
package struct TreeRemoval {
    private let root: Directory
    /// The tilesets, with the files to remove.
    private let parts: [(folder: TilesetFolder, manifest: TilesetManifest)]

    /// Locks tilesets; nothing is removed yet.
    ///
    /// - Parameters:
    ///   - path: the tree.
    ///   - floors: the floors of the tilesets, with nil for a tileset without a floor; or nil for all
    ///     tilesets.
    /// - Throws: `.missingInput` if there is no such directory or floor, `.outputRefused` if nothing there is
    ///   ours or a manifest is damaged, `.busy` if another run works on one of the tilesets.
    package init(_ path: String, floors: [String?]?) throws {
        guard let root = try Directory.open(path) else {
            throw Failure(
                .missingInput, cannot: "remove tiles from '\(path)'", "there is no such folder or archive")
        }
        let there = try TilesetFolder.floors(in: root, started: true)
        if there.isEmpty { try Self.checkIsCleared(root) }
        // A removal that is killed at its end leaves empty directories, which the next removal removes.
        let floors = there.isEmpty ? [] : floors ?? there.sorted { $0 ?? "" < $1 ?? "" }
        let locked = try floors.map { floor in
            guard let folder = try TilesetFolder(existing: floor, in: root) else {
                throw Self.missing(floor, among: there, path: path)
            }
            return (folder, try folder.readManifest(force: false))
        }
        let others = try there.filter { !floors.contains($0) }
            .compactMap { try TilesetFolder.manifest(of: $0, in: root) }
        parts = locked.map { folder, manifest in
            (folder, manifest.filter { path in !others.contains { $0.owns(path) } })
        }
        self.root = root
    }

    /// Refuses a directory that is neither ours nor empty.
    private static func checkIsCleared(_ root: Directory) throws {
        let names = try root.names()
        if names.isEmpty || names.contains(TilesetFolder.markName) { return }
        throw Failure(
            .outputRefused, cannot: "remove tiles from '\(root.path)'",
            "none of them were made by tilewright",
            remedy: "tilewright removes only what it made; delete other files yourself")
    }

    private static func missing(_ floor: String?, among there: [String?], path: String) -> Failure {
        let what = floor.map { "floor '\($0)'" } ?? "the tiles without a floor"
        let known = there.compactMap(\.self).sorted().map { "'\($0)'" }
        return Failure(
            .missingInput, cannot: "remove \(what) from '\(path)'", "there is no such floor",
            remedy: known.isEmpty
                ? "its tiles have no floor: give --all to remove them"
                : "choose one with --floor: \(known.listed("or")); or give --all")
    }

    /// The base URL of the first tileset; nil if it is unknown.
    package var baseURL: String? { parts.first?.manifest.baseURL }

    /// Removes the tilesets.
    ///
    /// - Parameter announce: receives what was removed, while the manifests still exist: if it fails, the
    ///   next removal announces the same again.
    /// - Throws: `CancellationError` if the task was cancelled; the errors of `announce`.
    package consuming func run(
        announcing announce: ([RemovedTileset]) throws -> Void
    ) throws -> [RemovedTileset] {
        let manifests = parts.map(\.manifest)
        let removed = manifests.map {
            RemovedTileset(
                baseURL: $0.baseURL, tiles: $0.sections.paths, documents: $0.sideFiles.map(\.text))
        }
        for document in manifests.flatMap(\.sideFiles)
        where try root.status(of: document.text)?.kind != .directory {
            try root.removeFile(at: document)
        }
        for manifest in manifests {
            try manifest.sections.remove(from: root) { try Task.checkCancellation() }
        }
        try announce(removed)
        for part in parts { try part.folder.remove(withManifest: true) }
        try root.removeEmptySubdirectory(TilesetFolder.markName)
        CreatedDirectories.removeEmpty(root.path)
        return removed
    }
}

/// A tileset that was removed.
package struct RemovedTileset: Hashable, Sendable {
    /// The base URL of the tileset; nil if unknown.
    package let baseURL: String?
    /// The paths of tiles below the directory.
    package let tiles: [String]
    /// The names of the files next to the tiles.
    package let documents: [String]
}
