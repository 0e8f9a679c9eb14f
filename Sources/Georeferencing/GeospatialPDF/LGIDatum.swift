import CGeodesy
import Platform

/// The datum of an LGIDict: a GEOTRANS code, or an ellipsoid with a shift to WGS 84.
struct LGIDatum {
    /// The EPSG code of its geographic system; nil if it has none.
    let code: Int?

    private let ellipsoid: LGIEllipsoid?
    private let name: String
    /// The shift to WGS 84: metres, seconds, and parts per million.
    private let shift: [Double]

    /// Takes the entries of a projection.
    ///
    /// - Throws: a `Failure` of kind `badInput` if the datum is missing or unknown. GDAL assumes WGS 84 then,
    ///   which may be hundreds of metres off.
    init(_ entries: [String: String], of title: String) throws {
        if let text = entries["Datum"] {
            guard let known = LGIDatum.code(of: text) else {
                throw Failure.unclearSystem(
                    "its \(title) uses an unknown datum, '\(text.shortened)'")
            }
            (code, ellipsoid, name, shift) = (known, nil, text, [])
            return
        }
        guard let ellipsoid = try LGIEllipsoid(entries, of: title) else {
            throw Failure.unclearSystem("its \(title) does not state the datum of its projection")
        }
        let description = entries["Datum.Description"] ?? "unknown"
        code = nil
        self.ellipsoid = ellipsoid
        // PROJ knows some datums by their names.
        name = description.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "_ -()".contains($0)) }
        shift = try LGIDatum.shift(entries, title)
    }

    private static func shift(_ entries: [String: String], _ title: String) throws -> [Double] {
        let keys = ["dx", "dy", "dz", "rx", "ry", "rz", "sf"]
        let texts = keys.compactMap { entries["Datum.ToWGS84.\($0)"] }
        if texts.isEmpty { return [] }
        let numbers = texts.compactMap { Double(inLGIDict: $0) }
        guard numbers.count == texts.count, numbers.count == 3 || numbers.count == 7 else {
            throw Failure(.badInput, "the ToWGS84 of its \(title) is not three or seven numbers")
        }
        return numbers
    }

    /// The geographic system as WKT 1; reads PROJ's database.
    func wkt() throws -> String {
        if let code, let wkt = try PROJCRS("EPSG:\(code)", failure: .badInput).wkt(PJ_WKT1_GDAL) {
            return wkt
        }
        let (ellipsoid, shift) = (ellipsoid ?? .wgs84, WKT.shift(shift))
        return "GEOGCS[\"unknown\",DATUM[\"\(name.isEmpty ? "unknown" : name)\","
            + "SPHEROID[\"unknown\",\(ellipsoid.semiMajor),\(ellipsoid.inverseFlattening)]\(shift)],"
            + "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]"
    }
}

extension LGIDatum {
    /// The EPSG code of a GEOTRANS code, which may have a region after a hyphen: `NAS-C`.
    private static func code(of text: String) -> Int? {
        codes[String(text.uppercased().prefix { $0 != "-" && !$0.isWhitespace })]
    }

    /// The EPSG geographic systems on the GEOTRANS datums. Regions of a datum differ in their shift to WGS
    /// 84; PROJ takes the best shift for each place.
    private static let codes: [String: Int] = [
        "ADI": 4201, "ARF": 4209, "ARS": 4210, "AUA": 4202, "AUG": 4203, "CAI": 4221, "CAP": 4222,
        "EUR": 4230, "EUS": 4668, "GDS": 4283, "GEO": 4272, "HEN": 4255, "HJO": 4658, "HTN": 4236,
        "ING": 4131, "INH": 4240, "IRL": 4299, "KEA": 4245, "LUZ": 4253, "MER": 4261, "MIN": 4263,
        "NAH": 4270, "NAR": 4269, "NAS": 4267, "OGB": 4277, "OHA": 4135, "PRP": 4248, "PUK": 4284,
        "PUR": 4139, "SAN": 4618, "TOY": 4301,
        "WE": 4326, "WGC": 4322, "WGE": 4326, "ZAN": 4311,
    ]
}

/// The ellipsoid of a datum in an LGIDict.
struct LGIEllipsoid: Hashable {
    /// The semi-major axis in metres.
    let semiMajor: Double
    /// The inverse flattening; 0 for a sphere.
    let inverseFlattening: Double

    /// The ellipsoid of WGS 84.
    static let wgs84 = LGIEllipsoid(semiMajor: 6_378_137, inverseFlattening: 298.257223563)

    private init(semiMajor: Double, inverseFlattening: Double) {
        (self.semiMajor, self.inverseFlattening) = (semiMajor, inverseFlattening)
    }

    /// Takes the entries of a projection: a GEOTRANS code or two numbers; nil if there are none.
    ///
    /// - Throws: a `Failure` of kind `badInput` if they are not an ellipsoid of the Earth.
    init?(_ entries: [String: String], of title: String) throws {
        if let code = entries["Datum.Ellipsoid"] {
            guard let known = LGIEllipsoid.known[code.uppercased()] else {
                throw Failure.unclearSystem(
                    "its \(title) uses an unknown ellipsoid, '\(code.shortened)'")
            }
            self = known
            return
        }
        func number(_ key: String) -> Double? {
            entries["Datum.Ellipsoid.\(key)"].flatMap { Double(inLGIDict: $0) }
        }
        guard entries.keys.contains(where: { $0.hasPrefix("Datum.Ellipsoid.") }) else { return nil }
        let minor = number("SemiMinorAxis")
        guard let major = number("SemiMajorAxis"),
            let flattening = number("InvFlattening")
                ?? minor.map({ $0 == major ? 0 : major / (major - $0) }),
            // Ellipsoids of the Earth have a semi-major axis of 6330 to 6400 km and a flattening between
            // 1/400 and 1/200; a sphere has none.
            6.3e6...6.5e6 ~= major, flattening == 0 || 200...400 ~= flattening
        else {
            throw Failure(.badInput, "the ellipsoid of its \(title) is not an ellipsoid of the Earth")
        }
        self.init(semiMajor: major, inverseFlattening: flattening)
    }

    private static let known: [String: LGIEllipsoid] = [
        "AA": (6_377_563.396, 299.3249646), "AM": (6_377_340.189, 299.3249646), "AN": (6_378_160, 298.25),
        "BR": (6_377_397.155, 299.1528128), "CC": (6_378_206.4, 294.9786982), "CD": (6_378_249.145, 293.465),
        "HE": (6_378_200, 298.3), "HO": (6_378_270, 297), "IN": (6_378_388, 297), "KA": (6_378_245, 298.3),
        "RF": (6_378_137, 298.257222101), "SA": (6_378_160, 298.25), "WD": (6_378_135, 298.26),
        "WE": (6_378_137, 298.257223563),
    ].mapValues { LGIEllipsoid(semiMajor: $0.0, inverseFlattening: $0.1) }
}

extension Double {
    /// Reads a number in the text of an LGIDict: a decimal number, or degrees, minutes and seconds with a
    /// letter: `96 0 0.0W`. Nil for anything else.
    init?(inLGIDict text: String) {
        let text = text.filter { !$0.isNewline }.trimmed()
        if let number = Double(text) {
            guard number.isFinite else { return nil }
            self = number
            return
        }
        guard let letter = text.last, "NSEWnsew".contains(letter) else { return nil }
        let parts = text.dropLast().split(separator: " ").map { Double($0) }
        let numbers = parts.compactMap { $0 }
        guard 1...3 ~= numbers.count, numbers.count == parts.count, numbers.allSatisfy(\.isFinite) else {
            return nil
        }
        let degrees = numbers.reversed().reduce(0) { $0 / 60 + $1 }
        self = "SWsw".contains(letter) ? -degrees : degrees
    }
}
