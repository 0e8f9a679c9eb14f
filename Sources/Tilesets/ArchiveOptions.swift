/// What an archive is made with: a whole tileset in one file.
package struct ArchiveOptions: Sendable {
    /// OUTPUT: a file that is ours, or not there yet.
    package var path: String
    /// Take the place of a file that is not ours.
    package var force: Bool
    /// Have everything on the disk before `finish` returns.
    package var fsync: Bool

    /// Makes options.
    package init(path: String, force: Bool = false, fsync: Bool = false) {
        self.path = path
        self.force = force
        self.fsync = fsync
    }
}
