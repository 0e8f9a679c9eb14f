import Platform
import Tilesets
import Tiling

/// What a manifest says of a floor, before it is known whether it makes sense together.
struct FloorDraft: Sendable {
    /// The building's name.
    var buildingName: String?
    /// The floor's name.
    var floor = ""
    /// Its label.
    var label: String?
    /// Its label on a button.
    var shortName: String?
    /// Its place among the floors.
    var ordinal: Int?
    /// Whether it is shown first.
    var isDefault = false
    /// The images' paths.
    var images: [String] = []
    /// What counts of each image.
    var image = ImageRequest("")
    /// Where the images lie.
    var position = PositionValues()
    /// What to build.
    var pyramid = PyramidRequest()
    /// Where it goes: the path still holds a `{floor}`.
    var output = OutputRequest("")
    /// The names of tiles; nil if nothing is said.
    var template: String?
    /// The farthest that a control point may be off, in metres.
    var maxResidual: Double?

    /// Says nothing.
    init() {}

    /// Takes over settings. Those that say where an image lies take the place of what was known of it.
    mutating func take(_ settings: [ManifestSetting]) {
        if settings.contains(where: \.key.saysWhere) { position = PositionValues() }
        for setting in settings { setting.change(&self) }
    }

    /// The names of a floor's tiles in a folder that all floors share, if nothing is said: also of a single
    /// floor, whose tiles keep their names when there is a second one.
    private static let template = "{floor}/" + TileTemplate.standard

    /// Whether the tiles of floors have names of their own.
    var separatesFloors: Bool {
        output.container.isArchive || template.map { $0.contains("{floor}") } ?? true
    }

    /// The request that the settings make.
    ///
    /// - Throws: `.usage` for what contradicts itself.
    func request() throws -> BuildRequest {
        var image = image
        image.position = try position.request()
        try pyramid.check()
        var request = BuildRequest(
            try image.repeated(for: images), pyramid: pyramid, output: try finishedOutput())
        request.maxResidual = maxResidual
        return request
    }

    private func finishedOutput() throws -> OutputRequest {
        var output = output
        output.floor = floor
        if let template {
            output.template = template
        } else if !output.container.isArchive {
            output.template = Self.template
        }
        let label = label ?? floor
        output.labels.name = output.labels.name ?? (buildingName.map { "\($0), \(label)" } ?? label)
        output.path = BuildingOutput.path(output.path, floor: floor)
        try output.check()
        try output.container.check(output, pyramid.encoding.format)
        _ = try TileNames(
            writing: pyramid.encoding.format, as: output.template, floor: floor, scheme: output.scheme)
        return output
    }
}
