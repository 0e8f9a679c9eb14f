import Platform
import Publishing
import Tilesets
import Tiling

/// The images of several floors for a page, made concurrently.
struct PlannedFloors {
    /// The images in their order, or their errors.
    private(set) var images: [Result<PlannedImage, Failure>]
    /// Warnings for the user, a line each.
    private(set) var warnings: [String] = []

    /// The maximum number of pictures that are made at a time. Each takes some ten bytes of memory per pixel.
    private static let mostAtOnce = 4

    /// The smallest edge: in a smaller picture, corners of walls cannot be told apart.
    static let smallestEdge = 1024

    /// Reads the images.
    ///
    /// - Parameters:
    ///   - longestEdge: the longest edge of a picture; nil to keep the page small.
    ///   - mostBytes: if `longestEdge` is nil, the most bytes of all pictures. A larger page takes long to
    ///     open on a phone.
    /// - Throws: `CancellationError` if the task was cancelled.
    init(_ requests: [ImageRequest], longestEdge: Int?, mostBytes: Int = 20_000_000) async throws {
        let edge = longestEdge ?? PlacingRequest.standardEdge
        images = try await Self.sideBySide(requests) { request in
            Result.ofFloor { try PlannedImage(request, longestEdge: edge) }
        }
        if longestEdge == nil { try await reduce(to: mostBytes) }
    }

    /// Reads the floors of a server's page, which loads their pictures when it needs them.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    init(linking floors: [FloorPoints], _ heads: ImageHeads) async throws {
        images = try await Self.sideBySide(floors) { floor in
            let name = TilesetMetadata.escaped(floor.floor.name.floor)
            return .ofFloor {
                PlannedImage(
                    floor.image, info: try heads.info(of: floor.image), linkedAt: "pictures/\(name).png")
            }
        }
    }

    /// The images that could be read.
    var readable: [PlannedImage] { images.compactMap { try? $0.get() } }

    /// Reduces the pictures that take more than their share, until their sum is small enough.
    private mutating func reduce(to mostBytes: Int) async throws {
        var smallest: Int?
        while true {
            let total = readable.reduce(0) { $0 + $1.pictureBytes }
            let share = mostBytes / max(readable.count, 1)
            let largest = readable.filter { $0.pictureBytes > share }.map(\.pictureEdge).max() ?? 0
            guard total > mostBytes, largest > Self.smallestEdge else { break }
            // Reduces by at least a tenth, so that the loop ends soon.
            let factor = min(0.9, (Double(mostBytes) / Double(total)).squareRoot())
            let edge = max(Self.smallestEdge, Int(Double(largest) * factor))
            images = try await Self.sideBySide(images) { image in
                guard case .success(var image) = image, image.pictureBytes > share else { return image }
                return Result.ofFloor {
                    try image.reduce(toEdge: edge)
                    return image
                }
            }
            smallest = edge
        }
        guard let smallest else { return }
        warnings.append(
            "pictures are reduced to \(smallest) pixels, so that a phone can open the page; --preview "
                + "\(PlacingRequest.standardEdge) keeps more pixels, --floor makes a page for one floor")
    }

    private static func sideBySide<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], _ make: @escaping @Sendable (Input) -> Output
    ) async throws -> [Output] {
        let width = min(mostAtOnce, BuildResources().effectiveJobs)
        return try await inputs.concurrentMap(atMost: width) { input in
            try Task.checkCancellation()
            return try await JobServer.current.with { make(input) }
        }.map { try $0.get() }
    }
}

/// A floor of a manifest, as a page lists it.
struct PlacingRow {
    /// The floor.
    let floor: Manifest.Floor
    /// The image, or the reason why it cannot be placed.
    let image: Result<PlannedImage, Failure>
    /// Whether the floor can be chosen; if not, it is only shown under the floors that can.
    let isOffered: Bool

    private let building: Int
    private var place: (manifest: String, image: String) = ("", "")
    /// The file for its points, for the page; nil if it cannot be placed.
    private var points: JSONValue?
    /// That file if the floor gets its own position; nil if it already has one.
    private var ownPoints: JSONValue?
    /// The common key of floors with the same position.
    fileprivate private(set) var key: String?

    /// The image, if it can be placed.
    var planned: PlannedImage? { try? image.get() }

    /// Warnings for the user, a line each.
    var warnings: [String] {
        guard let problem = image.failure else { return planned?.warnings ?? [] }
        return isOffered ? ["the \(floor.name) cannot be placed: \(problem.message)"] : []
    }

    /// The order of the floor among all floors.
    var rank: (Int, Int) { (building, floor.request.ordinal) }

    /// Reads a floor with an image.
    ///
    /// - Parameters:
    ///   - all: all floors of the manifest.
    ///   - chosen: the only floor that can be chosen; nil for all.
    init(
        _ points: FloorPoints, _ image: Result<PlannedImage, Failure>, of all: [FloorPoints],
        chosen: FloorName?
    ) {
        self.init(points.floor, building: points.building, image, chosen: chosen)
        place = (points.manifest, points.written(points.image.path))
        guard let image = planned else { return }
        func entry(_ home: PointsHome) -> JSONValue {
            .record([
                "path": .string(points.written(home.path)), "download": .string(all.download(home)),
                "isFound": .boolean(home.isFound(for: points.image, info: image.info)),
                "isAtTop": .boolean(home.isAtTop), "replaces": .boolean(points.replaces(at: home)),
            ])
        }
        (self.points, ownPoints) = (entry(points.home), points.ownHome.map(entry))
        key = "\(building) \(points.written(points.home.path))"
    }

    private init(
        _ floor: Manifest.Floor, building: Int, _ image: Result<PlannedImage, Failure>, chosen: FloorName?
    ) {
        (self.floor, self.building, self.image) = (floor, building, image)
        isOffered = chosen == nil || chosen == floor.name
    }

    /// The floors of a manifest that are made of several images.
    static func ofSeveralImages(_ manifest: Manifest, chosen: FloorName?) -> [PlacingRow] {
        manifest.buildings.enumerated().flatMap { index, building in
            manifest.floors(of: building).filter { $0.request.build.images.count > 1 }.map { floor in
                let images = floor.request.build.images
                let page = images[0].page.map { " --page \($0)" } ?? ""
                let problem = Failure(
                    .usage, "it consists of \(images.count) images",
                    remedy:
                        "place them one by one: tilewright place \(ShellWord.quoted(images[0].path))\(page)")
                return PlacingRow(floor, building: index, .failure(problem), chosen: chosen)
            }
        }
    }

    /// The floor for the page.
    var page: PlacingPage.Part {
        let problem = image.failure.map { $0.message + ($0.remedy.map { "; \($0)" } ?? "") }
        let data = JSONValue.record([
            "plan": planned?.plan, "problem": problem.map(JSONValue.string),
            "floor": .string(floor.name.floor), "label": .string(floor.request.effectiveLabel),
            "ordinal": .integer(floor.request.ordinal), "manifest": .string(place.manifest),
            "image": .string(place.image), "isOffered": .boolean(isOffered), "points": points,
            "building": floor.name.building.map(JSONValue.string), "ownPoints": ownPoints,
        ])
        return PlacingPage.Part(data, content: planned.flatMap { $0.isLinked ? nil : $0.picture.address })
    }

    fileprivate mutating func separate() { (points, ownPoints) = (ownPoints ?? points, nil) }
}

extension [PlacingRow] {
    /// Gives floors their own points if they share a position but differ in size: points of one image do not
    /// fit an image of another size.
    mutating func separateOtherSizes() {
        var sizes: [String: (Int, Int)] = [:]
        for index in indices {
            guard let key = self[index].key, let info = self[index].planned?.info else { continue }
            let size = sizes[key] ?? (info.width, info.height)
            sizes[key] = size
            if size != (info.width, info.height) { self[index].separate() }
        }
    }
}
