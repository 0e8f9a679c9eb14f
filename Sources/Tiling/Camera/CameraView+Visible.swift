import Platform

extension CameraView {
    /// The places at the view's corners: top left, top right, bottom right, bottom left; longitudes in
    /// -180..<180 and latitudes, in degrees.
    public var corners: [Point] { ground.map(place(atOffset:)) }

    /// The box around what is visible of the world, in degrees. Across the antimeridian its west is greater
    /// than its east; a view that shows a full turn or more has -180 to 180. Latitudes end at the world's
    /// edges.
    public var bounds: BoundingBox {
        let box = visible
        let south = WebMercator.latitude(metres: box.minY)
        let north = WebMercator.latitude(metres: box.maxY)
        if box.width >= WebMercator.world {
            return BoundingBox(minX: -180, minY: south, maxX: 180, maxY: north)
        }
        let west = WebMercator.longitude(metres: box.minX).wrapped(from: -180)
        let east = west + WebMercator.longitude(metres: box.width)
        return BoundingBox(
            minX: west, minY: south, maxX: east > 180 ? east - 360 : east, maxY: north)
    }

    /// The tiles that a client asks for: all that the box around what is visible touches, at the camera's
    /// zoom, rounded.
    ///
    /// - Parameter zooms: the zooms that there are, within 0...30: a camera beyond them sees tiles of the
    ///   nearest one. Nil for all.
    public func tiles(zooms: ClosedRange<Int>? = nil) -> VisibleTiles {
        let zooms = (zooms ?? 0...30).clamped(to: 0...30)
        let rounded = Int(camera.zoom.rounded())
        let zoom = min(max(rounded, zooms.lowerBound), zooms.upperBound)
        return VisibleTiles(zoom: zoom, touching: visible)
    }

    /// The view's corners on the ground, clockwise from the top left: Mercator metres from the target.
    private var ground: [Point] {
        let (right, bottom) = (Double(size.width), Double(size.height))
        let map = mercatorFromPoint
        return [
            Point(x: 0, y: 0), Point(x: right, y: 0), Point(x: right, y: bottom), Point(x: 0, y: bottom),
        ].map { map($0) }
    }

    /// The box around what is visible of the world, in Mercator metres; longitudes go on counting beyond the
    /// antimeridian.
    private var visible: BoundingBox {
        let half = WebMercator.halfWorld
        let target = mercatorTarget
        let corners = ground.map { target.moved(by: $0) }
        let inWorld = corners.clipped(toY: -half...half)
        // The target is in the world and in the view.
        var box = BoundingBox(around: inWorld).unwrapped("a view shows its target")
        box.minY = max(box.minY, -half)
        box.maxY = min(box.maxY, half)
        return box
    }
}

extension [Point] {
    /// The part of a convex polygon that lies in a strip: its corners in there, and where its edges cross the
    /// ends of the strip.
    fileprivate func clipped(toY strip: ClosedRange<Double>) -> [Point] {
        var corners = filter { strip.contains($0.y) }
        for (start, end) in zip(self, dropFirst() + prefix(1)) {
            for y in [strip.lowerBound, strip.upperBound]
            where Swift.min(start.y, end.y) < y && y < Swift.max(start.y, end.y) {
                let part = (y - start.y) / (end.y - start.y)
                corners.append(Point(x: start.x + part * (end.x - start.x), y: y))
            }
        }
        return corners
    }
}
