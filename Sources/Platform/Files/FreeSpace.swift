#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What is left of a file system for this user; statvfs(3).
package struct FreeSpace: Hashable, Sendable {
    /// Bytes.
    package var bytes: Int
    /// Files and directories, or nil if the file system makes as many as it has bytes for.
    package var files: Int?

    /// Which file system it is: the same number for all paths on it.
    package var device: UInt64

    /// Looks at the file system of a path, or of the first directory above it that is there; nil if
    /// the system does not say.
    package init?(at path: String) {
        var path = path
        var status = statvfs()
        while statvfs(path, &status) != 0 {
            guard errno == ENOENT || errno == ENOTDIR, path != ".", path != "/" else { return nil }
            path = path.parentDirectory
        }
        var place = stat()
        guard stat(path, &place) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: place.st_dev)
        bytes = Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(
                by: UInt64(status.f_frsize)
            ).partialValue)
        files = status.f_files == 0 ? nil : Int(clamping: UInt64(status.f_favail))
    }
}
