import Dispatch
import Platform
import Synchronization
import Tiling

/// Moves staged tiles to their places, in several threads.
struct TileMover: Sendable {
    /// OUTPUT.
    let root: Directory
    /// The staged tiles.
    let staging: Staging
    /// The names of the tiles.
    let names: TileNames
    /// The maximum number of threads.
    let jobs: Int

    /// More threads are not faster: all columns of a zoom are moved into one directory, which the system
    /// locks for each move.
    private static let mostThreads = 4
    /// The minimum number of tiles for a thread: moving them takes at least a tenth of a millisecond.
    private static let tilesPerThread = 64

    /// Moves tiles, which are sorted by columns; moves a whole column at once if its directory does not exist
    /// yet.
    ///
    /// - Throws: the first failure; the same thread moves no more tiles after it.
    func move(_ records: [TileRecord]) throws {
        let columns = Array(records.columns(\.coordinate))
        let threads = min(jobs, Self.mostThreads, columns.count, records.count / Self.tilesPerThread + 1)
        let result = Mutex<Result<Void, any Error>>(.success(()))
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            let part = columns.count * thread / threads..<columns.count * (thread + 1) / threads
            do { try move(columns[part]) } catch {
                result.withLock { result in result = result.flatMap { .failure(error) } }
            }
        }
        try result.withLock { $0 }.get()
    }

    private func move(_ columns: ArraySlice<ArraySlice<TileRecord>>) throws {
        var directories = TileDirectories(root: root)
        var staged = staging.opened()
        for column in columns where try !moveColumn(column, &staged, &directories) {
            for record in column { try move(record, &staged, &directories) }
        }
    }

    private func moveColumn(
        _ records: ArraySlice<TileRecord>, _ staged: inout TileDirectories,
        _ directories: inout TileDirectories
    ) throws -> Bool {
        guard names.rowSuffix != nil, let first = records.first else { return false }
        let (path, _) = TileDirectories.split(names.path(of: first.coordinate))
        let (parent, name) = TileDirectories.split(String(path))
        guard let place = try directories.open(parent, create: true), try place.status(of: name) == nil
        else { return false }
        return try staging.moveColumn(records, in: &staged, to: place, as: name)
    }

    private func move(
        _ record: TileRecord, _ staged: inout TileDirectories, _ directories: inout TileDirectories
    ) throws {
        let path = names.path(of: record.coordinate)
        if try move(record, to: path, &staged, &directories) { return }
        throw Failure(
            .inputOutput, "cannot write '\(root.path(of: path))': its staged file is gone",
            remedy: "run the same command again")
    }

    /// Retries if a run of another floor removed an empty directory after we made it and before we moved a
    /// tile there.
    private func move(
        _ tile: TileRecord, to path: String, _ staged: inout TileDirectories,
        _ directories: inout TileDirectories
    ) throws -> Bool {
        let (parent, name) = TileDirectories.split(path)
        for _ in 0..<TilesetLock.patience {
            if let directory = try directories.open(parent, create: true),
                try staging.move(tile, in: &staged, to: directory, as: name)
            {
                return true
            }
            directories = TileDirectories(root: root)
        }
        return false
    }
}
