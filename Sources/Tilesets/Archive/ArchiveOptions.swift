/// What an archive is made with: a whole tileset in one file.
package struct ArchiveOptions: Sendable {
    /// OUTPUT: a file that is ours, or not there yet.
    package var path: String
    /// Take the place of a file that is not ours.
    package var force: Bool
    /// What the tiles are made of: a later run of the same job knows them by it, and one of other images
    /// does not replace them.
    package var origin: TilesetOrigin
    /// Take the place of an archive that was made of other images.
    package var replacesOthers = false
    /// Take the tiles of the archive that is there, if that is whole and names the same job.
    package var reusesTiles: Bool
    /// Have everything on the disk before `finish` returns.
    package var fsync: Bool
    /// What reading the archive that is there may cost.
    package var budget = ReadingBudget()

    /// Makes options.
    package init(
        path: String, force: Bool = false, origin: TilesetOrigin = TilesetOrigin(),
        reusesTiles: Bool = true, fsync: Bool = false
    ) {
        self.path = path
        self.force = force
        self.origin = origin
        self.reusesTiles = reusesTiles
        self.fsync = fsync
    }
}
