import Platform
package import Tiling

/// A position as it is stored in a file or its tags: an affine transform or points, in a CRS. It becomes a
/// `Georeference`, or control points to be fitted.
package struct StoredPosition: Hashable, Sendable {
    /// The content of the file: a transform or points.
    package enum Form: Hashable, Sendable {
        /// From pixels, counted from the top-left corner, to coordinates.
        case affine(AffineTransform)
        /// Points whose coordinates are known.
        case points([MapPoint])
    }

    /// The name of its source: `GeoTIFF tags`, `'plan.png.aux.xml'`.
    package let source: String
    /// The transform or points, in coordinates of the CRS.
    package let form: Form
    /// The system of the coordinates.
    package let crs: CRS

    /// Makes a position.
    ///
    /// - Parameter keepsPoints: whether points stay points, to be fitted, even if an affine transform of the
    ///   CRS meets them.
    /// - Throws: a `Failure` of kind `badInput` if longitudes and latitudes are clearly interchanged.
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

    /// The georeference; nil for control points, which need a fit.
    package var georeference: Georeference? {
        guard case .affine(let transform) = form else { return nil }
        return Georeference(crs: crs, pixelToCRS: .affine(transform))
    }
}

/// A point of a stored position: its position on the image, and its coordinates in the CRS of the
/// `StoredPosition`.
package struct MapPoint: Hashable, Sendable {
    /// The point on the image, in pixels from its top-left corner.
    package var pixel: Point
    /// Its coordinates: easting and northing, or longitude and latitude.
    package var map: Point
    /// The name in messages.
    package var name: String

    /// Makes a point.
    package init(pixel: Point, map: Point, name: String) {
        self.pixel = pixel
        self.map = map
        self.name = name
    }
}

extension AffineTransform {
    /// The transform that meets three or more points to a quarter of a pixel, as in GDAL; nil if there is
    /// none. A file with the corners of an image in its own CRS means a transform that is linear in the CRS,
    /// not on the ground.
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
    /// Refuses latitudes beyond the poles if the numbers are valid when interchanged. Nothing more can be
    /// checked: 47, 8 is a place as well as 8, 47.
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
            "\(source) put it at \(places[0].x), \(places[0].y), beyond a pole: "
                + "longitude and latitude are probably swapped",
            remedy: "place it with --bounds, --corners or --gcp, longitude first")
    }

    /// The control points, if the file places the image by them.
    ///
    /// - Throws: a `Failure` of kind `badInput` that names a point that is not a place.
    package func controlPoints() throws -> [ControlPoint]? {
        guard case .points(let points) = form else { return nil }
        var places = points.map(\.map)
        try CRSConversion(crs).lonLat(of: &places)
        return try zip(points, places).map { point, place in
            guard place.isPlace else {
                throw Failure.unclearSystem(
                    "\(point.name) is at \(point.map.x), \(point.map.y), which is not a place in "
                        + crs.name)
            }
            return ControlPoint(pixel: point.pixel, lonLat: place, name: point.name)
        }
    }
}
