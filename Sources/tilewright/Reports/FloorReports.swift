import Platform
import TilewrightKit

extension [FloorPlan] {
    /// The floors that would be built, one line for each.
    var table: [String] {
        let head = ["floor", "label", "ordinal", "image", "zooms", "tiles", "off by"]
        return TextTable.lines([head] + map(\.cells), left: [0, 1, 3])
    }
}

extension FloorPlan {
    fileprivate var cells: [String] {
        let names = [
            name.building.map { "\($0) \(name.floor)" } ?? name.floor,
            request.label ?? "",
            "\(request.ordinal)",
        ]
        switch plan {
        case .success(let plan):
            let image = plan.images[0]
            let more = plan.images.count > 1 ? " and \(plan.images.count - 1) more" : ""
            let rms = plan.images.compactMap { $0.fit?.rmsMetres }.max()
            return names + [
                "\(image.fileInfo.width) x \(image.fileInfo.height)\(more)",
                "\(plan.zooms.lowerBound)-\(plan.zooms.upperBound)", "\(plan.tileCount)",
                rms.map { "\($0.text(decimals: 2)) m" } ?? "",
            ]
        case .failure(let failure): return names + [failure.message, "", "", ""]
        }
    }
}

/// The floors of a manifest that would be built, for programs.
struct FloorsReport: Encodable {
    /// A floor.
    struct Floor: Encodable {
        /// The building's name, if there are several.
        var building: String?
        /// The floor's name.
        var floor: String
        /// The name for people.
        var label: String
        /// The position in the order of floors: 0 for the ground floor.
        var ordinal: Int
        /// The plan of the build; missing if the floor has an error.
        var plan: PlanReport?
        /// The reason why the floor cannot be built.
        var error: String?
    }

    /// The floors in the order of the manifest.
    var floors: [Floor]

    /// Estimates each floor from a sample of its tiles.
    init(_ plans: [FloorPlan]) async throws {
        floors = []
        for plan in plans { floors.append(try await Floor(plan)) }
    }
}

extension FloorsReport.Floor {
    fileprivate init(_ floor: FloorPlan) async throws {
        let request = floor.request
        self.init(
            building: floor.name.building, floor: floor.name.floor, label: request.effectiveLabel,
            ordinal: request.ordinal)
        switch floor.plan {
        case .success(let plan): self.plan = PlanReport(plan, try await plan.sampledEstimate())
        case .failure(let failure): error = failure.message
        }
    }
}

/// The errors of the control points of a building's floors.
struct FloorFitsReport: Encodable {
    /// An image of a floor.
    struct Image: Encodable {
        /// The building's name, if there are several.
        var building: String?
        /// The floor's name.
        var floor: String
        /// The file.
        var image: String
        /// The page of the file, if it is not the first.
        var page: Int?
        /// The source of the image's position.
        var position: String?
        /// The errors of its control points, if it is placed by control points.
        var fit: FitReport?
        /// The reason why the image has no position.
        var error: String?
    }

    /// The images, in the order of the floors.
    var floors: [Image]
    /// The report for people: a table for each fit, under the names of all floors that share it.
    let lines: [String]

    private enum CodingKeys: CodingKey { case floors }

    init(_ fits: FloorFits) {
        floors = fits.all.map(Image.init)
        var texts: [(names: [String], body: [String])] = []
        for fit in fits.all {
            let (name, body) = (fit.name.description, fit.body)
            if let index = texts.firstIndex(where: { $0.body == body }) {
                texts[index].names.append(name)
            } else {
                texts.append(([name], body))
            }
        }
        lines = Array(texts.map { [$0.names.joined(separator: ", ")] + $0.body }.joined(separator: [""]))
    }
}

extension FloorFits.Fit {
    /// The report without the floor's name.
    fileprivate var body: [String] {
        switch image {
        case .success(let image):
            image.fit.map { [image.positionSource] + $0.table }
                ?? ["\(image.positionSource): no control points to fit"]
        case .failure(let failure): [failure.message]
        }
    }
}

extension FloorFitsReport.Image {
    fileprivate init(_ fit: FloorFits.Fit) {
        self.init(building: fit.name.building, floor: fit.name.floor, image: fit.request.path)
        if fit.request.pageNumber > 1 { page = fit.request.pageNumber }
        switch fit.image {
        case .success(let image): (position, self.fit) = (image.positionSource, image.fit.map(FitReport.init))
        case .failure(let failure): error = failure.message
        }
    }
}
