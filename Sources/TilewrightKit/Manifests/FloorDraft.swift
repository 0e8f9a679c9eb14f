import Platform
import Tilesets
import Tiling

/// The settings of a floor, before they are checked together.
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
    /// How each image is read.
    var image = ImageRequest("")
    /// The position of the images.
    var position = PositionValues()
    /// What to build.
    var pyramid = PyramidRequest()
    /// Where it goes: the path may have a `{floor}`.
    var output = OutputRequest("")
    /// The names of tiles; nil for the standard ones.
    var template: String?
    /// The farthest that a control point may be off, in metres.
    var maxResidual: Double?

    /// Takes settings, those of the building first. A position takes the place of one before, with all that
    /// belongs to it.
    init(_ levels: [ManifestSetting]...) {
        for settings in levels {
            if settings.contains(where: \.key.saysWhere) { position = PositionValues() }
            for setting in settings { setting.change(&self) }
        }
    }

    /// The standard names of a floor's tiles in a folder that all floors share: also of a single floor, whose
    /// tiles keep their names when there is a second one.
    private static let template = "{floor}/" + TileTemplate.standard

    /// Whether the names of tiles differ from those of other floors.
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

/// The output of all floors of a building: a folder, or archives in one folder.
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
                "{floor} is only for the names of archives, as \"tiles/{floor}.pmtiles\"",
                remedy: "name the folder of all floors, and write {floor} into 'template'")
        }
        return value.file.resolved(text)
    }

    /// Reads the value of `output` of a campus: a folder.
    static func folder(_ value: ManifestValue) throws(Failure) -> String {
        let text = try folderText(value)
        guard !TilesetContainer(path: text).isArchive, !text.contains(placeholder) else {
            throw value.failure(
                "the output of several buildings is a folder, and '\(text.excerpt())' is not",
                remedy: "it is for campus.json; each building says where its tiles go")
        }
        return value.file.resolved(text)
    }

    /// The output of a floor. `{floor}` is replaced only in the name of an archive.
    static func path(_ path: String, floor: String) -> String {
        guard TilesetContainer(path: path).isArchive else { return path }
        let (parent, name) = path.splitAtLastSlash
        let filled = String(name).replacing(placeholder, with: floor)
        return parent.map { "\($0)/\(filled)" } ?? filled
    }

    /// The folder of all floors.
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
