package import Georeferencing
package import Raster
package import Resampling

/// What pyramid to build of an image.
package struct PyramidOptions: Sendable {
    /// The zooms to write.
    package var zooms: ClosedRange<Int>
    /// Pixels along a tile's edge: 256 or 512.
    package var tileSize: Int
    /// The kernel at the maximum zoom.
    package var resampling: ResamplingMethod
    /// The kernel for the zooms below it.
    package var overviewResampling: ResamplingMethod
    /// Whether wholly transparent tiles are written too.
    package var writesEmptyTiles: Bool
    /// The colour behind the image, or nil for transparency.
    package var background: RGBColor?
    /// The polygons outside of which nothing is seen; nil for none.
    package var cutline: Cutline?

    /// Makes options.
    package init(
        zooms: ClosedRange<Int>, tileSize: Int, resampling: ResamplingMethod,
        overviewResampling: ResamplingMethod, writesEmptyTiles: Bool = false,
        background: RGBColor? = nil
    ) {
        self.zooms = zooms
        self.tileSize = tileSize
        self.resampling = resampling
        self.overviewResampling = overviewResampling
        self.writesEmptyTiles = writesEmptyTiles
        self.background = background
    }
}
