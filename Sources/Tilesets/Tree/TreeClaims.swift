import Platform

/// The files of a tree that are this program's, or of which its own lists say so: runs replace and remove them.
package struct TreeClaims {
    private let manifests: [TilesetManifest]

    /// Reads the lists of files of all tilesets of a directory, as far as they can be read: no run acts on others.
    package init(_ path: String) {
        guard let root = try? Directory.open(path), let floors = try? TilesetLock.floors(in: root) else {
            manifests = []
            return
        }
        manifests = floors.compactMap { try? TilesetLock.publishedManifest(in: root, floor: $0) }
    }

    /// Whether a file is one of them.
    ///
    /// - Parameter path: of the file below the directory.
    package func contain(_ path: String) -> Bool {
        path.hasPrefix(TilesetLock.markName + "/") || path == TilesetLock.markName
            || manifests.contains { $0.hasSideFile(path) || $0.sections.contain(path) }
    }
}
