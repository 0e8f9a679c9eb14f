import Platform

/// The ellipsoid of a datum in an LGIDict.
struct LGIEllipsoid: Hashable {
    /// In metres.
    let semiMajor: Double
    /// 0 for a sphere.
    let inverseFlattening: Double

    /// The one of WGS 84.
    static let wgs84 = LGIEllipsoid(semiMajor: 6_378_137, inverseFlattening: 298.257223563)

    private init(semiMajor: Double, inverseFlattening: Double) {
        (self.semiMajor, self.inverseFlattening) = (semiMajor, inverseFlattening)
    }

    /// Takes the entries of a projection: a code of GEOTRANS or two numbers; nil if there are none.
    ///
    /// - Throws: a `Failure` of kind `badInput` if that is no ellipsoid of the Earth.
    init?(_ entries: [String: String], of title: String) throws {
        if let code = entries["Datum.Ellipsoid"] {
            guard let known = LGIEllipsoid.known[code.uppercased()] else {
                throw Failure(
                    .badInput, "its \(title) is on an ellipsoid that is not known, '\(code.shortened)'",
                    remedy: "name the system of its coordinates: --crs EPSG:n")
            }
            self = known
            return
        }
        func number(_ key: String) -> Double? {
            entries["Datum.Ellipsoid.\(key)"].flatMap { LGINumber.value(of: $0) }
        }
        guard entries.keys.contains(where: { $0.hasPrefix("Datum.Ellipsoid.") }) else { return nil }
        let minor = number("SemiMinorAxis")
        guard let major = number("SemiMajorAxis"),
            let flattening = number("InvFlattening")
                ?? minor.map({ $0 == major ? 0 : major / (major - $0) }),
            // The Earth's are between 6.33 and 6.4 thousand km, and flatter than a 200th and less than a 400th;
            // a sphere has no flattening.
            6.3e6...6.5e6 ~= major, flattening == 0 || 200...400 ~= flattening
        else {
            throw Failure(.badInput, "the ellipsoid of its \(title) is not one of the Earth")
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
