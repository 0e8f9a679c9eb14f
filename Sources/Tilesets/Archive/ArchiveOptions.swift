/// What an archive is made with: a whole tileset in one file.
package struct ArchiveOptions: Sendable {
    /// OUTPUT: a file that is ours, or not there yet.
    package var path: String
    /// Take the place of a file that is not ours.
    package var force: Bool
    /// Source bytes, options and version, by which a later run of the same job knows the tiles; nil
    /// if that is not known.
    package var job: ContentHash?
    /// Take the tiles of the archive that is there, if that is whole and names the same job.
    package var reusesTiles: Bool
    /// Have everything on the disk before `finish` returns.
    package var fsync: Bool

    /// Makes options.
    package init(
        path: String, force: Bool = false, job: ContentHash? = nil, reusesTiles: Bool = true,
        fsync: Bool = false
    ) {
        self.path = path
        self.force = force
        self.job = job
        self.reusesTiles = reusesTiles
        self.fsync = fsync
    }
}
