import Platform
import TilewrightKit

/// How well the control points of a building's floors agree.
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
        /// What said where the image lies.
        var position: String?
        /// How well its control points agree, if it is placed by such.
        var fit: FitReport?
        /// What keeps the image from having a place.
        var error: String?
    }

    /// The images, in the order of the floors.
    var floors: [Image]
    /// The same for people: a table for each fit, under the names of all floors that it holds for.
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
    /// What there is to say, without the floor's name.
    fileprivate var body: [String] {
        switch image {
        case .success(let image):
            image.fit.map { [image.positionSource] + ResidualTable($0).lines }
                ?? ["\(image.positionSource): nothing to fit"]
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
