import CGeoTIFF
import Platform
import Synchronization

extension CRS {
    /// The CRS that the tags of a TIFF name, its horizontal part; nil if they name none.
    ///
    /// A code is looked up in PROJ's database. What has none is put together of its values: projection,
    /// units, ellipsoid, prime meridian, and the shift to WGS 84 of a datum that has no code either.
    ///
    /// - Throws: a `Failure` of kind `badInput` for keys that are damaged, geocentric, or unknown to
    ///   PROJ.
    package init?(geoTIFF tags: GeoTIFFTags) throws {
        if tags.keyDirectory.isEmpty { return nil }
        if let known = tags.knownCRS {
            self = known
            return
        }
        let keys = GeoTIFFTags(
            keyDirectory: tags.keyDirectory, doubleParameters: tags.doubleParameters,
            asciiParameters: tags.asciiParameters)
        guard let crs = try CRS.tagged.withLock({ $0[keys] }) ?? CRS.named(by: keys) else {
            return nil
        }
        CRS.tagged.withLock { $0[keys] = crs }
        self = crs
    }

    /// What keys have come to: hundreds of sheets have the same, and looking them up takes two
    /// milliseconds.
    private static let tagged = Mutex<[GeoTIFFTags: CRS]>([:])

    private static func named(by tags: GeoTIFFTags) throws -> CRS? {
        let keys = try GeoTIFFKeys(tags)
        let projectedCode = keys.code(ProjectedCSTypeGeoKey)
        switch keys.code(GTModelTypeGeoKey) {
        case 1: return try CRS.projected(keys, code: projectedCode)
        case 2: return try CRS.geographic(keys)
        case 3:
            throw Failure(
                .badInput,
                "its GeoTIFF tags hold geocentric coordinates, metres from the Earth's centre, "
                    + "which place no image on a map",
                remedy: "warp it into another system first, gdalwarp -t_srs EPSG:4326")
        default:
            // Files with a system that GeoTIFF has no words for: Esri's are in a citation.
            if let known = try CRS.cited(keys) { return known }
            guard projectedCode.map(CRS.isCode) ?? false else { return nil }
            return try CRS.projected(keys, code: projectedCode)
        }
    }

    private static func projected(
        _ keys: borrowing GeoTIFFKeys, code: Int?
    ) throws -> CRS {
        let definition = GeoTIFFDefinition(keys)
        if let code, isCode(code) {
            let crs = try coded(code)
            guard keys.code(ProjLinearUnitsGeoKey).map(isCode) ?? false,
                let unit = try crs.metresPerUnit, !near(unit, definition.metresPerUnit)
            else { return crs }
            // The file has its own unit in place of the system's.
        } else if let crs = try cited(keys) {
            return crs
        }
        return try CRS(definition.projected(on: base(of: definition)), failure: .badInput)
            .named(name(in: keys, PCSCitationGeoKey, GTCitationGeoKey))
    }

    private static func geographic(_ keys: borrowing GeoTIFFKeys) throws -> CRS {
        let definition = GeoTIFFDefinition(keys)
        if let code = definition.geographicCode {
            let crs = try coded(code)
            let unit = crs.fullTurn.map { 360 / $0 } ?? 1
            if near(unit, definition.degreesPerUnit) { return crs }
        }
        let wkt = definition.geographic(degreesPerUnit: definition.degreesPerUnit)
        return try CRS(wkt, failure: .badInput).named(name(in: keys, GeogCitationGeoKey))
    }

    /// What a citation calls the system: `site grid`, or `GCS Name = site grid|Datum = ...`.
    private static func name(in keys: borrowing GeoTIFFKeys, _ citations: geokey_t...) -> String {
        for citation in citations {
            guard let text = keys.text(citation) else { continue }
            let parts = text.split(separator: "|").map { part in
                part.split(separator: " = ", maxSplits: 1)
            }
            let name = (parts.first { $0.count == 2 && $0[0].hasSuffix("Name") } ?? parts.first)?
                .last
            if let name, name != "unknown", name != "unnamed" { return String(name).shortened }
        }
        return "a system that the GeoTIFF tags define"
    }

    /// The geographic system below a projection, with angles in degrees, as those of the projection's
    /// parameters are.
    private static func base(of definition: GeoTIFFDefinition) throws -> String {
        if let code = definition.geographicCode, near(definition.degreesPerUnit, 1),
            let wkt = try PROJCRS("EPSG:\(code)", failure: .badInput).wkt1
        {
            return wkt
        }
        return definition.geographic(degreesPerUnit: 1)
    }

    /// A code of EPSG; those that EPSG does not know are Esri's.
    static func coded(_ code: Int) throws -> CRS {
        do {
            return try CRS("EPSG:\(code)", failure: .badInput)
        } catch {
            guard let crs = try? CRS("ESRI:\(code)", failure: .badInput) else { throw error }
            return crs
        }
    }

    /// What a citation defines: WKT behind `ESRI PE String = `, or older names of Web Mercator.
    private static func cited(_ keys: borrowing GeoTIFFKeys) throws -> CRS? {
        let texts = [keys.text(PCSCitationGeoKey), keys.text(GTCitationGeoKey)].compactMap { $0 }
        if texts.contains(where: webMercatorNames.contains) { return .webMercator }
        let mark = "ESRI PE String = "
        for text in texts {
            guard let range = text.firstRange(of: mark) else { continue }
            let wkt = text[range.upperBound...].prefix { $0 != "|" }
            return try CRS(String(wkt), failure: .badInput)
        }
        return nil
    }

    private static let webMercatorNames = ["WGS_1984_Web_Mercator", "Google Maps Global Mercator"]

    /// 0 is undefined, 32767 user-defined.
    private static func isCode(_ code: Int) -> Bool { code != 0 && code != 32767 }

    /// The foot and the US survey foot differ by two millionths.
    private static func near(_ one: Double, _ other: Double) -> Bool {
        abs(one - other) <= 1e-8 * abs(other)
    }
}
