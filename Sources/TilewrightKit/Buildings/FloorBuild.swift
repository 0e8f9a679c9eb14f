import Diagnostics
import Pyramid

/// The build of a floor, or what is wrong with it.
struct FloorBuild: Sendable {
    /// What was asked for.
    let request: FloorRequest
    /// The floor's tileset, ready to be built, or what is wrong with it.
    let build: Result<TilesetBuild, Failure>

    /// Prepares a floor of a building.
    init(_ placed: PlacedFloor, zoom: ZoomRange, of building: BuildingRequest) {
        request = placed.request
        var request = placed.request.build
        request.pyramid.zoom = zoom
        request.resources = building.resources
        request.output.force = building.force
        request.output.fsync = building.fsync
        build = .ofFloor {
            let images = try placed.images.get()
            return try TilesetBuild(request) { _ in images }
        }
    }

    /// The floor's name.
    var name: String { request.floor }

    /// What is not an error, a line each.
    var warnings: [String] {
        guard case .success(let build) = build else { return [] }
        return build.warnings.map { "floor '\(name)': \($0)" }
    }

    /// Bytes of memory that the build takes.
    var bytes: Int {
        guard case .success(let build) = build else { return 0 }
        return build.plan.builder.residentBytes
    }
}
