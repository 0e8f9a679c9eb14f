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
    package var background: Color?

    /// An opaque colour of 8 bits per channel.
    package struct Color: Hashable, Sendable {
        /// Red.
        package var red: UInt8
        /// Green.
        package var green: UInt8
        /// Blue.
        package var blue: UInt8

        /// Makes a colour.
        package init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// Pure white, which JPEG tiles stand on by default.
        package static let white = Color(red: 255, green: 255, blue: 255)
    }

    /// Makes options.
    package init(
        zooms: ClosedRange<Int>, tileSize: Int, resampling: ResamplingMethod,
        overviewResampling: ResamplingMethod, writesEmptyTiles: Bool = false,
        background: Color? = nil
    ) {
        self.zooms = zooms
        self.tileSize = tileSize
        self.resampling = resampling
        self.overviewResampling = overviewResampling
        self.writesEmptyTiles = writesEmptyTiles
        self.background = background
    }
}
