import Platform

/// The `Projection` of an LGIDict: a GEOTRANS projection code, its parameters, and a datum.
struct LGIProjection {
    private let entries: [String: String]
    private let title: String

    /// Takes the entries of the dictionary as text.
    init(_ entries: [String: String], of title: String) { (self.entries, self.title) = (entries, title) }

    /// The system of the projection.
    ///
    /// - Throws: a `Failure` of kind `badInput` that names an entry that is missing or unknown.
    func crs() throws -> CRS {
        // GDAL writes this entry, and reads only it if it is there.
        if let wkt = entries["WKT"], !wkt.isEmpty { return try CRS(wkt, failure: .badInput) }
        let datum = try LGIDatum(entries, of: title)
        let type = try text("ProjectionType").uppercased()
        switch type {
        case "GEOGRAPHIC": return try geographic(datum)
        case "UT": return try utm(zone: zone, isSouthern: isSouthern, on: datum)
        case "UP": return try polar(on: datum)
        case "TC":
            if let (zone, isSouthern) = try zoneOfParameters {
                return try utm(zone: zone, isSouthern: isSouthern, on: datum)
            }
        default: break
        }
        guard let method = LGIMethod(type, isDefined: { entries[$0] != nil }) else {
            throw Failure.unclearSystem(
                "its \(title) uses an unknown projection, '\(type.shortened)'")
        }
        return try projected(
            method.name, parameters: method.parameters.map { ($0.name, try value($0.source)) }, on: datum)
    }

    private func geographic(_ datum: LGIDatum) throws -> CRS {
        if let code = datum.code { return try CRS.coded(code) }
        return try CRS(datum.wkt(), failure: .badInput).named("the datum of its \(title)")
    }

    private func projected(
        _ method: String, parameters: [(name: String, value: Double)], on datum: LGIDatum
    ) throws -> CRS {
        let wkt = WKT.projected(method, on: try datum.wkt(), parameters, unit: "\"metre\",1")
        let words = method.replacing("_", with: " ")
        return try CRS(wkt, failure: .badInput).named("\(words) of its \(title)")
    }
}

extension LGIProjection {
    private var zone: Int {
        get throws {
            let value = try number("Zone")
            guard let zone = Int(exactly: value), 1...60 ~= zone else {
                throw Failure(
                    .badInput, "its \(title) is in zone \(value.shortText) of UTM, which has 1 to 60")
            }
            return zone
        }
    }

    private var isSouthern: Bool {
        get throws {
            switch try text("Hemisphere").uppercased() {
            case "N": return false
            case "S": return true
            case let other:
                throw Failure(
                    .badInput,
                    "its \(title) has the hemisphere '\(other.shortened)', which is neither N nor S")
            }
        }
    }

    /// The UTM zone that matches the parameters of a transverse Mercator projection.
    private var zoneOfParameters: (zone: Int, isSouthern: Bool)? {
        get throws {
            let sources: [LGIMethod.Source] = [.angle("OriginLatitude"), .scale, .easting, .northing]
            let values = try sources.map(value)
            let meridian = try number("CentralMeridian")
            guard values[0] == 0, values[1] == 0.9996, values[2] == 500_000,
                values[3] == 0 || values[3] == 10_000_000,
                let zone = Int(exactly: (meridian + 183) / 6), 1...60 ~= zone
            else { return nil }
            return (zone, values[3] != 0)
        }
    }

    private func utm(zone: Int, isSouthern: Bool, on datum: LGIDatum) throws -> CRS {
        switch datum.code {
        case 4326: return try CRS.coded((isSouthern ? 32700 : 32600) + zone)
        // The zones that have EPSG codes.
        case 4269 where !isSouthern && zone <= 23: return try CRS.coded(26900 + zone)
        case 4267 where !isSouthern && zone <= 22: return try CRS.coded(26700 + zone)
        default: break
        }
        return try projected(
            "Transverse_Mercator",
            parameters: [
                ("latitude_of_origin", 0), ("central_meridian", Double(zone) * 6 - 183),
                ("scale_factor", 0.9996),
                ("false_easting", 500_000), ("false_northing", isSouthern ? 10_000_000 : 0),
            ], on: datum)
    }

    /// Universal Polar Stereographic: 2000 km east and north of the origin. GDAL uses 200 km on datums other
    /// than WGS 84.
    private func polar(on datum: LGIDatum) throws -> CRS {
        let isSouthern = try isSouthern
        if datum.code == 4326 { return try CRS.coded(isSouthern ? 32761 : 32661) }
        return try projected(
            "Polar_Stereographic",
            parameters: [
                ("latitude_of_origin", isSouthern ? -90 : 90), ("central_meridian", 0),
                ("scale_factor", 0.994),
                ("false_easting", 2_000_000), ("false_northing", 2_000_000),
            ], on: datum)
    }
}

extension LGIProjection {
    private func text(_ key: String) throws -> String {
        guard let text = entries[key], !text.isEmpty else {
            throw Failure.unclearSystem("its \(title) does not state the \(key) of its projection")
        }
        return text
    }

    private func number(_ key: String) throws -> Double {
        let text = try text(key)
        guard let number = Double(inLGIDict: text) else {
            throw Failure(.badInput, "its \(title) has a \(key) that is not a number, '\(text.shortened)'")
        }
        return number
    }

    private func value(_ source: LGIMethod.Source) throws -> Double {
        switch source {
        case .fixed(let value): return value
        case .angle(let key): return try number(key)
        case .scale: return entries["ScaleFactor"] == nil ? 1 : try number("ScaleFactor")
        case .easting: return entries["FalseEasting"] == nil ? 0 : try number("FalseEasting") * unit
        case .northing: return entries["FalseNorthing"] == nil ? 0 : try number("FalseNorthing") * unit
        }
    }

    /// Metres in one unit of a false easting. GDAL always takes the coordinates themselves for metres.
    private var unit: Double {
        get throws {
            guard let text = entries["Units"] else { return 1 }
            switch text.uppercased() {
            case "M": return 1
            case "FT": return 0.3048
            // The US survey foot: 1200 / 3937 m.
            case "USSF": return 1200.0 / 3937
            default:
                throw Failure.unclearSystem(
                    "its \(title) uses unknown units, '\(text.shortened)'")
            }
        }
    }
}

/// An LGIDict projection in WKT 1.
struct LGIMethod {
    /// The source of a parameter's value.
    enum Source {
        case fixed(Double)
        /// A required entry in degrees.
        case angle(String)
        /// `ScaleFactor`, or 1.
        case scale
        /// `FalseEasting`, or 0.
        case easting
        /// `FalseNorthing`, or 0.
        case northing
    }

    /// The name of the method in WKT.
    let name: String
    /// Its parameters.
    let parameters: [(name: String, source: Source)]

    /// The method of a `ProjectionType`. Nil for unsupported types: Ney's projection, the grids of MGRS and
    /// of state planes, and transverse cylindrical equal areas.
    ///
    /// - Parameter isDefined: whether an entry exists.
    init?(_ type: String, isDefined: (String) -> Bool) {
        var type = type
        // A Mercator projection may have the parallel where its scale is 1, a Lambert projection one parallel
        // and a scale.
        if type == "MC", isDefined("StandardParallelOne"), !isDefined("ScaleFactor") { type = "MC, parallel" }
        if type == "LC" || type == "LE" { type = isDefined("StandardParallelTwo") ? "LE" : "LE, scale" }
        guard let (name, own) = LGIMethod.methods[type] else { return nil }
        self.name = name
        parameters = own + [("false_easting", .easting), ("false_northing", .northing)]
    }

    private typealias Parameters = [(name: String, source: Source)]

    private static let origin: Parameters = [
        ("latitude_of_origin", .angle("OriginLatitude")), ("central_meridian", .angle("CentralMeridian")),
    ]
    private static let centre: Parameters = [
        ("latitude_of_center", .angle("OriginLatitude")), ("longitude_of_center", .angle("CentralMeridian")),
    ]
    private static let meridian: Parameters = [("central_meridian", .angle("CentralMeridian"))]
    private static let parallels: Parameters = [
        ("standard_parallel_1", .angle("StandardParallelOne")),
        ("standard_parallel_2", .angle("StandardParallelTwo")),
    ]
    private static let scale: Parameters = [("scale_factor", .scale)]

    private static func parallel(_ key: String) -> Parameters { [("standard_parallel_1", .angle(key))] }

    private static let methods: [String: (name: String, parameters: Parameters)] = [
        "AC": ("Albers_Conic_Equal_Area", parallels + centre),
        "AL": ("Azimuthal_Equidistant", centre),
        "BF": ("Bonne", parallel("OriginLatitude") + meridian),
        "CP": ("Equirectangular", parallel("StandardParallel") + meridian),
        "CS": ("Cassini_Soldner", origin),
        "ED": ("Eckert_VI", meridian),
        "EF": ("Eckert_IV", meridian),
        "GN": ("Gnomonic", origin),
        "LE": ("Lambert_Conformal_Conic_2SP", parallels + origin),
        "LE, scale": ("Lambert_Conformal_Conic_1SP", origin + scale),
        "LI": ("Cylindrical_Equal_Area", parallel("OriginLatitude") + meridian),
        "MC": ("Mercator_1SP", origin + scale),
        "MC, parallel": ("Mercator_2SP", parallel("StandardParallelOne") + meridian),
        "MH": (
            "Miller_Cylindrical",
            [("latitude_of_center", .fixed(0)), ("longitude_of_center", .angle("CentralMeridian"))]
        ),
        "MP": ("Mollweide", meridian),
        // The grid has one fixed origin, which files do not repeat: EPSG:27200.
        "NT": (
            "New_Zealand_Map_Grid",
            [
                ("latitude_of_origin", .fixed(-41)), ("central_meridian", .fixed(173)),
                ("false_easting", .fixed(2_510_000)), ("false_northing", .fixed(6_023_150)),
            ]
        ),
        "OC": (
            "Hotine_Oblique_Mercator_Two_Point_Natural_Origin",
            [
                ("latitude_of_center", .angle("OriginLatitude")),
                ("latitude_of_point_1", .angle("LatitudeOne")),
                ("longitude_of_point_1", .angle("LongitudeOne")),
                ("latitude_of_point_2", .angle("LatitudeTwo")),
                ("longitude_of_point_2", .angle("LongitudeTwo")),
            ] + scale
        ),
        "OD": ("Orthographic", origin),
        "PG": (
            "Polar_Stereographic",
            [
                ("latitude_of_origin", .angle("LatitudeTrueScale")),
                ("central_meridian", .angle("LongitudeDownFromPole")), ("scale_factor", .fixed(1)),
            ]
        ),
        "PH": ("Polyconic", origin),
        "SA": ("Sinusoidal", [("longitude_of_center", .angle("CentralMeridian"))]),
        "SD": ("Stereographic", origin + [("scale_factor", .fixed(1))]),
        "TC": ("Transverse_Mercator", origin + scale),
        "VA": ("VanDerGrinten", meridian),
    ]
}
