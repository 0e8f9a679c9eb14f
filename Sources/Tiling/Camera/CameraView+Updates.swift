public import Platform

extension CameraView {
    /// Changes the camera; the limits hold after it.
    ///
    /// - Parameters:
    ///   - update: the change.
    ///   - padding: that of a fit which has none of its own.
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

    /// Changes the zoom, and the tilt if the zoom's limit asks for it.
    ///
    /// - Parameter point: where the view keeps the place that it shows, in points from its top-left corner;
    ///   nil for the middle. Above the horizon there is nothing to keep, and the target stays.
    private mutating func zoom(to zoom: Double, at point: Point? = nil) {
        let before = point.map(mercatorFromPoint.callAsFunction)
        let target = mercatorTarget
        move(to: camera.with(zoom: zoom))
        guard let point, let before, before.isFinite else { return }
        let after = mercatorFromPoint(point)
        guard after.isFinite else { return }
        let shift = Point(x: before.x - after.x, y: before.y - after.y)
        move(to: camera.with(target: WebMercator.lonLat(target.moved(by: shift))))
    }

    private mutating func scroll(x: Double, y: Double) {
        let flat = CameraView(
            CameraPosition(target: camera.target, zoom: camera.zoom, bearing: camera.bearing),
            size: size)
        let offset = flat.mercatorFromPoint(Point(x: middle.x + x, y: middle.y + y))
        move(to: camera.with(target: place(atOffset: offset)))
    }
}
