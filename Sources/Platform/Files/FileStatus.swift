#if canImport(Glibc)
    package import Glibc
#else
    package import Darwin
#endif

/// What is known of a file without reading it: a part of struct stat.
package struct FileStatus: Equatable {
    /// What stands under a name.
    package enum Kind { case file, directory, link, other }

    /// A user and a group, by their numbers.
    package struct Owner: Equatable {
        package let user: UInt32
        package let group: UInt32
    }

    /// What it is.
    package var kind: Kind
    /// Its length in bytes.
    package var size: Int
    /// Who may do what: the nine bits of chmod(2).
    package let permissions: UInt32
    /// Who owns it: user and group.
    package let owner: Owner
    /// The file system that it is on.
    private var device: UInt64
    /// Its inode there.
    private var number: UInt64

    /// Takes over what stat(2) gave.
    package init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        size = Int(status.st_size)
        permissions = UInt32(status.st_mode) & 0o777
        owner = Owner(user: status.st_uid, group: status.st_gid)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
    }

    /// Looks at what a path leads to, through links; nil if that is nothing, or may not be seen.
    package init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether it belongs to the user that this process acts for.
    package var isOurs: Bool { owner.user == geteuid() }

    /// Whether the same people may do the same with it.
    package func hasSameAccess(as other: FileStatus) -> Bool {
        permissions == other.permissions && owner == other.owner
    }

    /// Whether it is the same file, whatever its name.
    package func isSameFile(as other: FileStatus) -> Bool {
        (device, number) == (other.device, other.number)
    }
}
