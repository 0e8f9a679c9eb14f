import Resampling
import Tiling

/// The kernels of a build, also if the user left them open.
///
/// Drawings go into lossless tiles, photographs into others. An average suits drawings: it is exact,
/// leaves no ringing beside walls, and flat colours stay flat, so files are a seventh to a quarter
/// smaller. Photographs want the sharpness of `cubic`. So does an image that is clearly enlarged, whose pixels
/// an average would show as blocks.
struct KernelChoice {
    /// The kernel at the maximum zoom.
    let resampling: ResamplingMethod
    /// The kernel for the zooms below it.
    let overviewResampling: ResamplingMethod

    /// A quarter of a zoom enlarges by a fifth.
    private static let farthestForAverage = 0.25

    /// Chooses.
    ///
    /// - Parameter zoomsBeyondNative: by how much the maximum zoom is finer than the image.
    init(_ tiles: PyramidRequest, zoomsBeyondNative: Double) {
        let isDrawing = tiles.encoding.isLossless
        let isEnlarged = zoomsBeyondNative > Self.farthestForAverage
        resampling = tiles.resampling ?? (isDrawing && !isEnlarged ? .area : .cubic)
        overviewResampling =
            tiles.overviewResampling
            ?? (resampling.copiesPixels ? resampling : isDrawing ? .area : .cubic)
    }
}
