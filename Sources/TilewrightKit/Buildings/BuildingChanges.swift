import Diagnostics
import Files
import Publishing
import Synchronization
import Tilesets

/// The list of what a run changes in all floors, which is written before each of them is published: a run
/// that is killed has said what it did.
final class BuildingChanges: Sendable {
    private struct Parts {
        /// By the floors' places.
        var floors: [Int: [UInt8]] = [:]
        var indexes: [UInt8] = []
        var removals: [UInt8] = []

        var bytes: [UInt8] {
            floors.sorted { $0.key < $1.key }.flatMap(\.value) + indexes + removals
        }
    }

    private let path: String?
    private let parts = Mutex(Parts())

    /// Begins a list.
    ///
    /// - Parameter path: the file; nil for none.
    init(_ path: String?) throws {
        self.path = path
        if let path { try OutputFile.checkPlace(path) }
    }

    /// Whether anybody wants the list.
    var isWanted: Bool { path != nil }

    /// Takes what is about to be published of a floor.
    ///
    /// - Parameters:
    ///   - place: the floor's place in the list.
    ///   - earlier: what the last index says of it.
    ///   - folder: what stands before addresses that are relative; nil for nothing.
    func take(
        _ news: TilesetNews, of floor: FloorRequest, at place: Int, earlier: BuildingIndex.Floor?,
        below folder: String?
    ) throws {
        var news = news
        news.metadata.baseURL = news.metadata.baseURL ?? folder
        // A run that was killed has published tiles that no index knows: which ones, nobody does.
        if news.changes.isEmpty, news.changes.moved.isEmpty,
            earlier?.digest != news.metadata.contents?.digest
        {
            news.changes.moved = news.tiles
            news.changes.documents.changed = news.documents
        }
        if floor.build.output.container.isArchive {
            if news.changes.isEmpty, news.changes.moved.isEmpty { return }
            return try takeArchive(of: floor, at: place, earlier: earlier, below: news.metadata.baseURL)
        }
        try write { $0.floors[place] = ChangeList(news.metadata, news.changes).bytes }
    }

    /// Takes an archive that is new or changed; to a web server, its tiles are one file.
    func takeArchive(
        of floor: FloorRequest, at place: Int, earlier: BuildingIndex.Floor?, below folder: String?
    ) throws {
        let name = floor.build.output.path.fileName
        let line = ChangeList.line(earlier == nil ? .added : .changed, name, below: folder)
        try write { $0.floors[place] = line }
    }

    /// Takes an index that is about to be replaced.
    func take(index name: String, isNew: Bool, below folder: String?) throws {
        try write { $0.indexes += ChangeList.line(isNew ? .added : .changed, name, below: folder) }
    }

    /// Takes what is about to be removed.
    func take(_ removed: TilesetRemoval.Summary) throws {
        try write { $0.removals += ChangeList.bytes(removed: removed.tiles + removed.documents) }
    }

    /// Ends the list, which is there also if nothing changed.
    func finish() throws { try write(isEnd: true) { _ in } }

    /// Whoever reads a pipe acts at once: it gets the list at the end.
    private func write(isEnd: Bool = false, _ change: (inout Parts) -> Void) throws {
        guard let path else { return }
        try parts.withLock { parts in
            change(&parts)
            if isEnd || !WholeFile.isStream(path) { try OutputFile.write(parts.bytes, to: path) }
        }
    }
}
