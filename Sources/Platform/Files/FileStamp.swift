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
package struct FileStamp: Equatable, Sendable {
    private let size: Int64
    /// The content's last change: seconds and nanoseconds.
    private let modified: SIMD2<Int>
    /// The same for the last change of anything, which nobody can set back, as cp -p does the other.
    private let changed: SIMD2<Int>

    /// When the content last changed, in whole seconds since 1970.
    package var modifiedSeconds: Int { modified[0] }

    /// Looks at the file that a path leads to; nil if there is none, or if it is a pipe, which changes
    /// when it is read.
    package init?(_ path: String) { self.init(of: .file, path) }

    /// The same of a folder, whose stamp changes when something in it gets a name or loses one.
    package init?(folder path: String) { self.init(of: .directory, path) }

    private init?(of kind: FileStatus.Kind, _ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, FileStatus(status).kind == kind else { return nil }
        size = Int64(status.st_size)
        #if canImport(Glibc)
            modified = SIMD2(status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            changed = SIMD2(status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
        #elseif canImport(Darwin)
            modified = SIMD2(status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
            changed = SIMD2(status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec)
        #endif
    }
}
