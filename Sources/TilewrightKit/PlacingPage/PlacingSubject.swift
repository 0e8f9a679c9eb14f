import Platform
import Publishing
import Tiling

/// What a page places: an image, or the floors of a manifest.
struct PlacingSubject {
    /// What people call it.
    let title: String
    /// The floors, of each building from the lowest on; an image alone is the only one.
    let floors: [PlacingPage.Floor]
    /// Where the map may begin.
    let near: Point?
    /// What is not an error, and what the user should know: a line each.
    let warnings: [String]

    /// Reads the images.
    ///
    /// - Throws: a `Failure` if none of them can be read, or that of the floor that is asked for cannot.
    init(_ request: PlacingRequest) async throws {
        if Manifest.isManifest(request.image) {
            if let page = request.page {
                throw Failure(
                    .usage, "--page \(page) has no meaning beside a manifest",
                    remedy: "choose a floor with --floor")
            }
            try await self.init(Manifest(contentsOf: request.image), request)
        } else {
            try self.init(image: request)
        }
    }

    private init(image request: PlacingRequest) throws {
        if let floor = request.floor {
            throw Failure.needsManifest("--floor \(floor)", beside: request.image)
        }
        let asked = request.imageRequest
        let image = try PlannedImage(
            asked, longestEdge: request.longestEdge ?? PlacingRequest.standardEdge)
        (title, floors) = (asked.listName.fileName, [PlacingPage.Floor(plan: image.plan)])
        (near, warnings) = (image.near, image.warnings)
    }

    private init(_ manifest: Manifest, _ request: PlacingRequest) async throws {
        let chosen = try request.floor.map { try manifest.floor($0) }
        let all = FloorPoints.floors(of: manifest)
        let building = chosen.flatMap { chosen in all.first { $0.floor.name == chosen.name }?.building }
        let points = chosen == nil ? all : all.filter { $0.building == building }
        let planned = try await PlannedFloors(points.map(\.image), longestEdge: request.longestEdge)
        var rows = zip(points, planned.images).map { PlacingRow($0, $1, of: all, chosen: chosen?.name) }
        rows.append(contentsOf: PlacingRow.ofSeveralImages(manifest, chosen: chosen?.name))
        if let problem = Self.problem(rows, chosen: chosen?.name) { throw problem }
        rows.separateOtherSizes()
        title = manifest.title(file: request.image, chosen: chosen)
        floors = rows.filter { $0.isOffered || $0.plan != nil }.sorted { $0.rank < $1.rank }.map(\.page)
        near = rows.first { $0.floor.name == chosen?.name }?.near ?? rows.compactMap(\.near).first
        warnings = planned.warnings + rows.flatMap(\.warnings)
    }

    /// What is wrong with the floor that was asked for, or with all of them.
    private static func problem(_ rows: [PlacingRow], chosen: FloorName?) -> Failure? {
        let row =
            if let chosen {
                rows.first { $0.floor.name == chosen }
            } else {
                rows.contains { $0.plan != nil } ? nil : rows.first
            }
        guard let row, let problem = row.problem else { return nil }
        return problem.attempt == nil ? problem.inAttempt("place the \(row.floor.name)") : problem
    }
}

extension Manifest {
    /// The building's name, or that of the campus; with the floor's if only one is placed.
    fileprivate func title(file: String, chosen: Floor?) -> String {
        let name =
            switch self {
            case .building(let request): request.name
            case .campus(let request): chosen?.name.building ?? request.name
            }
        let whole = name ?? file.fileName
        guard let chosen else { return whole }
        return "\(whole), \(chosen.request.effectiveLabel)"
    }
}
