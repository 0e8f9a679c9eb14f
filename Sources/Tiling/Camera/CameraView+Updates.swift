public import Platform

extension CameraView {
    /// Changes the camera, within the limits.
    ///
    /// - Parameters:
    ///   - update: the change.
    ///   - padding: the padding of a fit without its own padding.
    /// - Throws: a `Failure` of kind `usage` if no zoom shows the bounds of a fit.
    public mutating func apply(
        _ update: CameraUpdate, padding: ViewInsets = .standard
    ) throws(Failure) {
        switch update {
        case .zoomIn: zoom(to: camera.zoom + 1)
        case .zoomOut: zoom(to: camera.zoom - 1)
        case .zoomTo(let zoom): self.zoom(to: zoom)
        case .zoomBy(let zooms, let point): zoom(to: camera.zoom + zooms, at: point)
        case .target(let place, let zoom): move(to: camera.with(target: place, zoom: zoom))
        case .setCamera(let camera): move(to: camera)
        case .scrollBy(let x, let y): scroll(x: x, y: y)
        case .fit(let bounds, let own): try fit(bounds, padding: own ?? padding)
        }
    }

    /// Changes the zoom, and the tilt if it exceeds the limit of the new zoom.
    ///
    /// - Parameter point: the point of the view whose place stays there, in points from the top-left corner;
    ///   nil for the middle. Above the horizon there is no place, and the target stays.
    private mutating func zoom(to zoom: Double, at point: Point? = nil) {
        let before = point.map(mercatorFromPoint.callAsFunction)
        let target = mercatorTarget
        move(to: camera.with(zoom: zoom))
        guard let point, let before, before.isFinite else { return }
        let after = mercatorFromPoint(point)
        guard after.isFinite else { return }
        move(to: camera.with(target: WebMercator.lonLat(target + (before - after))))
    }

    private mutating func scroll(x: Double, y: Double) {
        let flat = CameraView(
            CameraPosition(target: camera.target, zoom: camera.zoom, bearing: camera.bearing),
            size: size)
        let offset = flat.mercatorFromPoint(Point(x: middle.x + x, y: middle.y + y))
        move(to: camera.with(target: place(atOffset: offset)))
    }
}

extension CameraView {
    /// Sets the largest zoom that shows bounds inside a padding. Bearing and tilt become 0. If insets differ,
    /// the target moves, so that the bounds are in the middle of the remaining area.
    ///
    /// - Parameters:
    ///   - bounds: degrees; across the antimeridian, west is greater than east. Latitudes beyond the world's
    ///     edges count as the edges.
    ///   - padding: points.
    /// - Throws: `.usage` if there is no such zoom.
    mutating func fit(_ bounds: BoundingBox, padding: ViewInsets) throws(Failure) {
        let box = try BoundingBox(mercatorOf: bounds)
        let frame = try frame(padding)
        let zoom = min(
            Self.zoom(of: box.width, in: frame.width), Self.zoom(of: box.height, in: frame.height))
        // The whole world in 256 points is zoom 0, except for rounding.
        guard zoom > -1e-9 else { throw tooWide }
        center(box, in: frame, CameraPosition(target: camera.target, zoom: zoom))
    }

    /// Sets bearing and tilt, and the largest zoom that then shows bounds inside a padding.
    ///
    /// - Parameters:
    ///   - bounds: degrees, as for a fit.
    ///   - padding: points.
    ///   - bearing: degrees clockwise from north.
    ///   - tilt: degrees; less if the zoom allows less.
    ///   - zoom: a zoom to use instead of the largest one.
    /// - Throws: `.usage` if no zoom shows the bounds.
    package mutating func show(
        _ bounds: BoundingBox, padding: ViewInsets, bearing: Double, tilt: Double, zoom: Double? = nil
    ) throws(Failure) {
        if zoom == nil, bearing == 0, tilt == 0 { return try fit(bounds, padding: padding) }
        let box = try BoundingBox(mercatorOf: bounds)
        func camera(_ zoom: Double) -> CameraPosition {
            CameraPosition(target: self.camera.target, zoom: zoom, bearing: bearing, tilt: tilt)
        }
        if let zoom { return center(box, in: frame(around: padding), camera(zoom)) }
        let frame = try frame(padding)
        guard let largest = largestZoom(where: { shows(box, in: frame, camera($0)) }) else {
            throw tooWide
        }
        center(box, in: frame, camera(largest))
    }

    /// Whether a camera shows a box of Mercator metres inside a frame, if both have the same middle.
    private func shows(_ box: BoundingBox, in frame: BoundingBox, _ camera: CameraPosition) -> Bool {
        var view = CameraView(camera, size: size)
        view.center(box, in: frame, camera)
        let pointFromMercator = view.mercatorFromPoint.inverse
        let target = view.mercatorTarget
        // The box may extend beyond the antimeridian, but the target is in the world.
        let east = (box.center.x - target.x).remainder(dividingBy: WebMercator.world)
        return box.corners.allSatisfy { corner in
            let offset = Point(x: corner.x - box.center.x + east, y: corner.y - target.y)
            let point = pointFromMercator?(offset) ?? .nowhere
            return frame.contains(point - middle)
        }
    }

    /// The largest zoom, to a millionth, at which a condition holds that is true below some zoom; nil if it
    /// does not hold at zoom 0.
    private func largestZoom(where holds: (Double) -> Bool) -> Double? {
        var (low, high) = (CameraPosition.zooms.lowerBound, CameraPosition.zooms.upperBound)
        if holds(high) { return high }
        guard holds(low) else { return nil }
        while high - low > 1e-6 {
            let zoom = (low + high) / 2
            if holds(zoom) { low = zoom } else { high = zoom }
        }
        return low
    }

    /// Sets a camera, with the target such that the middle of a box in Mercator metres is in the middle of a
    /// frame.
    private mutating func center(
        _ box: BoundingBox, in frame: BoundingBox, _ camera: CameraPosition
    ) {
        // The limits may restrict the zoom, which changes the length of a point.
        move(to: camera.with(target: WebMercator.lonLat(box.center)))
        let offset = mercatorFromPoint(middle + frame.center)
        guard offset.isFinite else { return }
        move(to: camera.with(target: WebMercator.lonLat(box.center - offset)))
    }

    /// The zoom at which a length in Mercator metres equals a length in points; the highest zoom for 0
    /// metres.
    private static func zoom(of metres: Double, in points: Double) -> Double {
        metres > 0
            ? log2(points / 256) - log2(metres / WebMercator.world) : CameraPosition.zooms.upperBound
    }

    /// The part of the view inside the padding: points from its middle, y down.
    private func frame(around padding: ViewInsets) -> BoundingBox {
        BoundingBox(
            minX: padding.left - middle.x, minY: padding.top - middle.y,
            maxX: middle.x - padding.right, maxY: middle.y - padding.bottom)
    }

    /// The part of the view inside the padding, which must not be empty.
    private func frame(_ padding: ViewInsets) throws(Failure) -> BoundingBox {
        guard padding.isValid else {
            throw Failure(.usage, "a padding is 0 points or more along each edge")
        }
        let frame = frame(around: padding)
        guard frame.width > 0, frame.height > 0 else {
            throw Failure(
                .usage,
                "the padding leaves nothing of a view of \(size.width)x\(size.height) points",
                remedy: "give a smaller --padding, which is 64 by default, or a larger --size")
        }
        return frame
    }

    private var tooWide: Failure {
        Failure(
            .usage,
            "no zoom shows these bounds within the padding in a view of \(size.width)x\(size.height) "
                + "points: at zoom 0 the world is 256 points wide",
            remedy: "give a smaller --padding, a larger --size, or --target and --zoom")
    }
}
