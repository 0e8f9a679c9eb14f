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

/// Where all floors of a building go: a folder, or archives side by side.
enum BuildingOutput {
    private static let placeholder = "{floor}"

    /// Reads the value of `output`.
    ///
    /// - Throws: `.usage` if floors would share an archive, or have folders of their own.
    static func path(_ value: ManifestValue) throws(Failure) -> String {
        let text = try folderText(value)
        let (parent, name) = text.splitAtLastSlash
        let isArchive = TilesetContainer(path: text).isArchive
        if isArchive, !name.contains(placeholder) {
            throw value.failure(
                "an archive holds one floor, and '\(text.excerpt())' is for all of them",
                remedy: "write {floor} into its name, as \"tiles/{floor}.pmtiles\"")
        }
        if text.contains(placeholder), !isArchive || parent?.contains(placeholder) == true {
            throw value.failure(
                "{floor} stands only in the names of archives, as \"tiles/{floor}.pmtiles\"",
                remedy: "name the folder of all floors, and write {floor} into 'template'")
        }
        return value.file.resolved(text)
    }

    /// Reads the value of `output` of a campus: a folder.
    static func folder(_ value: ManifestValue) throws(Failure) -> String {
        let text = try folderText(value)
        guard !TilesetContainer(path: text).isArchive, !text.contains(placeholder) else {
            throw value.failure(
                "the output of several buildings is a folder, and '\(text.excerpt())' is none",
                remedy: "it is for campus.json; each building says where its tiles go")
        }
        return value.file.resolved(text)
    }

    /// The output of a floor. `{floor}` counts in the name of an archive alone.
    static func path(_ path: String, floor: String) -> String {
        guard TilesetContainer(path: path).isArchive else { return path }
        let (parent, name) = path.splitAtLastSlash
        let filled = String(name).replacing(placeholder, with: floor)
        return parent.map { "\($0)/\(filled)" } ?? filled
    }

    /// The folder in which all of it lies.
    static func folder(of path: String) -> String {
        TilesetContainer(path: path).isArchive ? path.parentDirectory : path
    }

    /// A path that is not empty, without slashes at its end.
    private static func folderText(_ value: ManifestValue) throws(Failure) -> String {
        var text = Substring(try value.text())
        while text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") { text = text.dropLast() }
        if text.isEmpty { throw value.failure("'output' needs the name of a folder") }
        return String(text)
    }
}
