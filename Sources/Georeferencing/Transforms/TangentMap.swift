import Tiling

/// What a map of the plane does near a point: its value there, and how it changes along both axes.
struct TangentMap {
    /// Where the point goes.
    var value: Point
    /// Change of the value for a step along x.
    var alongX: Point
    /// Change of the value for a step along y.
    var alongY: Point

    /// The signed area that a unit square becomes; its sign says whether it is seen mirrored.
    var determinant: Double { alongX.cross(alongY) }

    /// The step that changes the value by so much, or nil where the map is flat.
    func step(for change: Point) -> Point? {
        let determinant = self.determinant
        guard determinant != 0, determinant.isFinite else { return nil }
        return Point(x: change.cross(alongY) / determinant, y: alongX.cross(change) / determinant)
    }
}
