package import Tiling

/// An image's pixels, and what else of them its file counts: ArcGIS's control points may be on the paper, or on the
/// map.
package struct PixelUnits: Sendable {
    /// Columns.
    package let width: Int
    /// Rows.
    package let height: Int
    /// Pixels to the unit of the paper, across and down, whichever unit a TIFF names; nil of others.
    package let pixelsPerUnit: Point?
    /// From the map to pixels, by the image's own tags; nil if they do not place it.
    let mapToPixels: AffineTransform?

    /// Describes an image.
    package init(width: Int, height: Int, pixelsPerUnit: Point? = nil, tags: GeoTIFFTags? = nil) {
        (self.width, self.height, self.pixelsPerUnit) = (width, height, pixelsPerUnit)
        // Tags that make no sense are refused where they count.
        if case .affine(let transform)? = try? tags?.positionForm() {
            mapToPixels = transform.inverse
        } else {
            mapToPixels = nil
        }
    }

    /// Whether points are on the image, or as far from it as it is large.
    func isNear(_ points: [Point]) -> Bool {
        let (w, h) = (Double(width), Double(height))
        return points.allSatisfy { (-w...2 * w).contains($0.x) && (-h...2 * h).contains($0.y) }
    }
}
