import Platform

/// The build of a floor, or what is wrong with it.
struct FloorBuild: Sendable {
    /// The floor's name.
    let name: FloorName
    /// What was asked for.
    let request: FloorRequest
    /// Takes what the run changed, before it is published.
    var announce: (@Sendable (TilesetNews) throws -> Void)?
    /// The floor's tileset, ready to be built, or what is wrong with it.
    let build: Result<TilesetBuild, Failure>

    /// Prepares a floor of a building.
    ///
    /// - Parameters:
    ///   - zoom: the zooms of the building.
    ///   - building: the building's name, if others are built in the same run.
    ///   - isKnown: whether the same manifest has built the floor before: it may have other images now.
    init(_ placed: PlacedFloor, zoom: ZoomRange, options: BuildingOptions, building: String?, isKnown: Bool) {
        request = placed.request
        name = FloorName(building: building, floor: placed.request.floor)
        var request = placed.request.build
        request.pyramid.zoom = zoom
        request.resources = options.resources
        request.output.force = options.force
        request.output.fsync = options.fsync
        build = .ofFloor {
            if request.output.container.isArchive { try Self.checkIsNoLink(request.output.path) }
            let images = try placed.images.get()
            var build = try TilesetBuild(request, deferringRows: true) { _ in images }
            build.replacesOthers = isKnown
            return build
        }
    }

    /// Refuses an archive that is a link: nobody typed its name, and the link may have come with the folder.
    private static func checkIsNoLink(_ path: String) throws {
        let (folder, name) = path.splitPath
        guard try Directory.open(folder)?.status(of: name)?.kind == .link else { return }
        throw Failure(
            .outputRefused, cannot: "write '\(path)'", "it is a symbolic link",
            remedy: "remove the link: the archive takes its place")
    }

    /// What is not an error, a line each.
    var warnings: [String] {
        guard case .success(let build) = build else { return [] }
        return build.warnings.map { "\(name): \($0)" }
    }

    /// The files that it reads.
    var inputs: [String] {
        switch build {
        case .success(let build): build.inputs.paths
        case .failure: request.build.images.map(\.path) + request.build.pyramid.files
        }
    }
}
