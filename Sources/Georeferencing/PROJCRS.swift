import CPROJ
import Diagnostics

/// A coordinate reference system as PROJ's object (`PJ`), with the context it lives in.
struct PROJCRS: ~Copyable {
    private let context: PROJContext
    private let handle: OpaquePointer

    /// Reads a definition: `EPSG:n` and other authorities, WKT 1, 2 or Esri's, a PROJ string
    /// (`proj_create`).
    ///
    /// - Throws: PROJ's reason as a `Failure` of the given kind.
    init(_ definition: String, failure kind: Failure.Kind) throws {
        let context = try PROJContext()
        guard let handle = proj_create(context.handle, PROJCRS.typed(definition)) else {
            throw PROJCRS.failure(kind, definition, context.reason)
        }
        self.context = context
        self.handle = handle
    }

    deinit { proj_destroy(handle) }

    /// A PROJ string names an operation unless it says that it is a CRS.
    private static func typed(_ definition: String) -> String {
        let isPROJString = definition.contains("proj=") || definition.contains("init=")
        return isPROJString && !definition.contains("type=crs")
            ? definition + " +type=crs" : definition
    }

    private static func failure(
        _ kind: Failure.Kind, _ definition: String, _ reason: String
    ) -> Failure {
        let attempt = "cannot understand the coordinate reference system '\(definition.shortened)'"
        if reason.contains("database") || reason.contains("proj.db") {
            return Failure(
                kind, "\(attempt): PROJ's database proj.db is missing",
                remedy: "install it (Debian: proj-data) or set PROJ_DATA to its folder")
        }
        return Failure(
            kind, "\(attempt): \(reason)",
            remedy: "give an EPSG code as EPSG:25832, WKT, or a PROJ string as '+proj=utm +zone=32'"
        )
    }

    /// The name in the definition or in the database (`proj_get_name`).
    var name: String {
        proj_get_name(handle).map { String(cString: $0) } ?? "unnamed"
    }

    /// The definition as WKT in Esri's dialect (`proj_as_wkt`), in one line; nil where it has no words
    /// for it.
    var esriWKT: String? {
        proj_as_wkt(context.handle, handle, PJ_WKT1_ESRI, nil).map { String(cString: $0) }
    }

    /// Whether two definitions mean the same but for the order of the axes
    /// (`proj_is_equivalent_to`).
    func isEquivalent(to other: borrowing PROJCRS) -> Bool {
        proj_is_equivalent_to_with_ctx(
            context.handle, handle, other.handle,
            PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS) != 0
    }

    /// What its horizontal coordinates are; nil where they are no places on the Earth's surface.
    var horizontalKind: HorizontalKind? {
        PROJCRS.horizontalKind(of: handle, context.handle)
    }

    /// Looks through a compound or bound CRS at the one that holds the map coordinates.
    private static func horizontalKind(
        of crs: OpaquePointer, _ context: OpaquePointer
    ) -> HorizontalKind? {
        switch proj_get_type(crs) {
        case PJ_TYPE_PROJECTED_CRS: return .projected
        case PJ_TYPE_GEOGRAPHIC_2D_CRS, PJ_TYPE_GEOGRAPHIC_3D_CRS:
            return .geographic(fullTurn: fullTurn(of: crs, context))
        case PJ_TYPE_COMPOUND_CRS:
            return horizontalKind(ofPart: proj_crs_get_sub_crs(context, crs, 0), context)
        case PJ_TYPE_BOUND_CRS:
            return horizontalKind(ofPart: proj_get_source_crs(context, crs), context)
        default: return nil
        }
    }

    private static func horizontalKind(
        ofPart part: OpaquePointer?, _ context: OpaquePointer
    ) -> HorizontalKind? {
        guard let part else { return nil }
        defer { proj_destroy(part) }
        return horizontalKind(of: part, context)
    }

    /// A full turn in the unit of the CRS: 360 for degrees, 400 for gons.
    private static func fullTurn(of crs: OpaquePointer, _ context: OpaquePointer) -> Double {
        guard let system = proj_crs_get_coordinate_system(context, crs) else { return 360 }
        defer { proj_destroy(system) }
        var radiansPerUnit = 0.0
        let found = proj_cs_get_axis_info(
            context, system, 0, nil, nil, nil, &radiansPerUnit, nil, nil, nil)
        guard found != 0, radiansPerUnit > 0 else { return 360 }
        return (2 * Double.pi / radiansPerUnit * 1e6).rounded() / 1e6
    }
}

/// What the horizontal coordinates of a CRS are.
enum HorizontalKind: Hashable {
    /// Longitude and latitude; a full turn in the CRS's own angular unit.
    case geographic(fullTurn: Double)
    /// Easting and northing in the CRS's own unit of length.
    case projected
}
