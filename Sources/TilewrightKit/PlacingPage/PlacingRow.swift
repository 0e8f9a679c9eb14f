import Platform
import Publishing
import Tiling

/// A floor of a manifest on its way into the page.
struct PlacingRow {
    /// The floor.
    let floor: Manifest.Floor
    /// The image, if it can be placed.
    let plan: PlacingPage.Plan?
    /// Why it cannot be placed.
    let problem: Failure?
    /// Whether it can be chosen; else it only lies under those that can.
    let isOffered: Bool
    /// Where the map may begin.
    let near: Point?
    /// What is not an error, and what the user should know: a line each.
    let warnings: [String]

    private let building: Int
    private let manifest: String
    private let image: String
    private var points: PlacingPage.PointsEntry?
    private var ownPoints: PlacingPage.PointsEntry?

    /// Its place among all floors.
    var rank: (Int, Int) { (building, floor.request.ordinal) }

    /// A floor with an image.
    ///
    /// - Parameters:
    ///   - all: all floors of the manifest.
    ///   - chosen: the only floor that can be chosen; nil for all.
    init(
        _ points: FloorPoints, _ image: Result<PlannedImage, Failure>, of all: [FloorPoints],
        chosen: FloorName?
    ) {
        (floor, building, manifest) = (points.floor, points.building, points.manifest)
        self.image = points.written(points.image.path)
        isOffered = chosen == nil || chosen == points.floor.name
        switch image {
        case .success(let image):
            let entry = { (home: PointsHome) in
                PlacingPage.PointsEntry(
                    path: points.written(home.path), download: all.download(home),
                    isFound: home.isFound(for: points.image, info: image.info), isAtTop: home.isAtTop,
                    replaces: points.replaces(at: home))
            }
            (plan, problem, near, warnings) = (image.plan, nil, image.near, image.warnings)
            self.points = entry(points.home)
            ownPoints = points.ownHome.map(entry)
        case .failure(let failure):
            (plan, problem, near) = (nil, failure, nil)
            warnings = isOffered ? [Self.warning(points.floor, failure)] : []
        }
    }

    private init(severalImagesOf floor: Manifest.Floor, building: Int, chosen: FloorName?) {
        (self.floor, self.building) = (floor, building)
        (manifest, image) = ("", "")
        isOffered = chosen == nil || chosen == floor.name
        let images = floor.request.build.images
        let reason = Failure(
            .usage, "it is made of \(images.count) images",
            remedy: "place them one by one: tilewright place \(ShellWord.quoted(images[0].path))"
                + (images[0].page.map { " --page \($0)" } ?? ""))
        (plan, problem, near) = (nil, reason, nil)
        warnings = isOffered ? [Self.warning(floor, reason)] : []
    }

    private static func warning(_ floor: Manifest.Floor, _ reason: Failure) -> String {
        "the \(floor.name) cannot be placed: \(reason.message)"
    }

    /// The floors of a manifest that are made of several images.
    static func ofSeveralImages(_ manifest: Manifest, chosen: FloorName?) -> [PlacingRow] {
        var rest = manifest.floors[...]
        return manifest.buildings.enumerated().flatMap { index, building in
            let floors = rest.prefix(building.floors.count).filter { $0.request.build.images.count > 1 }
            rest = rest.dropFirst(building.floors.count)
            return floors.map { PlacingRow(severalImagesOf: $0, building: index, chosen: chosen) }
        }
    }

    /// The floor as the page holds it.
    var page: PlacingPage.Floor {
        PlacingPage.Floor(
            plan: plan,
            problem: problem.map { $0.message + ($0.remedy.map { "; \($0)" } ?? "") },
            entry: PlacingPage.Entry(
                floor: floor.name.floor, label: floor.request.effectiveLabel,
                ordinal: floor.request.ordinal, building: floor.name.building, manifest: manifest,
                image: image, points: points,
                ownPoints: ownPoints, isOffered: isOffered))
    }

    /// Gives the floor a position of its own.
    fileprivate mutating func separate() {
        (points, ownPoints) = (ownPoints ?? points, nil)
    }

    /// What floors with the same position have in common.
    fileprivate var key: String? { points.map { "\(building) \($0.path)" } }
}

extension [PlacingRow] {
    /// Points of one image do not fit another one with other edges: those of a floor that shares its position
    /// with one of another size become its own.
    mutating func separateOtherSizes() {
        var sizes: [String: (Int, Int)] = [:]
        for index in indices {
            guard let key = self[index].key, let plan = self[index].plan else { continue }
            let size = sizes[key] ?? (plan.width, plan.height)
            sizes[key] = size
            if size != (plan.width, plan.height) { self[index].separate() }
        }
    }
}
