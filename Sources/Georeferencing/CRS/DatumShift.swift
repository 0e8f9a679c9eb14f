import CPROJ
import Tiling

/// A datum shift that PROJ knows from its database, but cannot do for want of grids.
package struct DatumShift: Hashable, Sendable {
    /// How well it is known, in metres.
    package let accuracy: Double
    /// The files of its grids that are not installed, by their names on PROJ's server: `us_noaa_conus.tif`.
    package let missingGrids: [String]

    /// What another shift has to be better by, so that a download is worth it.
    private static let gain = 0.75
    /// Degrees around a place.
    private static let reach = 1e-4

    /// Looks for the best shift to WGS 84 at a place. Takes tens of milliseconds.
    ///
    /// - Parameters:
    ///   - definition: the CRS, as PROJ reads it.
    ///   - place: longitude and latitude in degrees.
    ///   - accuracy: of the shift that is used.
    /// - Returns: nil if PROJ knows none that is clearly better, or does not say where its grids are.
    init?(from definition: String, atLonLat place: Point, betterThan accuracy: Double) {
        guard let context = try? PROJContext() else { return nil }
        context.muteLog()
        let operations = Self.operations(from: definition, at: place, context)
        let best = operations.filter { $0.accuracy <= accuracy * Self.gain }.min { $0.accuracy < $1.accuracy }
        guard let best, !best.missingGrids.isEmpty else { return nil }
        self = best
    }

    private init(accuracy: Double, missingGrids: [String]) {
        (self.accuracy, self.missingGrids) = (accuracy, missingGrids)
    }

    /// The operations whose area has the place, whether their grids are there or not (`proj_create_operations`).
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
        // An area without a size lies in none.
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

    /// What an operation says of itself; nil for a ballpark, or if a grid cannot be had from PROJ's server.
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
