/// The colours that a tileset's pixels are rounded to.
package struct Palette: Sendable {
    /// No two are the same.
    package let colors: [RGBA]
    /// Their places, and whether each is opaque.
    let entries: [Entry]

    /// A colour with what looking it up takes.
    struct Entry: Sendable {
        /// As it is stored.
        var color: RGBA
        /// Where it lies.
        var point: SIMD4<Int32>
    }

    /// Makes a palette of different colours.
    package init(_ colors: [RGBA]) {
        self.colors = colors
        entries = colors.map { Entry(color: $0, point: ColorPoint.point(of: $0)) }
    }

    /// The largest square of a distance, and more.
    private static let farthest = Int32.max

    /// The nearest of some entries, by their indices; the first of several.
    func nearest(to color: RGBA, among candidates: ArraySlice<UInt8>) -> RGBA {
        let point = ColorPoint.point(of: color)
        var (best, distance) = (color, Self.farthest)
        for index in candidates {
            let entry = entries[Int(index)]
            let other = entry.point.squaredDistance(to: point)
            if other < distance { (best, distance) = (entry.color, other) }
        }
        return best
    }

    /// The entries that can be the nearest to a colour of a box; for opaque colours opaque ones.
    func candidates(inBox box: ColorRange) -> [UInt8] {
        let allowed = entries.indices.filter { !box.isOpaque || entries[$0].color.alpha == 255 }
        let reach = allowed.map { box.farthest(from: entries[$0].point) }.reduce(Self.farthest, min)
        return allowed.filter { box.nearest(to: entries[$0].point) <= reach }
            .map { UInt8($0) }
    }
}
