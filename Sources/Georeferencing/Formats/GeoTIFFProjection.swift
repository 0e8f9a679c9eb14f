/// How a projection method of GeoTIFF is written in WKT 1.
struct GeoTIFFProjection {
    /// A parameter of WKT and the place of its value among libgeotiff's (`GTIFDefn.ProjParm`).
    typealias Parameter = (name: String, index: Int)

    /// The name of the method in WKT.
    let name: String
    /// The method's own parameters; a false easting and northing come after them.
    let parameters: [Parameter]

    /// The method of a ProjCoordTransGeoKey, `CT_...` in libgeotiff; nil for what WKT 1 has no words
    /// for.
    ///
    /// - Parameter hasStandardParallel: whether the scale of a Mercator projection is given by a
    ///   parallel.
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
