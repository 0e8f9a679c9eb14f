import CPROJ
import Diagnostics

extension CRS {
    /// A dialect of well-known text.
    package enum WKTFlavour: Sendable {
        /// WKT 1 as Esri writes it: the content of a `.prj` file.
        case esri
        /// WKT 2 of 2019.
        case wkt2
    }

    /// The CRS as well-known text; reads PROJ's database.
    ///
    /// - Throws: a `Failure` where the dialect has no words for it.
    package func wkt(_ flavour: WKTFlavour) throws -> String {
        let crs = try PROJCRS(projDefinition, failure: .badInput)
        let type = flavour == .esri ? PJ_WKT1_ESRI : PJ_WKT2_2019
        guard let text = crs.wkt(type) else {
            throw Failure(
                .badInput, "cannot write the coordinate reference system '\(name)' as WKT")
        }
        return text
    }

    /// What PROJ reads as this CRS.
    private var projDefinition: String {
        switch definition {
        case .webMercator: "EPSG:3857"
        case .wgs84: "EPSG:4326"
        case .localPlane(let plane): plane.crsDefinition
        case .text(let text): text
        }
    }
}
