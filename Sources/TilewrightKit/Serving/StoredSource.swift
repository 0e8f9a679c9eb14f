import Platform
import Publishing

/// A finished tileset, in a folder or an archive.
struct StoredSource: TileSource {
    private let path: String
    private let floor: String?
    private let maxTiles: Int
    /// The file that changes last when the tileset does.
    private let mark: String

    /// Names a tileset.
    ///
    /// - Parameters:
    ///   - floor: the floor to read, of a folder that has several.
    ///   - maxTiles: the most tiles that it may have.
    init(_ path: String, floor: String? = nil, maxTiles: Int) {
        (self.path, self.floor, self.maxTiles) = (path, floor, maxTiles)
        let isArchive = TilesetContainer(existing: path).isArchive
        mark = isArchive ? path : path.path(of: TileJSON.fileName(floor: floor))
    }

    var title: String { "'\(path)'" + (floor.map { ", floor '\($0)'" } ?? "") }

    func open(after last: ServedContent?) throws -> ServedContent {
        var watch = FileWatch([mark])
        // A folder that says nothing of itself has as many zooms as it has folders.
        if !watch.isThere { watch = FileWatch([mark], folders: [path]) }
        do {
            return ServedContent(try StoredTileset(path, floor: floor, maxTiles: maxTiles), watch: watch)
        } catch {
            // While a run publishes tiles in a folder, they are found by what was said of them before.
            if case .stored(let tileset)? = last?.tiles, tileset.tree != nil, watch.isThere, let last {
                return last
            }
            throw error
        }
    }
}
