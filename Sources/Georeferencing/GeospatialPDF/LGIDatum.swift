import Platform

/// The datum of an LGIDict: a code of GEOTRANS, or an ellipsoid with a shift to WGS 84.
struct LGIDatum {
    /// The number of its geographic system at EPSG; nil if it has none.
    let code: Int?

    private let ellipsoid: LGIEllipsoid?
    private let name: String
    /// To WGS 84: metres, seconds, and parts per million.
    private let shift: [Double]

    /// Takes the entries of a projection.
    ///
    /// - Throws: a `Failure` of kind `badInput` if the datum is missing or not known. GDAL takes WGS 84 then, which
    ///   may be hundreds of metres off.
    init(_ entries: [String: String], of title: String) throws {
        if let text = entries["Datum"] {
            guard let known = LGIDatum.code(of: text) else {
                throw Failure(
                    .badInput, "its \(title) is on a datum that is not known, '\(text.shortened)'",
                    remedy: "name the system of its coordinates: --crs EPSG:n")
            }
            (code, ellipsoid, name, shift) = (known, nil, text, [])
            return
        }
        guard let ellipsoid = try LGIEllipsoid(entries, of: title) else {
            throw Failure(
                .badInput, "its \(title) does not say the datum of its projection",
                remedy: "name the system of its coordinates: --crs EPSG:n")
        }
        let description = entries["Datum.Description"] ?? "unknown"
        code = nil
        self.ellipsoid = ellipsoid
        // PROJ knows some by their names alone.
        name = description.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "_ -()".contains($0)) }
        shift = try LGIDatum.shift(entries, title)
    }

    private static func shift(_ entries: [String: String], _ title: String) throws -> [Double] {
        let keys = ["dx", "dy", "dz", "rx", "ry", "rz", "sf"]
        let texts = keys.compactMap { entries["Datum.ToWGS84.\($0)"] }
        if texts.isEmpty { return [] }
        let numbers = texts.compactMap { LGINumber.value(of: $0) }
        guard numbers.count == texts.count, numbers.count == 3 || numbers.count == 7 else {
            throw Failure(.badInput, "the ToWGS84 of its \(title) is not three or seven numbers")
        }
        return numbers
    }

    /// The geographic system as WKT 1; reads PROJ's database.
    func wkt() throws -> String {
        if let code, let wkt = try PROJCRS("EPSG:\(code)", failure: .badInput).wkt1 { return wkt }
        let ellipsoid = ellipsoid ?? .wgs84
        let list = shift + [Double](repeating: 0, count: shift.isEmpty ? 0 : 7 - shift.count)
        let toWGS84 = list.isEmpty ? "" : ",TOWGS84[" + list.map { "\($0)" }.joined(separator: ",") + "]"
        return "GEOGCS[\"unknown\",DATUM[\"\(name.isEmpty ? "unknown" : name)\","
            + "SPHEROID[\"unknown\",\(ellipsoid.semiMajor),\(ellipsoid.inverseFlattening)]\(toWGS84)],"
            + "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]"
    }
}

extension LGIDatum {
    /// The number of a code, which may have a region behind a dash: `NAS-C`.
    private static func code(of text: String) -> Int? {
        let text = text.uppercased()
        let letters = String(text.prefix { $0 != "-" && !$0.isWhitespace })
        return codes[letters]
    }

    /// The geographic systems of EPSG on the datums of GEOTRANS. Regions of a datum differ by their shift to WGS
    /// 84, for which PROJ takes the best for each place.
    private static let codes: [String: Int] = [
        "ADI": 4201, "ARF": 4209, "ARS": 4210, "AUA": 4202, "AUG": 4203, "CAI": 4221, "CAP": 4222,
        "EUR": 4230,
        "EUS": 4668, "GDS": 4283, "GEO": 4272, "HEN": 4255, "HJO": 4658, "HTN": 4236, "ING": 4131,
        "INH": 4240,
        "IRL": 4299, "KEA": 4245, "LUZ": 4253, "MER": 4261, "MIN": 4263, "NAH": 4270, "NAR": 4269,
        "NAS": 4267,
        "OGB": 4277, "OHA": 4135, "PRP": 4248, "PUK": 4284, "PUR": 4139, "SAN": 4618, "TOY": 4301,
        "WE": 4326, "WGC": 4322, "WGE": 4326, "ZAN": 4311,
    ]
}
