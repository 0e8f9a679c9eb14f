import CPROJ
import Platform
import Tiling

/// A coordinate operation of PROJ (`PJ`) from a CRS to longitude and latitude in degrees on WGS 84.
struct PROJOperation: ~Copyable {
    private let context: PROJContext
    private let handle: OpaquePointer

    /// The best operation that PROJ knows for each place (`proj_create_crs_to_crs`), x east and
    /// longitude first on both sides.
    ///
    /// The target is EPSG:4326, brought into that order, and not OGC:CRS84: for the latter PROJ
    /// prefers other datum shifts than everybody sees who asks for EPSG:3857 or EPSG:4326.
    init(from definition: String) throws {
        let context = try PROJContext()
        guard
            let found = proj_create_crs_to_crs(context.handle, definition, "EPSG:4326", nil)
        else { throw PROJOperation.failure(definition, context.reason) }
        defer { proj_destroy(found) }
        guard let handle = proj_normalize_for_visualization(context.handle, found) else {
            throw PROJOperation.failure(definition, context.reason)
        }
        context.muteLog()
        self.context = context
        self.handle = handle
    }

    /// The best operation between two systems (`proj_create_crs_to_crs_from_pj`), x east and longitude first on
    /// both sides.
    init(from source: OpaquePointer, to target: OpaquePointer) throws {
        let context = try PROJContext()
        guard let found = proj_create_crs_to_crs_from_pj(context.handle, source, target, nil, nil) else {
            throw PROJOperation.failure("a system", context.reason)
        }
        defer { proj_destroy(found) }
        guard let handle = proj_normalize_for_visualization(context.handle, found) else {
            throw PROJOperation.failure("a system", context.reason)
        }
        context.muteLog()
        self.context = context
        self.handle = handle
    }

    /// An operation that is written out (`proj_create`); needs no database.
    init(pipeline: String) throws {
        let context = try PROJContext()
        guard let handle = proj_create(context.handle, pipeline) else {
            throw PROJOperation.failure(pipeline, context.reason)
        }
        context.muteLog()
        self.context = context
        self.handle = handle
    }

    deinit { proj_destroy(handle) }

    private static func failure(_ definition: String, _ reason: String) -> Failure {
        Failure(
            .badInput,
            cannot: "turn coordinates of '\(definition.shortened)' into longitudes and latitudes", reason
        )
    }

    /// Transforms points in place (`proj_trans_generic`); one that has no image becomes
    /// (nan, nan). About a microsecond each.
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

    /// How well the operation that is used at a place is known, in metres
    /// (`proj_coordoperation_get_accuracy`); infinite for a ballpark, nil if PROJ does not say.
    mutating func accuracy(atLonLat place: Point) -> Double? {
        var points = [place]
        transform(&points, PJ_INV)
        guard let operation = proj_trans_get_last_used_operation(handle) else { return nil }
        defer { proj_destroy(operation) }
        if proj_coordoperation_has_ballpark_transformation(context.handle, operation) != 0 {
            return .infinity
        }
        let metres = proj_coordoperation_get_accuracy(context.handle, operation)
        return metres < 0 ? nil : metres
    }

    /// The names of the grids of the operation that is used at a place (`proj_coordoperation_get_grid_used`).
    mutating func grids(atLonLat place: Point) -> [String] {
        var points = [place]
        transform(&points, PJ_INV)
        guard let operation = proj_trans_get_last_used_operation(handle) else { return [] }
        defer { proj_destroy(operation) }
        return (0..<proj_coordoperation_get_grid_used_count(context.handle, operation)).compactMap { index in
            var name: UnsafePointer<CChar>?
            _ = proj_coordoperation_get_grid_used(
                context.handle, operation, index, &name, nil, nil, nil, nil, nil, nil)
            return name.map { String(cString: $0) }
        }
    }
}
