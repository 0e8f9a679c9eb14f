import CGeodesy
public import Platform
import Synchronization

/// A coordinate reference system. x is always east and longitude always comes first, whatever axis order the
/// authority defines.
///
/// It holds only its definition; PROJ objects are created where they are used.
public struct CRS: Hashable, Sendable {
    /// How the CRS is defined.
    enum Definition: Hashable {
        case webMercator
        case wgs84
        case localPlane(LocalPlane)
        /// A definition that PROJ reads.
        case text(String)
    }

    /// The definition.
    let definition: Definition
    /// Whether its coordinates are longitude and latitude or easting and northing.
    let horizontalKind: HorizontalKind
    /// The name for people, such as `WGS 84 / UTM zone 32N`.
    public let name: String

    private init(_ definition: Definition, _ kind: HorizontalKind, name: String) {
        self.definition = definition
        self.horizontalKind = kind
        self.name = name
    }

    /// EPSG:3857, the plane of the tiles, in metres.
    public static let webMercator = CRS(
        .webMercator, .projected, name: "WGS 84 / Pseudo-Mercator")

    /// EPSG:4326 with longitude first, which is OGC:CRS84, in degrees.
    public static let wgs84 = CRS(.wgs84, .geographic(fullTurn: 360), name: "WGS 84")

    /// The conformal plane around a point, in metres.
    package init(_ plane: LocalPlane) {
        self.init(
            .localPlane(plane), .projected,
            name: "local transverse Mercator at \(plane.longitude), \(plane.latitude)")
    }

    /// Reads a definition: `EPSG:n`, WKT 1, 2 or Esri's, or a PROJ string.
    ///
    /// Any definition of Web Mercator or WGS 84 becomes `webMercator` or `wgs84`, whatever its wording.
    ///
    /// - Parameter kind: the kind of the `Failure` if the definition cannot be understood.
    public init(_ definition: String, failure kind: Failure.Kind = .usage) throws {
        let text = CRS.trimmed(definition)
        if let known = CRS.knownName(text) ?? CRS.understood.withLock({ $0[text] }) {
            self = known
            return
        }
        if let zone = UTMZone(text) {
            self.init(.text(text), .projected, name: zone.name)
            return
        }
        try self.init(understanding: text, kind)
        CRS.understood.withLock { [self] in $0[text] = self }
    }

    /// The projected system of an EPSG code that needs no database; nil for all others.
    init?(knownProjection code: Int) {
        let text = "EPSG:\(code)"
        if let known = CRS.knownName(text), !known.isGeographic {
            self = known
            return
        }
        guard let zone = UTMZone(code: code) else { return nil }
        self.init(.text(text), .projected, name: zone.name)
    }

    /// Definitions that have been read already. Hundreds of sheets share one, and asking PROJ about it takes
    /// longer than the rest of placing a sheet.
    private static let understood = Mutex<[String: CRS]>([:])

    private init(understanding text: String, _ kind: Failure.Kind) throws {
        try CRS.refuseBareNumber(text, kind)
        let crs = try PROJCRS(text, failure: kind)
        try CRS.refuseLikeness(text, to: crs.name, kind)
        guard let horizontalKind = crs.horizontalKind else {
            throw Failure(
                kind,
                "the coordinate reference system '\(text.shortened)' is neither geographic nor projected",
                remedy: "give a geographic or projected system, such as EPSG:4326 or EPSG:25832")
        }
        if try crs.isEquivalent(to: PROJCRS("EPSG:3857", failure: kind)) {
            self = .webMercator
        } else if try crs.isEquivalent(to: PROJCRS("EPSG:4326", failure: kind)) {
            self = .wgs84
        } else {
            let isNamed = crs.name != "unknown" && crs.name != "unnamed"
            let fallback = text.contains("[") ? "a system without a name" : text.shortened
            self.init(.text(text), horizontalKind, name: isNamed ? crs.name.oneLine : fallback)
        }
    }

    /// The same system under another name for people, unless it is Web Mercator, WGS 84 or a local plane.
    func named(_ other: String) -> CRS {
        guard case .text = definition else { return self }
        return CRS(definition, horizontalKind, name: other)
    }

    /// Metres in one unit of its coordinates; nil if they are angles. Reads PROJ's database.
    var metresPerUnit: Double? {
        get throws {
            if case .geographic = horizontalKind { return nil }
            guard case .text(let text) = definition else { return 1 }
            return try PROJCRS(text, failure: .badInput).unit
        }
    }

    /// Whether its coordinates are longitude and latitude.
    public var isGeographic: Bool { fullTurn != nil }

    /// A full turn of longitude in the CRS's unit; nil if the CRS is not geographic.
    var fullTurn: Double? {
        if case .geographic(let fullTurn) = horizontalKind { fullTurn } else { nil }
    }
}

extension CRS {
    /// The names of the two systems that need no database; 900913, 3785, 102100 and 102113 are
    /// older numbers of Web Mercator.
    private static let knownNames: [String: CRS] = [
        "EPSG:3857": webMercator, "EPSG:900913": webMercator, "EPSG:3785": webMercator,
        "EPSG:102100": webMercator, "EPSG:102113": webMercator, "ESRI:102100": webMercator,
        "ESRI:102113": webMercator, "EPSG:4326": wgs84, "OGC:CRS84": wgs84, "WGS84": wgs84,
        "URN:OGC:DEF:CRS:OGC:1.3:CRS84": wgs84, "URN:OGC:DEF:CRS:OGC::CRS84": wgs84,
        "URN:OGC:DEF:CRS:EPSG::3857": webMercator, "URN:OGC:DEF:CRS:EPSG::4326": wgs84,
    ]

    private static func knownName(_ text: String) -> CRS? { knownNames[text.uppercased()] }

    /// The text without the white space, null bytes and byte order mark that files carry.
    private static func trimmed(_ text: String) -> String {
        text.trimmed { $0.isWhitespace || $0 == "\0" || $0 == "\u{FEFF}" }
    }

    private static func refuseBareNumber(_ text: String, _ kind: Failure.Kind) throws {
        guard Int(text) != nil else { return }
        throw Failure(
            kind, "'\(text)' does not name a coordinate reference system: its authority is missing",
            remedy: "write EPSG:\(text)")
    }

    /// PROJ accepts any part of a system's name for the system: 'foo' for 'Amersfoort'.
    private static func refuseLikeness(
        _ text: String, to name: String, _ kind: Failure.Kind
    ) throws {
        let isDefinition = text.contains { "[{:=".contains($0) }
        guard !isDefinition, text.lowercased() != name.lowercased() else { return }
        throw Failure(
            kind, "no coordinate reference system has the name '\(text.shortened)'",
            remedy: "give its code, such as EPSG:25832, or its full name, such as '\(name)'")
    }
}

extension StringProtocol {
    /// The text without padding at its ends.
    func trimmed(_ isPadding: (Character) -> Bool = \.isWhitespace) -> String {
        let head = drop(while: isPadding)
        return String(head.dropLast(head.reversed().prefix(while: isPadding).count))
    }
}

extension String {
    /// The text with spaces instead of line ends.
    var oneLine: String { String(map { $0.isNewline ? " " : $0 }) }

    /// At most 60 characters in one line, for a message.
    var shortened: String {
        let line = oneLine
        return line.count <= 60 ? line : line.prefix(59) + "…"
    }
}

extension [String] {
    /// The first five texts, with commas between them.
    var firstFive: String { prefix(5).joined(separator: ", ") + (count > 5 ? ", …" : "") }
}

extension CRS {
    /// The CRS as WKT 1 in Esri's dialect, the content of a `.prj` file; reads PROJ's database.
    ///
    /// - Throws: a `Failure` if the CRS cannot be expressed in that dialect.
    package func esriWKT() throws -> String {
        let crs = try PROJCRS(projDefinition, failure: .badInput)
        guard let text = crs.wkt(PJ_WKT1_ESRI) else {
            throw Failure(
                .badInput, cannot: "write the coordinate reference system '\(name)' as WKT", nil)
        }
        return text
    }

    /// The definition that PROJ reads.
    var projDefinition: String {
        switch definition {
        case .webMercator: "EPSG:3857"
        case .wgs84: "EPSG:4326"
        case .localPlane(let plane): plane.crsDefinition
        case .text(let text): text
        }
    }
}

/// A zone of Universal Transverse Mercator on WGS 84, EPSG:32601 to 32660 and EPSG:32701 to 32760.
///
/// Its definition in PROJ's database fits into two lines, and asking the database takes several milliseconds.
struct UTMZone {
    /// 1 to 60, from the west.
    private let number: Int
    private let isSouthern: Bool

    /// The zone of an EPSG code; nil for all other codes.
    init?(code: Int) {
        number = code % 100
        isSouthern = code / 100 == 327
        guard 326...327 ~= code / 100, 1...60 ~= number else { return nil }
    }

    /// The zone of a definition such as `EPSG:32632`; nil for all others, even if they define the same zone
    /// in other words.
    init?(_ definition: String) {
        let parts = definition.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].uppercased() == "EPSG", parts[1].utf8.count == 5,
            let code = Int(parts[1])
        else { return nil }
        self.init(code: code)
    }

    /// The name in PROJ's database.
    var name: String { "WGS 84 / UTM zone \(number)\(isSouthern ? "S" : "N")" }

    /// From metres to longitude and latitude in degrees: the pipeline that PROJ finds in its database for the
    /// code. The coordinates are the same to the last bit.
    var pipeline: String {
        """
        +proj=pipeline +step +inv +proj=utm +zone=\(number) \(isSouthern ? "+south " : "")+ellps=WGS84 \
        +step +proj=unitconvert +xy_in=rad +xy_out=deg
        """
    }
}
