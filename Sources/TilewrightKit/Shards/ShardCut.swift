import Platform
import Pyramid
import Tiling

/// Where a pyramid is cut, and which part owns what.
struct ShardCut {
    /// The lowest zoom that parts make.
    let zoom: Int
    /// What each part owns.
    let shards: [Part]

    /// What a part owns.
    struct Part {
        /// Rectangles of tiles at the cut.
        var tiles: [TileRange]
        /// How much work that is, in tiles of the maximum zoom.
        var work: Int

        /// Nothing.
        static let none = Part(tiles: [], work: 0)
    }

    /// Tiles at the cut for each part: fewer could not be shared out evenly.
    private static let tilesPerShard = 16
    /// Zooms beyond the cut by whose tiles work is measured.
    private static let measuredZooms = 3

    /// Cuts a pyramid.
    ///
    /// - Parameters:
    ///   - count: how many parts.
    ///   - byRows: whether parts are whole rows of tiles: images that can only be read from the top cost each part the
    ///     rows above it, and as much for a narrow part as for a wide one.
    ///   - earlier: a job whose cut and ownership are kept; what it does not own goes to those with the least work.
    /// - Throws: `.usage` if the earlier job has another number of parts, or was cut at a zoom that there is not.
    init(_ pyramid: PyramidPlan, into count: Int, byRows: Bool, keeping earlier: ShardJob? = nil) throws {
        let written = Array(pyramid.levels.filter(\.isWritten).reversed())
        let level: PyramidLevel
        if let earlier {
            guard let same = written.first(where: { $0.zoom == earlier.cut }), earlier.shards.count == count
            else { throw Self.mismatch(earlier, count) }
            level = same
        } else {
            // The lower the zoom, the fewer pixels are kept. The maximum if it has fewer. If parts are rows, decoding
            // those above takes the time, so that one for each is enough.
            let isFine: (PyramidLevel) -> Bool = {
                byRows ? $0.tileRows.count >= count : $0.tileCount >= Self.tilesPerShard * count
            }
            level = written.first(where: isFine) ?? written[written.count - 1]
        }
        zoom = level.zoom
        let measured = written.last { $0.zoom <= level.zoom + Self.measuredZooms } ?? level
        let shares = WorkShares(level, measured: measured, maximum: pyramid.options.zooms.upperBound)
        shards =
            earlier.map { shares.parts(keeping: $0.shards.map(\.tiles), byRows: byRows) }
            ?? shares.parts(count, byRows: byRows)
    }

    private static func mismatch(_ job: ShardJob, _ count: Int) -> Failure {
        let difference =
            job.shards.count == count
            ? "is cut at zoom \(job.cut), which is not built now"
            : "has \(job.shards.count) shards, and not \(count)"
        return Failure(
            .usage, "the job of --earlier \(difference)",
            remedy: "ask for the same zooms and --shards, or leave out --earlier")
    }
}
