import Platform
import Georeferencing
import RenderProtocol
import Tiling

extension PageDescription {
    /// Where the page says that it lies on the Earth; nil if it says nothing.
    ///
    /// - Parameter crs: counts in the place of the system that the document names.
    /// - Throws: a `Failure` of kind `badInput` that does not name the file.
    func position(crs: CRS? = nil) throws -> GeospatialPDF? {
        if viewports.isEmpty { return nil }
        let m = pointsFromUnits
        guard m.count == 6 else {
            throw Failure(.badInput, "its renderer does not say how the page is turned")
        }
        return try GeospatialPDF(
            viewports.map(GeospatialPart.init),
            pointsFromUnits: AffineTransform(a: m[0], b: m[1], c: m[2], d: m[3], e: m[4], f: m[5]), crs: crs)
    }
}

extension GeospatialPart {
    /// What a renderer has read.
    fileprivate init(_ viewport: GeospatialViewport) {
        let form: Form =
            switch viewport.form {
            case .measure:
                .measure(
                    GeospatialMeasure(
                        box: viewport.box, bounds: viewport.bounds, groundPoints: viewport.groundPoints,
                        boxPoints: viewport.boxPoints,
                        system: GeospatialMeasure.System(
                            type: viewport.systemType, epsg: viewport.epsg, wkt: viewport.wkt)))
            case .lgi:
                .lgiDict(
                    LGIDict(
                        matrix: viewport.matrix, registration: viewport.registration,
                        neatline: viewport.neatline, projection: viewport.projection ?? [:]))
            }
        self.init(name: viewport.name, form: form)
    }
}
