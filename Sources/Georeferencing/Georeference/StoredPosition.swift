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

extension AffineTransform {
    /// The transform that three or more points have in common, to a quarter of a pixel, as GDAL wants
    /// it; nil if there is none. A file that gives the corners of an image in its own CRS means
    /// what is linear there, and not on the ground.
    init?(meeting points: [MapPoint]) {
        guard points.count >= 3,
            case .affine(let fit)? = try? TransformModel.affine.fit(
                points.map(\.pixel), to: points.map(\.map)),
            let inverse = fit.inverse
        else { return nil }
        let misses = points.map { inverse($0.map).distance(to: $0.pixel) }
        guard misses.allSatisfy({ $0 <= 0.25 }) else { return nil }
        self = fit
    }
}

extension StoredPosition {
    /// Refuses latitudes beyond the poles if the numbers are fine the other way around. That is all
    /// that can be told for sure: 47, 8 is a place as well as 8, 47.
    func checkAxes() throws {
        guard let fullTurn = crs.fullTurn else { return }
        var pole = fullTurn / 4
        let places: [Point]
        switch form {
        case .affine(let transform):
            places = [transform(Point(x: 0, y: 0))]
            // Grids whose pixels are centred on a pole reach half a pixel beyond it.
            pole += max(abs(transform.d), abs(transform.e))
        case .points(let points): places = points.map(\.map)
        }
        guard places.contains(where: { abs($0.y) > pole }),
            places.allSatisfy({ abs($0.x) <= pole && abs($0.y) <= 2 * pole })
        else { return }
        throw Failure(
            .badInput,
            "\(source) put it at \(places[0].x), \(places[0].y), where no latitude is: "
                + "longitude and latitude are probably interchanged",
            remedy: "say where it lies with --bounds, --corners or --gcp, longitude first")
    }

    /// The control points, if that is how the file places the image.
    ///
    /// - Throws: a `Failure` of kind `badInput` that names the point that has no place.
    package func controlPoints() throws -> [ControlPoint]? {
        guard case .points(let points) = form else { return nil }
        var places = points.map(\.map)
        try CRSConversion(crs).lonLat(of: &places)
        return try zip(points, places).map { point, place in
            guard place.isPlace else {
                throw Failure.unclearSystem(
                    "\(point.name) lies at \(point.map.x), \(point.map.y), which is not a place in "
                        + crs.name)
            }
            return ControlPoint(pixel: point.pixel, lonLat: place, name: point.name)
        }
    }
}
