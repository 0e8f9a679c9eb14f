import Synchronization

/// The directories that an archive was last asked for: tiles that are asked for one after the other are often
/// neighbours, which share one.
final class KeptDirectories: Sendable {
    fileprivate struct Directory {
        let entries: [PMTilesEntry]
        /// When it was last asked for.
        var use: Int
    }

    fileprivate struct State {
        var directories: [PMTilesHeader.Section: Directory] = [:]
        var entryCount = 0
        var uses = 0
    }

    private let state = Mutex(State())

    /// The entries of a directory.
    ///
    /// - Parameter read: reads it if it is not there; two tasks may do so at the same time.
    func directory(
        in section: PMTilesHeader.Section, read: () throws -> [PMTilesEntry]
    ) throws -> [PMTilesEntry] {
        if let kept = state.withLock({ $0.find(section) }) { return kept }
        let entries = try read()
        state.withLock { $0.keep(entries, as: section) }
        return entries
    }
}

extension KeptDirectories.State {
    /// A directory that is kept.
    fileprivate mutating func find(_ section: PMTilesHeader.Section) -> [PMTilesEntry]? {
        uses += 1
        directories[section]?.use = uses
        return directories[section]?.entries
    }

    /// Keeps a directory, and if there are too many, drops all but the last ones. Those on the way to a tile stay,
    /// however large they are: otherwise each tile would inflate them again.
    fileprivate mutating func keep(_ entries: [PMTilesEntry], as section: PMTilesHeader.Section) {
        guard directories[section] == nil else { return }
        directories[section] = KeptDirectories.Directory(entries: entries, use: uses)
        entryCount += entries.count
        guard entryCount > ReadingBudget.keptEntries else { return }
        let last = directories.sorted { $0.value.use > $1.value.use }.prefix(PMTilesReader.depth)
        directories = Dictionary(uniqueKeysWithValues: last.map { ($0.key, $0.value) })
        entryCount = last.reduce(0) { $0 + $1.value.entries.count }
    }
}
