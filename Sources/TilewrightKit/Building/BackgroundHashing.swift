import Tilesets

/// Hashes of files that are read while something else is done.
final class BackgroundHashing: Sendable {
    /// The hash of each file in hexadecimal digits, or why it cannot be read.
    typealias Hashes = [String: Result<String, any Error>]

    private let task: Task<Hashes, Never>

    /// Begins to read the files, one after the other, in a task of its own.
    init(of paths: [String]) {
        task = Task.detached {
            var hashes = Hashes()
            for path in paths where !Task.isCancelled {
                hashes[path] = Result { try ContentHash(ofFile: path).hex }
            }
            return hashes
        }
    }

    deinit { task.cancel() }

    /// Waits for all hashes.
    var hashes: Hashes { get async { await task.value } }
}
