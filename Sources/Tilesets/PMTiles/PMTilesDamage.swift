import Diagnostics
import Tiling

/// What keeps an archive of PMTiles from being read.
struct PMTilesDamage: Error, Hashable {
    /// What is wrong, and where.
    var fault: TilesetFault

    /// Says what is wrong with a part of the file, as a clause: `is cut off`.
    init(_ place: String, _ problem: String) { fault = TilesetFault(place, problem) }

    /// The failure to report.
    ///
    /// - Parameter path: the archive.
    func failure(reading path: String) -> Failure {
        Failure(.badInput, "cannot read '\(path)': its \(fault.place) \(fault.problem)")
    }
}
