#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The directories that a run made on the way to its output, so that it can take them back.
package struct CreatedDirectories: Sendable {
    /// Outermost first.
    private var paths: [String] = []

    /// Starts without any.
    package init() {}

    /// Makes a directory and those above it that are not there; mkdir(2).
    package mutating func make(_ path: String) throws {
        do throws(SystemError) { try makeAll(path) } catch {
            throw error.failure("create directory '\(path)'")
        }
    }

    private mutating func makeAll(_ path: String) throws(SystemError) {
        do throws(SystemError) { try makeOne(path) } catch {
            let parent = path.parentDirectory
            guard error.code == ENOENT, parent != path, parent != "." else { throw error }
            try makeAll(parent)
            try makeOne(path)
        }
    }

    private mutating func makeOne(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try systemCall { mkdir(path, 0o777) }
            paths.append(path)
        } catch {
            // A file in the place of the directory is found when it is opened.
            if error.code != EEXIST { throw error }
        }
    }

    /// Removes a directory if it is there and empty; rmdir(2).
    package static func removeEmpty(_ path: String) { _ = rmdir(path) }

    /// Removes them as far as they are empty; rmdir(2).
    package func removeEmpty() {
        for path in paths.reversed() where rmdir(path) != 0 { return }
    }
}
