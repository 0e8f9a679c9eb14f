internal import Tiling

extension CameraView {
    /// The view that shows all of a box in degrees on a phone held upright, from straight above. The zoom is
    /// rounded down to hundredths, so that all is still seen.
    ///
    /// - Parameter box: its east is beyond 180 across the antimeridian.
    static func overview(of box: BoundingBox) -> CameraView {
        var view = CameraView(CameraPosition(target: box.center, zoom: 0), size: .standard)
        // The world itself is too wide for a phone: its middle, as small as it gets.
        try? view.show(box, padding: .standard, bearing: 0, tilt: 0)
        let zoom = (view.camera.zoom * 100).rounded(.down) / 100
        return CameraView(CameraPosition(target: view.camera.target, zoom: zoom), size: .standard)
    }
}
