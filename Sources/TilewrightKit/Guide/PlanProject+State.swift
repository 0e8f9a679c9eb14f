import Platform
import Publishing
import Tilesets
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What the pages of the guide show.
extension PlanProject {
    private struct Shown: Encodable {
        let revision: String
        let folder: String
        let manifest: String
        let name: String?
        let files: [ShownFile]
        let sheets: [ShownSheet]
        let isPlaced: Bool
        let isBuilt: Bool
        /// The steps that can be gone to.
        let steps: [String]
    }

    private struct ShownFile: Encodable {
        let name: String
        let pages: Int
        let problem: String?
        let asksPassword: Bool
    }

    private struct ShownSheet: Encodable {
        let id: String
        let file: String
        let page: Int
        let width: Int
        let height: Int
        let label: String?
        let floor: ShownFloor?
        /// Whether it is a floor with a position.
        let isPlaced: Bool
    }

    private struct ShownFloor: Encodable {
        let floor: String
        let label: String
        let ordinal: Int
        let isDefault: Bool
        let crop: [Int]?
    }

    /// The name of the building, for people.
    package var title: String {
        (try? building())?.name ?? CanonicalPath(folder).components.last ?? manifest
    }

    /// The state of the project as JSON: plans, pages, and the floors that they are.
    ///
    /// - Throws: a `Failure` if the manifest cannot be read.
    package func shown() throws -> String {
        let bytes = try manifestBytes()
        let building = try building()
        let files = try files()
        let floors = building?.floors ?? []
        let placed = floors.map(isPlaced)
        let indexes = Dictionary(
            floors.enumerated().compactMap { index, floor in floor.pageKey.map { ($0, index) } }
        ) { first, _ in first }
        let sheets = files.enumerated().flatMap { number, file in
            self.sheets(of: file, number: number).map { sheet in
                let index = indexes[PageKey(sheet.image)]
                return ShownSheet(
                    id: sheet.id, file: written(file.path), page: sheet.page.number, width: sheet.page.width,
                    height: sheet.page.height, label: sheet.page.label ?? sheet.page.bookmark,
                    floor: index.map { Self.shown(floors[$0]) }, isPlaced: index.map { placed[$0] } ?? false)
            }
        }
        let shown = Shown(
            revision: revision(of: bytes, files), folder: Self.absolute(folder), manifest: manifest.fileName,
            name: building?.name, files: files.map(shown), sheets: sheets,
            isPlaced: !placed.isEmpty && !placed.contains(false),
            isBuilt: isBuilt(building),
            steps: GuideStep.allCases.filter(openSteps(of: building).contains).map(\.rawValue))
        return try Self.json(shown)
    }

    static let standardOutput = "tiles"

    /// A value as JSON, with its keys in alphabetical order.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func shown(_ file: PlanFile) -> ShownFile {
        switch file.sheets {
        case .success(let sheets):
            ShownFile(name: written(file.path), pages: sheets.pageCount, problem: nil, asksPassword: false)
        case .failure(let failure):
            ShownFile(
                name: written(file.path), pages: 0,
                problem: failure.asksForPassword ? nil : failure.message,
                asksPassword: failure.asksForPassword)
        }
    }

    private static func shown(_ floor: FloorRequest) -> ShownFloor {
        let crop = floor.build.images[0].crop
        return ShownFloor(
            floor: floor.floor, label: floor.effectiveLabel, ordinal: floor.ordinal,
            isDefault: floor.isDefault, crop: crop?.list)
    }

    private func isBuilt(_ building: BuildingRequest?) -> Bool {
        guard let building, let index = try? FoundIndex(building.indexPath)?.index else { return false }
        return !index.floors.isEmpty
    }

    /// The folder of the tiles.
    ///
    /// - Throws: a `Failure` if the manifest cannot be read.
    package func output() throws -> String { try building()?.folder ?? folder.path(of: Self.standardOutput) }

    /// The image of a floor, whose pixels are counted as its file stores them; nil if there is no such floor.
    ///
    /// - Throws: a `Failure` if the manifest cannot be read.
    package func placedImage(of floor: String) throws -> ImageRequest? {
        let image = try building()?.floors.first { $0.floor == floor }?.build.images.first
        return image.map { image in
            var image = image
            image.position = PositionRequest(.pointsFile(commonPoints))
            return image
        }
    }

    /// The steps that can be gone to.
    ///
    /// - Throws: a `Failure` if the manifest cannot be read.
    package func openSteps() throws -> Set<GuideStep> { openSteps(of: try building()) }

    private func openSteps(of building: BuildingRequest?) -> Set<GuideStep> {
        guard let building else { return [.pages] }
        var steps: Set<GuideStep> = [.pages, .place]
        if building.floors.allSatisfy(isPlaced) { steps.insert(.build) }
        if isBuilt(building) { steps.formUnion([.look, .share]) }
        return steps
    }
}

/// A page of a plan, whatever the path to it.
struct PageKey: Hashable {
    private let file: [String]
    private let page: Int

    init(_ image: ImageRequest) {
        (file, page) = (CanonicalPath(image.path).components, image.pageNumber)
    }
}

extension FloorRequest {
    /// The page that the floor is made of; nil if it is made of several images.
    var pageKey: PageKey? { build.images.count == 1 ? PageKey(build.images[0]) : nil }
}
