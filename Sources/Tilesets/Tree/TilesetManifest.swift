import Diagnostics
import Tiling

/// What is ours in a tileset's directory. Everything else there is left alone.
///
/// While a run publishes, the manifest names the files of the last run and those of this one, so
/// that a run that is killed leaves nothing that nobody owns.
struct TilesetManifest: Hashable, Sendable {
    /// Tiles that are named in one way.
    struct Section: Hashable, Sendable {
        /// How they are named.
        var names: TileNames
        /// Which they are.
        var records: TileRecords
    }

    /// The tiles; one section, and one more for each run that was killed while it published. The first
    /// is what the last run left that came to its end, without a tile where there was none.
    var sections: [Section] = []
    /// The names of our files beside the tiles.
    var sideFiles: [String] = []
    /// The job whose tiles, the last section, were being published; nil when that is done.
    var unfinishedJob: ContentHash?
    /// The job whose tiles, the only section, were published.
    var job: ContentHash?

    /// This manifest and, last in it, a tileset that is going to be published.
    func adding(_ new: Section, sideFiles names: [String], job: ContentHash) -> TilesetManifest {
        let nothing = Section(names: new.names, records: TileRecords())
        let earlier = sections.isEmpty ? [nothing] : sections.filter { $0 != new }
        return TilesetManifest(
            sections: earlier + [new],
            sideFiles: Set(sideFiles + names).sorted(), unfinishedJob: job)
    }
}
