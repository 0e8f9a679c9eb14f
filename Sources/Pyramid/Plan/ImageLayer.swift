package import Georeferencing
package import Raster
internal import Resampling

/// One of the images that a pyramid is made of, and where it lies.
package struct ImageLayer: Sendable {
    /// Where its pixels lie.
    package internal(set) var mapping: ImageMapping
    /// Its size and the form of its pixels.
    package let info: RasterInfo
    /// Columns and rows of the pieces in which it can be read in any order; nil if it can only be
    /// read from the top.
    package let blockSize: (width: Int, height: Int)?

    /// Makes a layer.
    package init(
        mapping: ImageMapping, info: RasterInfo, blockSize: (width: Int, height: Int)? = nil
    ) {
        self.mapping = mapping
        self.info = info
        self.blockSize = blockSize
    }

    /// Whether a method resamples its rows and columns apart.
    func isSeparable(by method: ResamplingMethod) -> Bool {
        guard case .separable = mapping.shape else { return false }
        return !method.copiesPixels
    }

    /// Whether reading a window costs much less than reading all of its rows.
    var isTiled: Bool { blockSize.map { 2 * $0.width <= info.width } ?? false }
}
