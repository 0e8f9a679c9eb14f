import CGeoTIFF
import Platform

/// A CRS that the keys of a GeoTIFF define by their values and not by a code of its own, as WKT 1.
struct GeoTIFFDefinition {
    private let values: GTIFDefn
    private let datumName: String

    /// Takes the values of libgeotiff.
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
    /// - Parameter geographic: the WKT of the system below it, with its own angles in degrees.
    func projected(on geographic: String) throws -> String {
        let parallel = UInt32(values.ProjParmId.2) == ProjStdParallel1GeoKey.rawValue
        let method = Int(values.CTProjection)
        guard let projection = GeoTIFFProjection(method: method, hasStandardParallel: parallel)
        else {
            throw Failure(
                .badInput, "its GeoTIFF keys define a projection that is not known, \(method)",
                remedy: "name the system of its coordinates: --crs EPSG:n")
        }
        let own = projection.parameters.map { parameter($0.name, parameterValues[$0.index]) }
        let shift = [("false_easting", 5), ("false_northing", 6)].map { name, index in
            parameter(name, parameterValues[index] / metresPerUnit)
        }
        return "PROJCS[\"unnamed\",\(geographic),PROJECTION[\"\(projection.name)\"],"
            + (own + shift).joined(separator: ",") + ",UNIT[\"unknown\",\(metresPerUnit)]]"
    }

    /// The geographic CRS as WKT 1.
    ///
    /// - Parameter degreesPerUnit: of its angles: those of the coordinates, or 1 below a projection.
    func geographic(degreesPerUnit: Double) -> String {
        let authority =
            isUserDefined(values.Datum) ? shift : ",AUTHORITY[\"EPSG\",\"\(values.Datum)\"]"
        let isDegree = degreesPerUnit == 1
        let radians = isDegree ? "0.0174532925199433" : "\(degreesPerUnit * .pi / 180)"
        return "GEOGCS[\"unknown\",DATUM[\"\(datumName)\","
            + "SPHEROID[\"unknown\",\(semiMajor),\(inverseFlattening)]\(authority)],"
            + "PRIMEM[\"\(values.PMLongToGreenwich == 0 ? "Greenwich" : "unknown")\","
            + "\(values.PMLongToGreenwich / degreesPerUnit)],"
            + "UNIT[\"\(isDegree ? "degree" : "unknown")\",\(radians)]]"
    }

    /// The code of the geographic CRS, or nil.
    var geographicCode: Int? {
        isUserDefined(values.GCS) ? nil : Int(UInt16(bitPattern: values.GCS))
    }

    /// The shift to WGS 84 that the keys hold; a datum with a code has better ones in PROJ's database.
    private var shift: String {
        let count = Int(values.TOWGS84Count)
        guard count == 3 || count == 7 else { return "" }
        let numbers = withUnsafeBytes(of: values.TOWGS84) {
            Array($0.bindMemory(to: Double.self).prefix(count))
        }
        let all = numbers + [Double](repeating: 0, count: 7 - count)
        return ",TOWGS84[" + all.map { "\($0)" }.joined(separator: ",") + "]"
    }

    private var semiMajor: Double { values.SemiMajor }

    private var inverseFlattening: Double {
        let difference = values.SemiMajor - values.SemiMinor
        return difference == 0 ? 0 : values.SemiMajor / difference
    }

    private var parameterValues: [Double] {
        withUnsafeBytes(of: values.ProjParm) { Array($0.bindMemory(to: Double.self)) }
    }

    private func parameter(_ name: String, _ value: Double) -> String {
        "PARAMETER[\"\(name)\",\(value)]"
    }

    private func isUserDefined(_ code: Int16) -> Bool { code == 32767 || code == 0 }
}
