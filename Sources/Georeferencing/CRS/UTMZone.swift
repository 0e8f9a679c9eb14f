/// A zone of Universal Transverse Mercator on WGS 84, EPSG:32601 to 32660 and EPSG:32701 to 32760.
///
/// What PROJ's database says of them fits into two lines, and asking it takes several milliseconds.
struct UTMZone {
    /// 1 to 60, from the west.
    private let number: Int
    private let isSouthern: Bool

    /// The zone of a code of EPSG; nil for all other codes.
    init?(code: Int) {
        number = code % 100
        isSouthern = code / 100 == 327
        guard 326...327 ~= code / 100, 1...60 ~= number else { return nil }
    }

    /// The zone of a definition, as `EPSG:32632`; nil for all others, also for those that say the same in
    /// other words.
    init?(_ definition: String) {
        let parts = definition.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].uppercased() == "EPSG", parts[1].utf8.count == 5,
            let code = Int(parts[1])
        else { return nil }
        self.init(code: code)
    }

    /// The name in PROJ's database.
    var name: String { "WGS 84 / UTM zone \(number)\(isSouthern ? "S" : "N")" }

    /// From metres to longitude and latitude in degrees: what PROJ finds in its database for the code, and
    /// to the last bit the same coordinates.
    var pipeline: String {
        """
        +proj=pipeline +step +inv +proj=utm +zone=\(number) \(isSouthern ? "+south " : "")+ellps=WGS84 \
        +step +proj=unitconvert +xy_in=rad +xy_out=deg
        """
    }
}
