import Pyramid
import Raster

/// Zooms that are rendered together, the finest from images and each other one from the next finer one.
struct RenderPass: Sendable {
    /// How the pixels of an image come.
    enum Source: Sendable {
        /// As its file holds them, or squares of so many as one.
        case file(reducedBy: Int)
        /// Drawn onto a grid.
        case drawn(PageGrid, PageStyle)
        /// Decoded before, and squares of so many averaged.
        case held(HeldPixels, box: Int)
    }

    /// The zooms and tiles.
    let pyramid: PyramidPlan
    /// How the pixels of each image come.
    let sources: [Source]

    /// Opens the pixels of an image.
    ///
    /// - Throws: a `Failure`, also if they are not of the form that was planned.
    func open(_ index: Int, of images: [PlacedImage]) throws -> any RasterSource {
        switch sources[index] {
        case .file(let factor): try images[index].open(reducedBy: factor, as: pyramid.layers[index])
        case .drawn(let grid, let style): try images[index].open(on: grid, style: style)
        case .held(let pixels, let box): box == 1 ? pixels : BoxedSource(pixels, box: box)
        }
    }
}
