package import Platform
import Tiling

/// The files of a finished tileset in a tree, as its manifest lists them. No tile is read to list them.
package struct TreeListing: Sendable {
    /// The names of the files next to the tiles, such as `tilejson.json`.
    package let documents: [String]
    /// OUTPUT.
    package let root: Directory

    private let floor: String?
    private let sections: [TilesetManifest.Section]
    private let stamp: FileStamp?

    /// Reads the manifest of a tileset; 32 bytes of memory for each tile.
    ///
    /// - Parameter floor: the tileset's floor; nil for a tileset without one.
    /// - Returns: nil if there is no manifest: then it is unknown which files tilewright made.
    /// - Throws: `.missingInput` if there is no such folder, `.busy` if a run writes the tileset, `.badInput`
    ///   if the manifest is damaged or a run was stopped.
    package init?(of path: String, floor: String?) throws {
        guard let root = try Failure.ofInput({ try Directory.open(path) }) else {
            throw Failure(.missingInput, cannot: "read '\(path)'", "there is no such folder")
        }
        (self.root, self.floor) = (root, floor)
        try Self.checkNobodyWrites(floor, in: root)
        stamp = Self.stamp(floor, in: root)
        guard let manifest = try TilesetFolder.manifest(of: floor, in: root) else { return nil }
        if manifest.unfinishedJob != nil {
            try Self.checkNobodyWrites(floor, in: root)
            throw Failure(
                .badInput, "cannot read '\(path)': the run that published it was interrupted",
                remedy: "run the same build again")
        }
        (documents, sections) = (manifest.sideFiles.map(\.text), manifest.sections)
    }

    /// The number of tiles.
    package var tileCount: Int { sections.reduce(0) { $0 + $1.records.sorted.count } }

    /// Calls `body` with the path below the folder, the size and the hash of each tile.
    package func forEachTile(_ body: (_ path: String, _ size: Int, _ hash: ContentHash) throws -> Void)
        rethrows
    {
        for section in sections {
            for tile in section.records.sorted {
                try body(section.names.path(of: tile.coordinate), tile.size, tile.hash)
            }
        }
    }

    /// The bytes of a tile by its path; nil if it does not exist. No link is followed.
    package func bytes(ofTile path: String) throws -> [UInt8]? {
        var directories = TileDirectories(root: root)
        return try Failure.ofInput { try directories.readTile(path) }
    }

    /// Fails if the tileset is not the one that was listed.
    ///
    /// - Throws: `.busy` if a run writes it, `.inputOutput` if one has.
    package func checkIsUnchanged(_ attempt: String) throws {
        try Self.checkNobodyWrites(floor, in: root)
        if Self.stamp(floor, in: root) != stamp { throw InputFile.changed(attempt) }
    }

    private static func stamp(_ floor: String?, in root: Directory) -> FileStamp? {
        FileStamp(root.path(of: TilesetFolder.manifestPath(floor: floor)))
    }

    private static func checkNobodyWrites(_ floor: String?, in root: Directory) throws {
        guard let home = try TilesetFolder.home(of: floor, in: root) else { return }
        try FileLock.checkIsFree(
            TilesetFolder.lockName, in: home, for: TilesetFolder.owner(floor, path: root.path))
    }
}
