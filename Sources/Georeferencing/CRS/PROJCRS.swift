import CGeodesy
import Platform
import Tiling

/// One PROJ context (`PJ_CONTEXT`): silent, without network. It keeps its error texts for a `Failure`.
///
/// A context belongs to one thread at a time.
struct PROJContext: ~Copyable {
    /// The C handle.
    let handle: OpaquePointer
    private let log: PROJLog

    /// Creates a context (`proj_context_create`); the first one loads PROJ.
    init() throws {
        guard let handle = proj_context_create() else {
            throw Failure(
                .systemLimit, cannot: "load PROJ, the library for reference systems", nil,
                remedy: "install it (Debian: libproj25)")
        }
        self.handle = handle
        self.log = PROJLog()
        proj_context_set_enable_network(handle, 0)
        proj_context_use_proj4_init_rules(handle, 1)
        proj_log_func(handle, Unmanaged.passUnretained(log).toOpaque()) { log, _, text in
            guard let log, let text else { return }
            Unmanaged<PROJLog>.fromOpaque(log).takeUnretainedValue().record(String(cString: text))
        }
        _ = proj_log_level(handle, PJ_LOG_ERROR)
    }

    deinit { proj_context_destroy(handle) }

    /// Why the last call failed, in PROJ's words.
    var reason: String { log.last ?? "PROJ gives no reason" }

    /// Stops collecting error texts: coordinates that cannot be transformed are not reported.
    func muteLog() {
        _ = proj_log_level(handle, PJ_LOG_NONE)
    }
}

/// The last error text that PROJ gave to its log function.
private final class PROJLog {
    private(set) var last: String?

    /// Keeps a text without the name of the C function that PROJ puts in front.
    func record(_ text: String) {
        last = text.hasPrefix("proj_create: ") ? String(text.dropFirst(13)) : text
    }
}

/// A coordinate reference system as PROJ's object (`PJ`), with the context it lives in.
struct PROJCRS: ~Copyable {
    private let context: PROJContext
    private let handle: OpaquePointer

    /// The largest definition in bytes that PROJ is given. The longest in its database has some 6000 bytes in
    /// any notation; a megabyte of parameters keeps PROJ busy for minutes.
    private static let longest = 64 << 10

    /// Reads a definition: `EPSG:n` and other authorities, WKT 1, 2 or Esri's, a PROJ string
    /// (`proj_create`).
    ///
    /// - Throws: PROJ's reason as a `Failure` of the given kind.
    init(_ definition: String, failure kind: Failure.Kind) throws {
        guard definition.utf8.count <= PROJCRS.longest else {
            throw PROJCRS.failure(kind, definition, "it is too long")
        }
        let context = try PROJContext()
        guard let handle = proj_create(context.handle, PROJCRS.typed(definition)) else {
            throw PROJCRS.failure(kind, definition, context.reason)
        }
        self.context = context
        self.handle = handle
    }

    deinit { proj_destroy(handle) }

    /// The text with its type: PROJ takes a PROJ string for an operation unless it says that it is a CRS.
    static func typed(_ definition: String) -> String {
        let isPROJString = definition.contains("proj=") || definition.contains("init=")
        return isPROJString && !definition.contains("type=crs")
            ? definition + " +type=crs" : definition
    }

    private static func failure(
        _ kind: Failure.Kind, _ definition: String, _ reason: String
    ) -> Failure {
        let attempt = "understand the coordinate reference system '\(definition.shortened)'"
        // PROJ has no error code for this; these are its own words, which it does not translate.
        if reason.contains("database") || reason.contains("proj.db") {
            return Failure(
                kind, cannot: attempt, "PROJ's database proj.db is missing",
                remedy: "install it (Debian: proj-data) or set PROJ_DATA to its folder")
        }
        return Failure(
            kind, cannot: attempt, reason,
            remedy: "give an EPSG code such as EPSG:25832, WKT, or a PROJ string such as '+proj=utm +zone=32'"
        )
    }

    /// The name in the definition or in the database (`proj_get_name`).
    var name: String {
        proj_get_name(handle).map { String(cString: $0) } ?? "unnamed"
    }

    /// Whether a place, in degrees, is in the area that it is made for (`proj_get_area_of_use`), which may cross the
    /// 180th meridian; false if PROJ knows none.
    func isMade(for place: Point) -> Bool {
        var (west, south, east, north) = (0.0, 0.0, 0.0, 0.0)
        let isKnown = proj_get_area_of_use(context.handle, handle, &west, &south, &east, &north, nil) != 0
        // PROJ says -1000 for a limit that it does not know.
        guard isKnown, west >= -180, place.y >= south, place.y <= north else { return false }
        let (isEast, isWest) = (place.x >= west, place.x <= east)
        return west <= east ? isEast && isWest : isEast || isWest
    }

    /// The definition as WKT (`proj_as_wkt`): in Esri's dialect in one line, or WKT 1 as GDAL writes it; nil
    /// if the dialect cannot express it.
    func wkt(_ dialect: PJ_WKT_TYPE) -> String? {
        proj_as_wkt(context.handle, handle, dialect, nil).map { String(cString: $0) }
    }

    /// Whether two definitions mean the same, apart from the order of the axes (`proj_is_equivalent_to`).
    func isEquivalent(to other: borrowing PROJCRS) -> Bool {
        proj_is_equivalent_to_with_ctx(
            context.handle, handle, other.handle,
            PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS) != 0
    }

    /// Whether its authority puts northing or latitude first (`proj_normalize_for_visualization`).
    var isNorthFirst: Bool {
        guard let normal = proj_normalize_for_visualization(context.handle, handle) else {
            return false
        }
        defer { proj_destroy(normal) }
        return PROJCRS.firstAxis(of: handle, context.handle)
            != PROJCRS.firstAxis(of: normal, context.handle)
    }

    /// The name of the first horizontal axis.
    private static func firstAxis(of crs: OpaquePointer, _ context: OpaquePointer) -> String? {
        atHorizontalPart(of: crs, context) { axis(of: $0, context)?.name }
    }

    /// Projects longitudes and latitudes of the underlying geographic system to coordinates of this CRS, x
    /// east, in place (`proj_crs_get_geodetic_crs`). A point that cannot be projected becomes (nan, nan).
    ///
    /// - Returns: false if there is no underlying geographic system.
    func project(_ points: inout [Point]) -> Bool {
        PROJCRS.atHorizontalPart(of: handle, context.handle) { part -> Bool? in
            guard let base = proj_crs_get_geodetic_crs(context.handle, part) else { return nil }
            defer { proj_destroy(base) }
            guard var operation = try? PROJOperation(from: base, to: part) else { return nil }
            operation.transform(&points, PJ_FWD)
            return true
        } ?? false
    }

    /// The kind of its horizontal coordinates; nil if they are not places on the Earth's surface.
    var horizontalKind: HorizontalKind? {
        PROJCRS.atHorizontalPart(of: handle, context.handle) { part in
            switch proj_get_type(part) {
            case PJ_TYPE_PROJECTED_CRS: .projected
            case PJ_TYPE_GEOGRAPHIC_2D_CRS, PJ_TYPE_GEOGRAPHIC_3D_CRS:
                .geographic(fullTurn: PROJCRS.fullTurn(of: part, context.handle))
            default: nil
            }
        }
    }

    /// Metres or radians in one unit of the horizontal coordinates; nil if PROJ does not state it.
    var unit: Double? {
        PROJCRS.atHorizontalPart(of: handle, context.handle) {
            PROJCRS.axis(of: $0, context.handle)?.unit
        }
    }

    /// Calls `body` with the part of a compound or bound CRS that holds the map coordinates.
    private static func atHorizontalPart<Result>(
        of crs: OpaquePointer, _ context: OpaquePointer, _ body: (OpaquePointer) -> Result?
    ) -> Result? {
        let part: OpaquePointer?
        switch proj_get_type(crs) {
        case PJ_TYPE_COMPOUND_CRS: part = proj_crs_get_sub_crs(context, crs, 0)
        case PJ_TYPE_BOUND_CRS: part = proj_get_source_crs(context, crs)
        default: return body(crs)
        }
        guard let part else { return nil }
        defer { proj_destroy(part) }
        return atHorizontalPart(of: part, context, body)
    }

    /// A full turn in the unit of the CRS: 360 for degrees, 400 for gons, 2 pi for radians. Degrees and gons
    /// are rounded to whole numbers.
    private static func fullTurn(of crs: OpaquePointer, _ context: OpaquePointer) -> Double {
        guard let radiansPerUnit = axis(of: crs, context)?.unit else { return 360 }
        let turn = 2 * Double.pi / radiansPerUnit
        return abs(turn - turn.rounded()) < 1e-6 ? turn.rounded() : turn
    }

    /// The name of the first axis, and its unit in metres or radians; nil if PROJ does not state them.
    private static func axis(
        of crs: OpaquePointer, _ context: OpaquePointer
    ) -> (name: String, unit: Double)? {
        guard let system = proj_crs_get_coordinate_system(context, crs) else { return nil }
        defer { proj_destroy(system) }
        var (name, unit) = (UnsafePointer<CChar>?.none, 0.0)
        _ = proj_cs_get_axis_info(context, system, 0, &name, nil, nil, &unit, nil, nil, nil)
        guard let name, unit > 0 else { return nil }
        return (String(cString: name), unit)
    }
}

/// The kind of a CRS's horizontal coordinates.
enum HorizontalKind: Hashable {
    /// Longitude and latitude; a full turn in the CRS's own angular unit.
    case geographic(fullTurn: Double)
    /// Easting and northing in the CRS's own unit of length.
    case projected
}
