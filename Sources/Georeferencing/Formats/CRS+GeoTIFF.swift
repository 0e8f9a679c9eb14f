import CGeodesy
import Platform
import Synchronization

extension CRS {
    /// The horizontal part of the CRS that a TIFF's tags name; nil if they name none.
    ///
    /// A code is looked up in PROJ's database. A CRS without a code is built from its values: projection,
    /// units, ellipsoid, prime meridian and, if its datum has no code either, the shift to WGS 84.
    ///
    /// - Throws: a `Failure` of kind `badInput` for keys that are damaged or geocentric, or that PROJ does
    ///   not know.
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

    /// The CRSs by tags. Hundreds of sheets share one, and looking it up takes two milliseconds.
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
                    + "which cannot place an image on a map",
                remedy: "warp it into another system first, gdalwarp -t_srs EPSG:4326")
        default:
            // For systems that GeoTIFF keys cannot express; Esri writes them into a citation.
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
            // The file's own unit replaces the system's.
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

    /// The name of the system in a citation: `site grid`, or `GCS Name = site grid|Datum = ...`.
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

    /// The geographic system below a projection. Its angles are in degrees, like those of the projection's
    /// parameters.
    private static func base(of definition: GeoTIFFDefinition) throws -> String {
        if let code = definition.geographicCode, near(definition.degreesPerUnit, 1),
            let wkt = try PROJCRS("EPSG:\(code)", failure: .badInput).wkt(PJ_WKT1_GDAL)
        {
            return wkt
        }
        return definition.geographic(degreesPerUnit: 1)
    }

    /// The CRS of a code of EPSG; codes that EPSG does not know are Esri's.
    static func coded(_ code: Int) throws -> CRS {
        do {
            return try CRS("EPSG:\(code)", failure: .badInput)
        } catch {
            guard let crs = try? CRS("ESRI:\(code)", failure: .badInput) else { throw error }
            return crs
        }
    }

    /// The CRS that a citation defines: WKT after `ESRI PE String = `, or an older name of Web Mercator.
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

    /// Whether a number is a code: 0 means undefined, 32767 user-defined.
    private static func isCode(_ code: Int) -> Bool { code != 0 && code != 32767 }

    /// Whether two units are the same: the foot and the US survey foot differ by two millionths.
    private static func near(_ one: Double, _ other: Double) -> Bool {
        abs(one - other) <= 1e-8 * abs(other)
    }
}

/// Parts of WKT 1.
enum WKT {
    /// A projected system on a geographic one; `unit` is the name and the length of its unit.
    static func projected(
        _ method: String, on geographic: String, _ parameters: [(name: String, value: Double)], unit: String
    ) -> String {
        let list = parameters.map { "PARAMETER[\"\($0.name)\",\($0.value)]" }.joined(separator: ",")
        return "PROJCS[\"unnamed\",\(geographic),PROJECTION[\"\(method)\"],\(list),UNIT[\(unit)]]"
    }

    /// A shift to WGS 84 by three or seven numbers, after the values of a datum; empty if there are none.
    static func shift(_ numbers: [Double]) -> String {
        if numbers.isEmpty { return "" }
        let all = numbers + [Double](repeating: 0, count: 7 - numbers.count)
        return ",TOWGS84[" + all.map { "\($0)" }.joined(separator: ",") + "]"
    }
}

/// A CRS that GeoTIFF keys define by values instead of a code, as WKT 1.
struct GeoTIFFDefinition {
    private let values: GTIFDefn
    private let datumName: String

    /// Takes the values from libgeotiff.
    init(_ keys: borrowing GeoTIFFKeys) {
        values = keys.definition()
        datumName = keys.name(ofDatum: values.Datum) ?? "unknown"
    }

    /// Metres in one unit of the projected coordinates.
    var metresPerUnit: Double { values.UOMLengthInMeters }

    /// Degrees in one unit of longitudes and latitudes.
    var degreesPerUnit: Double { values.UOMAngleInDegrees }

    /// The projected CRS as WKT 1.
    ///
    /// - Parameter geographic: the WKT of the geographic system below it, with angles in degrees.
    func projected(on geographic: String) throws -> String {
        let parallel = UInt32(values.ProjParmId.2) == ProjStdParallel1GeoKey.rawValue
        let method = Int(values.CTProjection)
        guard let projection = GeoTIFFProjection(method: method, hasStandardParallel: parallel)
        else {
            throw Failure.unclearSystem("its GeoTIFF keys define an unknown projection, \(method)")
        }
        let own = projection.parameters.map { ($0.name, parameterValues[$0.index]) }
        let shift = [("false_easting", 5), ("false_northing", 6)].map { name, index in
            (name, parameterValues[index] / metresPerUnit)
        }
        return WKT.projected(
            projection.name, on: geographic, own + shift, unit: "\"unknown\",\(metresPerUnit)")
    }

    /// The geographic CRS as WKT 1.
    ///
    /// - Parameter degreesPerUnit: degrees in its unit of angles: the coordinates' unit, or 1 below a
    ///   projection.
    func geographic(degreesPerUnit: Double) -> String {
        let authority =
            isUserDefined(values.Datum) ? shift : ",AUTHORITY[\"EPSG\",\"\(values.Datum)\"]"
        let isDegree = degreesPerUnit == 1
        let radians = isDegree ? "0.0174532925199433" : "\(degreesPerUnit * .pi / 180)"
        return "GEOGCS[\"unknown\",DATUM[\"\(datumName)\","
            + "SPHEROID[\"unknown\",\(values.SemiMajor),\(inverseFlattening)]\(authority)],"
            + "PRIMEM[\"\(values.PMLongToGreenwich == 0 ? "Greenwich" : "unknown")\","
            + "\(values.PMLongToGreenwich / degreesPerUnit)],"
            + "UNIT[\"\(isDegree ? "degree" : "unknown")\",\(radians)]]"
    }

    /// The code of the geographic CRS, or nil.
    var geographicCode: Int? {
        isUserDefined(values.GCS) ? nil : Int(UInt16(bitPattern: values.GCS))
    }

    /// The shift to WGS 84 in the keys, unless the datum has a code: then PROJ's database has better shifts.
    private var shift: String {
        let count = Int(values.TOWGS84Count)
        guard count == 3 || count == 7 else { return "" }
        let numbers = withUnsafeBytes(of: values.TOWGS84) {
            Array($0.bindMemory(to: Double.self).prefix(count))
        }
        return WKT.shift(numbers)
    }

    private var inverseFlattening: Double {
        let difference = values.SemiMajor - values.SemiMinor
        return difference == 0 ? 0 : values.SemiMajor / difference
    }

    private var parameterValues: [Double] {
        withUnsafeBytes(of: values.ProjParm) { Array($0.bindMemory(to: Double.self)) }
    }

    private func isUserDefined(_ code: Int16) -> Bool { code == 32767 || code == 0 }
}

/// A GeoTIFF projection method in WKT 1.
struct GeoTIFFProjection {
    /// A WKT parameter and the index of its value in libgeotiff's `GTIFDefn.ProjParm`.
    typealias Parameter = (name: String, index: Int)

    /// The name of the method in WKT.
    let name: String
    /// The method's own parameters; the false easting and northing follow them.
    let parameters: [Parameter]

    /// The method of a ProjCoordTransGeoKey, `CT_...` in libgeotiff; nil if WKT 1 cannot express it.
    ///
    /// - Parameter hasStandardParallel: whether the scale of a Mercator projection is given by a parallel.
    init?(method: Int, hasStandardParallel: Bool) {
        let entry =
            method == 7 && hasStandardParallel
            ? GeoTIFFProjection.secantMercator : GeoTIFFProjection.methods[method]
        guard let entry else { return nil }
        (name, parameters) = entry
    }

    private static let secantMercator: (String, [Parameter])? = (
        "Mercator_2SP", [("standard_parallel_1", 2), ("central_meridian", 1)]
    )

    private static let origin: [Parameter] = [("latitude_of_origin", 0), ("central_meridian", 1)]
    private static let scaledOrigin = origin + [("scale_factor", 4)]
    private static let centre: [Parameter] = [
        ("latitude_of_center", 0), ("longitude_of_center", 1),
    ]
    private static let oblique =
        centre + [("azimuth", 2), ("rectified_grid_angle", 3), ("scale_factor", 4)]
    private static let parallels: [Parameter] = [
        ("standard_parallel_1", 0), ("standard_parallel_2", 1), ("latitude_of_center", 2),
        ("longitude_of_center", 3),
    ]

    private static let methods: [Int: (String, [Parameter])] = [
        1: ("Transverse_Mercator", scaledOrigin),
        3: ("Hotine_Oblique_Mercator", oblique),
        4: ("Laborde_Oblique_Mercator", centre + [("azimuth", 2), ("scale_factor", 4)]),
        7: ("Mercator_1SP", scaledOrigin),
        8: (
            "Lambert_Conformal_Conic_2SP",
            [("standard_parallel_1", 2), ("standard_parallel_2", 3)] + origin
        ),
        9: ("Lambert_Conformal_Conic_1SP", scaledOrigin),
        10: ("Lambert_Azimuthal_Equal_Area", centre),
        11: ("Albers_Conic_Equal_Area", parallels),
        12: ("Azimuthal_Equidistant", centre),
        13: ("Equidistant_Conic", parallels),
        14: ("Stereographic", scaledOrigin),
        15: ("Polar_Stereographic", scaledOrigin),
        16: ("Oblique_Stereographic", scaledOrigin),
        17: ("Equirectangular", origin + [("standard_parallel_1", 2)]),
        18: ("Cassini_Soldner", origin),
        19: ("Gnomonic", origin),
        20: ("Miller_Cylindrical", centre),
        21: ("Orthographic", origin),
        22: ("Polyconic", origin),
        23: ("Robinson", [("longitude_of_center", 1)]),
        24: ("Sinusoidal", [("longitude_of_center", 1)]),
        25: ("VanDerGrinten", [("central_meridian", 1)]),
        26: ("New_Zealand_Map_Grid", origin),
        27: ("Transverse_Mercator_South_Orientated", scaledOrigin),
        28: ("Cylindrical_Equal_Area", [("standard_parallel_1", 0), ("central_meridian", 1)]),
        9815: ("Hotine_Oblique_Mercator_Azimuth_Center", oblique),
    ]
}
