package import Tiling

/// A georeference: a CRS, and the pixel transform from an image's pixels to its coordinates.
package struct Georeference: Hashable, Sendable {
    /// The system of the coordinates.
    package var crs: CRS
    /// From pixels, counted from the top-left corner, to coordinates.
    package var pixelToCRS: PixelTransform

    /// Makes a georeference.
    package init(crs: CRS, pixelToCRS: PixelTransform) {
        self.crs = crs
        self.pixelToCRS = pixelToCRS
    }

    /// The georeference of an image whose pixels go through another transform first: a crop's
    /// shift, or an orientation's turn.
    package func applying(first: AffineTransform) -> Georeference {
        Georeference(crs: crs, pixelToCRS: pixelToCRS.preceded(by: first))
    }
}
