import Tiling

/// A finished archive, as the run that is to replace it looks at it.
protocol ArchiveReader: TilesetReader {
    /// The bytes of the file.
    var size: Int { get }
    /// The bytes of the file that are no hole.
    var storedSize: Int { get }

    /// What it says of who made it, of which job, and how much of it there is.
    ///
    /// - Throws: if that cannot be read.
    func claims() throws -> ArchiveClaims

    /// The addresses of all tiles, by zoom, column, row, or nil if the file is not as this program
    /// leaves one: cut off, longer, changed by another program, or with counts that contradict each
    /// other. Reads all of the file but the tiles themselves.
    ///
    /// - Throws: if that is damaged.
    func intactAddresses() throws -> [PackedCoordinate]?

    /// Lends the record of each tile, in the archive's order; each content is read once, or once for
    /// each run of tiles that have it.
    ///
    /// - Throws: if the archive is damaged, and whatever `body` throws.
    func forEachRecord(_ body: (TileRecord) throws -> Void) throws

    /// Whether it says of itself what documents say, with the origin that it names.
    func says(_ documents: TilesetDocuments, origin: TilesetOrigin) throws -> Bool
}

extension ArchiveReader {
    package var origin: TilesetOrigin { (try? claims())?.origin ?? TilesetOrigin() }
}
