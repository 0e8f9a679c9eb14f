/// How a projection of an LGIDict is written in WKT 1.
struct LGIMethod {
    /// Where the value of a parameter comes from.
    enum Source {
        case fixed(Double)
        /// An entry in degrees, that must be there.
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

    /// The method of a `ProjectionType`; nil for what is not known: Ney's projection, the grids of MGRS and of
    /// state planes, and transverse cylindrical equal areas.
    ///
    /// - Parameter isDefined: whether an entry is there.
    init?(_ type: String, isDefined: (String) -> Bool) {
        var type = type
        // A Mercator projection may be told by the parallel where its scale is 1, and a Lambert projection by one
        // parallel and a scale.
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
        // The grid has one origin, and files do not repeat it: EPSG:27200.
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
