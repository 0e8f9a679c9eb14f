import Synchronization

/// The directories that an archive was last asked for: who wants one tile often wants its neighbours, which
/// stand in the same one.
final class KeptDirectories: Sendable {
    private struct State {
        var directories: [PMTilesHeader.Section: [PMTilesEntry]] = [:]
        var entries = 0
    }

    private let state = Mutex(State())

    /// Entries that are kept before all are dropped: 6 MB of them, 64 leaves as writers make them.
    private static let keptEntries = 1 << 18

    /// What a directory holds.
    ///
    /// - Parameter read: reads it if it is not there; two tasks may do so at the same time.
    func directory(
        in section: PMTilesHeader.Section, read: () throws -> [PMTilesEntry]
    ) throws -> [PMTilesEntry] {
        if let directory = state.withLock({ $0.directories[section] }) { return directory }
        let directory = try read()
        state.withLock { state in
            if state.entries + directory.count > Self.keptEntries { state = State() }
            if directory.count <= Self.keptEntries, state.directories[section] == nil {
                state.directories[section] = directory
                state.entries += directory.count
            }
        }
        return directory
    }
}
