/// How well lines lie on the edges of a picture.
///
/// The lines are drawn as pixels, and the picture's strength, its darkness or its gradient, is
/// averaged over them; then the same with the lines moved by whole pixels. Where the picture is in
/// its place, they fit best unmoved.
struct Alignment {
    /// How far the lines were moved, in either axis.
    static let reach = 5

    /// The move, in pixels, under which the lines fit best.
    let column: Int
    /// The move down.
    let row: Int
    /// How much stronger the picture is under the lines than under lines moved by `reach`.
    let contrast: Double

    /// Tries all moves.
    ///
    /// - Parameter rings: lines in pixels of the zoom's matrix.
    init(of rings: [[(x: Double, y: Double)]], on mosaic: Mosaic, strength: (Int, Int) -> Double) {
        var pixels: Set<[Int]> = []
        for ring in rings {
            for (start, end) in zip(ring, ring.dropFirst()) {
                let steps = max(1, Int(2 * max(abs(end.x - start.x), abs(end.y - start.y))))
                for step in 0...steps {
                    let t = Double(step) / Double(steps)
                    pixels.insert([
                        Int((start.x + (end.x - start.x) * t).rounded(.down))
                            - mosaic.origin.column,
                        Int((start.y + (end.y - start.y) * t).rounded(.down)) - mosaic.origin.row,
                    ])
                }
            }
        }
        var best = (strength: -Double.infinity, column: 0, row: 0)
        var far: [Double] = []
        for row in -Self.reach...Self.reach {
            for column in -Self.reach...Self.reach {
                let sum = pixels.reduce(0) { $0 + strength($1[0] + column, $1[1] + row) }
                let mean = sum / Double(pixels.count)
                if mean > best.strength { best = (mean, column, row) }
                if abs(row) == Self.reach, abs(column) == Self.reach { far.append(mean) }
            }
        }
        (column, row) = (best.column, best.row)
        contrast = best.strength / (far.reduce(0, +) / Double(far.count))
    }
}
