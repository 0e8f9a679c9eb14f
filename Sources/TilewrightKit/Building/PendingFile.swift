import Platform
import Publishing

/// The file of `--pending`. Several runs may add to it at the same time, and someone may take it away at any
/// time: it is replaced as a whole, and only under a lock that is kept for a moment.
///
/// If the tileset changes after its changes must be told, they are told twice: `expect` before, in words that
/// are true whether the run is killed in between or not, and `add` afterwards.
struct PendingFile {
    /// The path; a link to a file is followed.
    let path: String
    private let fsync: Bool
    /// What was said of expected changes, and what the file said before.
    private var expected: [String: (earlier: AddressChange.Kind?, said: AddressChange.Kind)] = [:]

    /// A list of four million tiles with long addresses has a quarter of this.
    private static let largest = 1 << 31

    /// - Parameter fsync: whether the list must be on the disk before the tileset changes.
    init(_ path: String, fsync: Bool) { (self.path, self.fsync) = (path, fsync) }

    /// Refuses a place where no list can be kept, and a file that is not such a list.
    ///
    /// - Throws: `.usage`, `.outputRefused`, `.badInput`.
    func check() throws {
        if WholeFile.isStream(path) {
            throw Failure(
                .usage, "--pending '\(path)' must be a file, since each run adds to it",
                remedy: "--changes can write to a pipe")
        }
        _ = try Self.read(WholeFile.followingLink(path))
    }

    /// Adds changes that are about to happen.
    mutating func expect(_ changes: [AddressChange]) throws {
        var expected = expected
        try update(changes) { list, change in
            let earlier = before(change, in: list)
            let said = PendingChanges.kind(earlier, thenMaybe: change.kind)
            list[change.address] = said
            expected[change.address] = (earlier, said)
        }
        self.expected = expected
    }

    /// Adds changes that have happened, whether they were expected or not.
    mutating func add(_ changes: [AddressChange]) throws {
        try update(changes) { list, change in
            list[change.address] = before(change, in: list)
            list.add(change)
        }
        for change in changes { expected[change.address] = nil }
    }

    /// What the list said before a change was expected. If it was taken away meanwhile, what it says now.
    private func before(_ change: AddressChange, in list: PendingChanges) -> AddressChange.Kind? {
        let said = list[change.address]
        guard let before = expected[change.address], before.said == said else { return said }
        return before.earlier
    }

    /// Reads, changes and replaces the file. It may be taken away in between: then its changes are no longer
    /// pending, and it is read again.
    private func update(
        _ changes: [AddressChange], _ change: (inout PendingChanges, AddressChange) -> Void
    ) throws {
        if changes.isEmpty { return }
        let path = try WholeFile.followingLink(path)
        let (folder, name) = path.splitPath
        guard let directory = try Directory.open(folder) else {
            throw Failure(.outputRefused, "cannot write '\(path)': there is no folder '\(folder)'")
        }
        let lock = try FileLock.wait(Self.lockName(name), in: directory)
        defer { lock.remove(Self.lockName(name), from: directory) }
        while true {
            let before = try directory.status(of: name)
            var list = try Self.read(path)
            for one in changes { change(&list, one) }
            try TemporaryFile.removeAbandoned(of: name, in: directory)
            let file = try TemporaryFile(replacing: name, in: directory)
            do {
                try trying("write '\(path)'", file.file.write(list.bytes))
                if fsync { try trying("flush '\(path)' to the disk", file.file.flush()) }
                let now = try directory.status(of: name)
                let isSame =
                    now.flatMap { now in before.map(now.isSameFile) } ?? (now == nil && before == nil)
                if !isSame {
                    file.discard()
                    continue
                }
            } catch {
                file.discard()
                throw error
            }
            try file.publish()
            if fsync { try directory.flushEntries() }
            return
        }
    }

    private static func read(_ path: String) throws -> PendingChanges {
        guard let bytes = try WholeFile.found(path, atMost: largest) else { return PendingChanges() }
        return try PendingChanges(reading: bytes, from: path)
    }

    private static func lockName(_ name: String) -> String { name + TemporaryFile.ending }
}
