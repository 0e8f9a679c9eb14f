import Platform
package import Tiling

/// A position as a file or its tags hold it: an affine transform or points, in a CRS. It becomes a
/// `Georeference`, or control points that are fitted.
package struct StoredPosition: Hashable, Sendable {
    /// What the file holds: a transform or points.
    package enum Form: Hashable, Sendable {
        /// From pixels, counted from the top-left corner, to coordinates.
        case affine(AffineTransform)
        /// Points whose coordinates are known.
        case points([MapPoint])
    }

    /// What the file calls it: `GeoTIFF tags`, `'plan.png.aux.xml'`.
    package let source: String
    /// What the file holds, in coordinates of the CRS.
    package let form: Form
    /// The system of the coordinates.
    package let crs: CRS

    /// Makes a position.
    ///
    /// - Parameter keepsPoints: whether points stay points even if an affine transform of the CRS
    ///   meets them, and are fitted.
    /// - Throws: a `Failure` of kind `badInput` if longitudes and latitudes are plainly
    ///   interchanged.
    package init(
        source: String, form: Form, crs: CRS, keepsPoints: Bool = false
    ) throws {
        self.source = source
        self.crs = crs
        if !keepsPoints, case .points(let points) = form,
            let transform = AffineTransform(meeting: points)
        {
            self.form = .affine(transform)
        } else {
            self.form = form
        }
        try checkAxes()
    }

    /// The position in words for people.
    package var summary: String {
        if case .points(let points) = form {
            "\(points.count) control points of \(source)"
        } else {
            source
        }
    }

    /// Where the image lies; nil for control points, which need a fit.
    package var georeference: Georeference? {
        guard case .affine(let transform) = form else { return nil }
        return Georeference(crs: crs, pixelToCRS: .affine(transform))
    }
}

/// A point of a stored position: where it lies on the image, and its coordinates in a CRS that is told
/// elsewhere.
package struct MapPoint: Hashable, Sendable {
    /// The point on the image, in pixels from its top-left corner.
    package var pixel: Point
    /// Its coordinates: easting and northing, or longitude and latitude.
    package var map: Point
    /// How messages call it.
    package var name: String

    /// Makes a point.
    package init(pixel: Point, map: Point, name: String) {
        self.pixel = pixel
        self.map = map
        self.name = name
    }
}
