import Platform
public import Tiling

/// Something that is wrong with a finished tileset.
public struct TilesetFault: Hashable, Sendable {
    /// The tile, file or part of the container, as it is to be found: `tile 7/3/1`,
    /// `tilejson.json`.
    public var place: String
    /// What is wrong with it, as a clause: `is missing`.
    public var problem: String
    /// The tile that cannot be had, if it should be there.
    public var tile: TileCoordinate?

    /// Far longer than any clause of ours: the rest quotes what is wrong.
    private static let longest = 400

    /// Makes a fault. A clause that quotes several lines becomes one.
    public init(_ place: String, _ problem: String, tile: TileCoordinate? = nil) {
        self.place = place
        self.problem = problem.excerpt(Self.longest)
        self.tile = tile
    }
}

extension TilesetFault: CustomStringConvertible {
    /// The fault in a line.
    public var description: String { "\(place): \(problem)" }
}
