import CExpat
import CGeodesy
package import Platform
import Tiling

/// A coordinate operation of PROJ (`PJ`) from a CRS to longitude and latitude in degrees on WGS 84.
struct PROJOperation: ~Copyable {
    private let context: PROJContext
    private let handle: OpaquePointer

    /// The best operation that PROJ knows for each place (`proj_create_crs_to_crs`), x east and
    /// longitude first on both sides.
    ///
    /// The target is EPSG:4326, brought into that order. It is not OGC:CRS84, for which PROJ prefers other
    /// datum shifts than for EPSG:3857 or EPSG:4326.
    init(from definition: String) throws {
        let context = try PROJContext()
        let found = proj_create_crs_to_crs(context.handle, definition, "EPSG:4326", nil)
        try self.init(context, normalising: found, of: definition)
    }

    /// The best operation between two systems (`proj_create_crs_to_crs_from_pj`), x east and longitude first
    /// on both sides.
    init(from source: OpaquePointer, to target: OpaquePointer) throws {
        let context = try PROJContext()
        let found = proj_create_crs_to_crs_from_pj(context.handle, source, target, nil, nil)
        try self.init(context, normalising: found, of: "a system")
    }

    private init(
        _ context: consuming PROJContext, normalising found: OpaquePointer?, of definition: String
    ) throws {
        defer { proj_destroy(found) }
        let handle = found.flatMap { proj_normalize_for_visualization(context.handle, $0) }
        try self.init(context, handle, of: definition)
    }

    private init(_ context: consuming PROJContext, _ handle: OpaquePointer?, of definition: String) throws {
        guard let handle else {
            throw Failure(
                .badInput,
                cannot: "turn coordinates of '\(definition.shortened)' into longitudes and latitudes",
                context.reason)
        }
        context.muteLog()
        self.context = context
        self.handle = handle
    }

    /// An operation given as a pipeline (`proj_create`); needs no database.
    init(pipeline: String) throws {
        let context = try PROJContext()
        let handle = proj_create(context.handle, pipeline)
        try self.init(context, handle, of: pipeline)
    }

    deinit { proj_destroy(handle) }

    /// Transforms points in place (`proj_trans_generic`), in about a microsecond each. A point that cannot be
    /// transformed becomes (nan, nan).
    mutating func transform(_ points: inout [Point], _ direction: PJ_DIRECTION) {
        let stride = MemoryLayout<Point>.stride
        points.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let x = base.assumingMemoryBound(to: Double.self)
            let count = bytes.count / stride
            proj_trans_generic(
                handle, direction, x, stride, count, x + 1, stride, count, nil, 0, 0, nil, 0, 0)
        }
        for index in points.indices where !points[index].isFinite {
            points[index] = .nowhere
        }
    }

    /// The accuracy of the operation that is used at a place, in metres (`proj_coordoperation_get_accuracy`);
    /// infinite for a ballpark operation, nil if PROJ does not state it.
    mutating func accuracy(atLonLat place: Point) -> Double? {
        withOperation(at: place) { context, operation in
            if proj_coordoperation_has_ballpark_transformation(context, operation) != 0 { return .infinity }
            let metres = proj_coordoperation_get_accuracy(context, operation)
            return metres < 0 ? nil : metres
        }
    }

    /// The names of the grids of the operation that is used at a place (`proj_coordoperation_get_grid_used`).
    mutating func grids(atLonLat place: Point) -> [String] {
        withOperation(at: place) { context, operation in
            (0..<proj_coordoperation_get_grid_used_count(context, operation)).compactMap { index in
                var name: UnsafePointer<CChar>?
                _ = proj_coordoperation_get_grid_used(
                    context, operation, index, &name, nil, nil, nil, nil, nil, nil)
                return name.map { String(cString: $0) }
            }
        } ?? []
    }

    /// The operation that PROJ chooses at a place (`proj_trans_get_last_used_operation`).
    private mutating func withOperation<Result>(
        at place: Point, _ body: (_ context: OpaquePointer, _ operation: OpaquePointer) -> Result?
    ) -> Result? {
        var points = [place]
        transform(&points, PJ_INV)
        guard let operation = proj_trans_get_last_used_operation(handle) else { return nil }
        defer { proj_destroy(operation) }
        return body(context.handle, operation)
    }
}

/// A datum shift in PROJ's database that PROJ cannot do because grids are missing.
package struct DatumShift: Hashable, Sendable {
    /// Its accuracy in metres.
    package let accuracy: Double
    /// Its grid files that are not installed, by their names on PROJ's server: `us_noaa_conus.tif`.
    package let missingGrids: [String]

    /// A shift is worth a download if its error is at most this fraction of the current one.
    private static let gain = 0.75
    /// Degrees from a place to the edges of the area around it.
    private static let reach = 1e-4

    /// Looks for the best shift to WGS 84 at a place. Takes tens of milliseconds.
    ///
    /// - Parameters:
    ///   - definition: the CRS, as PROJ reads it.
    ///   - place: longitude and latitude in degrees.
    ///   - accuracy: the accuracy of the current shift.
    /// - Returns: nil if PROJ knows no clearly better shift, or does not state where its grids are.
    init?(from definition: String, atLonLat place: Point, betterThan accuracy: Double) {
        guard let context = try? PROJContext() else { return nil }
        context.muteLog()
        let operations = Self.operations(from: definition, at: place, context)
        let best = operations.filter { $0.accuracy <= accuracy * Self.gain }.min { $0.accuracy < $1.accuracy }
        guard let best, !best.missingGrids.isEmpty else { return nil }
        self = best
    }

    /// The operations whose area contains the place, whether their grids are installed or not
    /// (`proj_create_operations`).
    private static func operations(
        from definition: String, at place: Point, _ context: borrowing PROJContext
    ) -> [DatumShift] {
        let handle = context.handle
        guard let source = proj_create(handle, PROJCRS.typed(definition)) else { return [] }
        defer { proj_destroy(source) }
        guard let target = proj_create(handle, "EPSG:4326") else { return [] }
        defer { proj_destroy(target) }
        guard let factory = proj_create_operation_factory_context(handle, nil) else { return [] }
        defer { proj_operation_factory_context_destroy(factory) }
        // PROJ finds no operation for an area without a size.
        proj_operation_factory_context_set_area_of_interest(
            handle, factory, place.x - reach, place.y - reach, place.x + reach, place.y + reach)
        proj_operation_factory_context_set_spatial_criterion(
            handle, factory, PROJ_SPATIAL_CRITERION_STRICT_CONTAINMENT)
        proj_operation_factory_context_set_grid_availability_use(
            handle, factory, PROJ_GRID_AVAILABILITY_IGNORED)
        guard let list = proj_create_operations(handle, source, target, factory) else { return [] }
        defer { proj_list_destroy(list) }
        return (0..<proj_list_get_count(list)).compactMap { index in
            guard let operation = proj_list_get(handle, list, index) else { return nil }
            defer { proj_destroy(operation) }
            return DatumShift(operation, handle)
        }
    }

    /// Reads an operation's data; nil for a ballpark, or if a grid is not on PROJ's server.
    private init?(_ operation: OpaquePointer, _ context: OpaquePointer) {
        accuracy = proj_coordoperation_get_accuracy(context, operation)
        guard accuracy >= 0, proj_coordoperation_has_ballpark_transformation(context, operation) == 0 else {
            return nil
        }
        var missing: [String] = []
        for index in 0..<proj_coordoperation_get_grid_used_count(context, operation) {
            var (name, url) = (UnsafePointer<CChar>?.none, UnsafePointer<CChar>?.none)
            var isAvailable: Int32 = 0
            guard
                proj_coordoperation_get_grid_used(
                    context, operation, index, &name, nil, nil, &url, nil, nil, &isAvailable) != 0
            else { return nil }
            if isAvailable != 0 { continue }
            guard let name, let url, url.pointee != 0 else { return nil }
            missing.append(String(cString: name))
        }
        missingGrids = missing
    }
}

/// The libraries that read an image's position, except PROJ, which `PROJData` describes.
package enum GeoreferencingLibraries {
    /// All of them, with their versions.
    package static var versions: [LibraryVersion] {
        let expat = XML_ExpatVersionInfo()
        // 1710 is 1.7.1.
        let geotiff = LIBGEOTIFF_VERSION
        return [
            LibraryVersion(
                "libgeotiff", "\(geotiff / 1000).\(geotiff / 100 % 10).\(geotiff / 10 % 10)",
                isOfHeaders: true),
            LibraryVersion("expat", "\(expat.major).\(expat.minor).\(expat.micro)"),
        ]
    }
}

/// The data of PROJ, the library for reference systems: its database, and grids that make datum shifts more
/// accurate.
public struct PROJData: Sendable {
    /// A folder where PROJ looks for grids.
    public struct Folder: Sendable {
        /// Its path.
        public let path: String

        /// How many grids are in it.
        public let gridCount: Int
    }

    /// The version of PROJ.
    public let library: String

    /// The file of the database.
    public let database: String

    /// The version of the EPSG dataset in the database, such as `v10.076`; nil if the database does not state
    /// it.
    public let version: String?

    /// When EPSG published that version, such as `2022-08-31`; nil if the database does not state it.
    public let date: String?

    /// Where PROJ looks for grids; it takes a grid from the first folder that has it.
    public let folders: [Folder]

    /// The extensions of the grid files that `projsync` and PROJ know: GeoTIFF, NTv2, NTv1 and VERTCON.
    private static let endings = [".tif", ".gsb", ".gtx", ".gvb"]

    /// Asks PROJ.
    ///
    /// - Throws: `.systemLimit` if PROJ is not installed.
    package init() throws {
        let context = try PROJContext()
        database = proj_context_get_database_path(context.handle).map { String(cString: $0) } ?? ""
        version = Self.metadata("EPSG.VERSION", context)
        date = Self.metadata("EPSG.DATE", context)
        let info = proj_info()
        library = String(cString: info.version)
        let paths = info.searchpath.map { String(cString: $0) } ?? ""
        folders = paths.split(separator: ":").map { path in
            let path = String(path)
            let names = (try? Directory.open(path)?.names()) ?? []
            return Folder(
                path: path, gridCount: names.count { name in Self.endings.contains { name.hasSuffix($0) } })
        }
    }

    private static func metadata(_ key: String, _ context: borrowing PROJContext) -> String? {
        proj_context_get_database_metadata(context.handle, key).map { String(cString: $0) }
    }
}
