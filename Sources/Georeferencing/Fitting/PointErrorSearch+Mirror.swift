import Platform
import Tiling

/// Errors of all points at once. Most of them mirror the image.
extension PointErrorSearch {
    /// No image has rows above its top edge, and clicks beside it are few.
    var negativeRows: PointError? {
        let rows = set.pixels.map(\.y)
        guard rows.allSatisfy({ $0 <= 0 }), rows.filter({ $0 < -1 }).count > 1 else { return nil }
        return PointError(points: points, kind: .negativeRow, concernsAll: true)
    }

    /// All points with a known slip undone.
    var wholeRepairs: [(kind: PointError.Kind, set: PointSet)] {
        [(.swappedPlace, allSwapped), (.rowFromBottom, allFromBottom)]
    }

    /// A model that can mirror fits points of a mirrored image as well. A similarity cannot, and keeps
    /// pixels square: what it fits best is how the image was meant, for latitudes at which a degree of
    /// longitude is clearly shorter than one of latitude.
    var mirrorError: PointError? {
        let squares = wholeRepairs.map { $0.set.squares(.similarity) }
        let kind: PointError.Kind =
            if 4 * squares[0] < squares[1] {
                .swappedPlace
            } else if 4 * squares[1] < squares[0] {
                .rowFromBottom
            } else {
                .mirrored
            }
        // Two points that are interchanged can mirror an image too, and then there is no good fit.
        let asItIs = set.squares(.similarity)
        let isClear = kind != .mirrored && 4 * (squares.min() ?? 0) < asItIs
        return PointError(points: points, kind: isClear ? kind : .mirrored, concernsAll: true)
    }

    private var allSwapped: PointSet {
        let lonLat = points.map(\.lonLat.interchanged)
        let unwrapped = lonLat.allSatisfy { abs($0.y) <= 90 } ? lonLat.unwrapped : []
        let ground =
            unwrapped.isEmpty
            ? nil : try? LocalPlane(around: [unwrapped.median]).finitePoints(ofLonLat: unwrapped)
        return PointSet(pixels: set.pixels, ground: ground ?? lonLat.map { _ in Point(x: .nan, y: .nan) })
    }

    private var allFromBottom: PointSet {
        PointSet(pixels: set.pixels.map { Point(x: $0.x, y: height - $0.y) }, ground: set.ground)
    }
}
