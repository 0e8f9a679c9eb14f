import Tiling

extension CameraView {
    /// The pixels of the view over the plane.
    var grid: PixelGrid {
        let (transform, target) = (mercatorFromPixel, mercatorTarget)
        guard camera.bearing == 0, camera.tilt == 0 else {
            return PixelGrid(seenBy: transform, centre: target)
        }
        // Straight down, with north at the top, it is a map's.
        return PixelGrid(
            origin: Point(x: target.x + transform.c, y: target.y + transform.f),
            cellSize: metresPerPoint / size.scale)
    }
}
