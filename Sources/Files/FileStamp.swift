#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system says of a file without reading it: a new stamp if its content changed.
///
/// A change goes unseen only if it keeps the size and happens within the same tick of the system's
/// clock, some milliseconds, as the stamp was taken in. The number of the file is left out: mounted
/// networks make it up, and do not always make the same one.
package struct FileStamp: Equatable {
    private let size: Int64
    /// Seconds and nanoseconds of the content's last change.
    private let modified: [Int]
    /// The same for the last change of anything, which nobody can set back, as cp -p does the other.
    private let changed: [Int]

    /// Looks at the file that a path leads to; nil if there is none, or if it is a pipe, which changes
    /// when it is read.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int64(status.st_size)
        #if canImport(Glibc)
            modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
            changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        #elseif canImport(Darwin)
            modified = [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
            changed = [status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec]
        #endif
    }
}
