/// Something that is wrong with a finished tileset.
package struct TilesetFault: Hashable, Sendable {
    /// The tile, file or part of the container, as it is to be found: `tile 7/3/1`, `tilejson.json`.
    package var place: String
    /// What is wrong with it, as a clause: `is missing`.
    package var problem: String

    /// Makes a fault.
    package init(_ place: String, _ problem: String) {
        self.place = place
        self.problem = problem
    }
}
