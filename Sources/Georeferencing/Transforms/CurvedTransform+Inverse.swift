import Tiling

extension CurvedTransform {
    /// Follows the straight way from a pixel whose place is known, in steps that are as long as
    /// Newton's method allows. So it stays on the sheet of the formula that holds the control points,
    /// where the formula has the same value in several places.
    ///
    /// - Parameter aim: a value of the formula.
    /// - Returns: where the formula has it.
    func solve(for aim: Point) -> Point? {
        var (place, value) = start(for: aim)
        var share = 1.0
        while share > 1e-4 {
            let next = value + (aim - value) * share
            if let found = solve(for: next, from: place) {
                if share == 1 { return found }
                (place, value) = (found, next)
                share = min(1, 2 * share)
            } else {
                share /= 2
            }
        }
        return nil
    }

    /// A point whose value is known: the nearest control point of a spline, the centre of others.
    private func start(for aim: Point) -> (place: Point, value: Point) {
        guard case .spline(let spline) = formula,
            let nearest = spline.targets.indices.min(by: {
                spline.targets[$0].distance(to: aim) < spline.targets[$1].distance(to: aim)
            })
        else {
            let origin = Point(x: 0, y: 0)
            return (origin, formula.tangent(at: origin).value)
        }
        return (spline.points[nearest], spline.targets[nearest])
    }

    /// Newton's method; nil unless each step is at most half as long as the one before it, as it is
    /// where the formula is nearly straight between start and end.
    private func solve(for aim: Point, from start: Point) -> Point? {
        var place = start
        var longest = Double.infinity
        for _ in 0..<50 {
            let tangent = formula.tangent(at: place)
            guard isProper(tangent), let step = tangent.step(for: aim - tangent.value),
                step.length <= longest
            else { return nil }
            place = place + step
            // A billionth of a pixel where ten thousand of them make the spread of the points; the
            // error that is left is the square of it.
            if step.length < 1e-10 { return isProper(formula.tangent(at: place)) ? place : nil }
            longest = step.length / 2
        }
        return nil
    }
}

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

    /// The step that changes the value by so much, or nil if the map is flat.
    func step(for change: Point) -> Point? {
        let determinant = self.determinant
        guard determinant != 0, determinant.isFinite else { return nil }
        return Point(x: change.cross(alongY) / determinant, y: alongX.cross(change) / determinant)
    }
}
