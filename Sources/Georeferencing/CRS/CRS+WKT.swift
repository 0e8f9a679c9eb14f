import Platform

extension CRS {
    /// The CRS as WKT 1 in Esri's dialect, the content of a `.prj` file; reads PROJ's database.
    ///
    /// - Throws: a `Failure` if the dialect has no words for it.
    package func esriWKT() throws -> String {
        let crs = try PROJCRS(projDefinition, failure: .badInput)
        guard let text = crs.esriWKT else {
            throw Failure(
                .badInput, cannot: "write the coordinate reference system '\(name)' as WKT", nil)
        }
        return text
    }

    /// What PROJ reads as this CRS.
    var projDefinition: String {
        switch definition {
        case .webMercator: "EPSG:3857"
        case .wgs84: "EPSG:4326"
        case .localPlane(let plane): plane.crsDefinition
        case .text(let text): text
        }
    }
}
