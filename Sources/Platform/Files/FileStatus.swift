/// The status of a file: a part of struct stat.
package struct FileStatus: Equatable {
    /// The kinds of files.
    package enum Kind { case file, directory, link, other }

    /// A user and a group, by their numbers.
    package struct Owner: Equatable {
        package let user: UInt32
        package let group: UInt32
    }

    /// Whether it is a file, a directory or a link.
    package var kind: Kind
    /// Whether it is a pipe, with a name or without.
    let isPipe: Bool
    /// Its length in bytes.
    package var size: Int
    /// The permissions: the nine bits of chmod(2).
    package let permissions: UInt32
    /// The user and the group that own it.
    package let owner: Owner
    /// The file system that it is on.
    private var device: UInt64
    /// Its inode on that file system.
    private var number: UInt64

    /// Converts the result of stat(2).
    package init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        isPipe = status.st_mode & S_IFMT == S_IFIFO
        size = Int(status.st_size)
        permissions = UInt32(status.st_mode) & 0o777
        owner = Owner(user: status.st_uid, group: status.st_gid)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
    }

    /// Reads the status of a path, following links; nil if nothing is there, or access is denied. Of an
    /// address, it is that of the copy, and nil unless the file was opened or looked for.
    package init?(at path: String) {
        var status = stat()
        guard stat(FarFiles.knownCopy(of: path) ?? path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether it belongs to the user of this process.
    package var isOurs: Bool { owner.user == geteuid() }

    /// Whether owner, group and permissions are equal.
    package func hasSameAccess(as other: FileStatus) -> Bool {
        permissions == other.permissions && owner == other.owner
    }

    /// Whether it is the same file, whatever its name.
    package func isSameFile(as other: FileStatus) -> Bool {
        (device, number) == (other.device, other.number)
    }
}

/// A stamp of a file's status, which differs if its content has changed.
///
/// A change is missed only if it keeps the size and happens in the tick of the system's clock, of some
/// milliseconds, in which the stamp was taken. The inode is not compared: network file systems invent it, and
/// not always the same one.
package struct FileStamp: Hashable, Sendable {
    private let size: Int64
    /// The content's last change: seconds and nanoseconds.
    private let modified: SIMD2<Int>
    /// The last change of the content or the status. Programs such as cp -p cannot set it back.
    private let changed: SIMD2<Int>

    /// When the content last changed, in whole seconds since 1970.
    package var modifiedSeconds: Int { modified[0] }

    /// The stamp of the file that a path leads to; nil if there is none, or if it is a pipe, which changes
    /// when it is read.
    package init?(_ path: String) { self.init(of: .file, path) }

    /// The stamp of a folder, which changes when an entry is added, renamed or removed.
    package init?(folder path: String) { self.init(of: .directory, path) }

    private init?(of kind: FileStatus.Kind, _ path: String) {
        if let file = FarFiles.known(path) {
            // It is fetched in one state, or not at all.
            guard let file = try? file.get(), kind == .file else { return nil }
            (size, modified, changed) = (Int64(file.size), .zero, .zero)
            return
        }
        var status = stat()
        guard stat(path, &status) == 0, FileStatus(status).kind == kind else { return nil }
        size = Int64(status.st_size)
        modified = SIMD2(status.contentTime.tv_sec, status.contentTime.tv_nsec)
        changed = SIMD2(status.changeTime.tv_sec, status.changeTime.tv_nsec)
    }
}

/// The free space of a file system for this user; statvfs(3).
package struct FreeSpace: Hashable, Sendable {
    /// Free bytes.
    package var bytes: Int
    /// Free inodes, or nil if only the bytes limit the number of files.
    package var files: Int?

    /// The number of the file system: the same for all paths on it.
    package var device: UInt64

    /// The free space on the file system of a path, or of the first directory above it that exists; nil if
    /// the system does not report it.
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
