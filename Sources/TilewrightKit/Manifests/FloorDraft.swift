import Georeferencing
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
    /// The options for reading each image.
    var image = ImageRequest("")
    /// The position of the images.
    var position = PositionValues()
    /// The pyramid to build.
    var pyramid = PyramidRequest()
    /// Its output, whose path may contain `{floor}`.
    var output = OutputRequest("")
    /// The names of tiles; nil for the standard ones.
    var template: String?
    /// The largest allowed residual of a control point, in metres.
    var maxResidual: Double?

    /// Applies settings, those of the building first. A position replaces the one before, with all its
    /// details. A transform that keeps no scale replaces the one that does, with its scale.
    init(_ levels: [ManifestSetting]...) {
        for settings in levels {
            if settings.contains(where: \.key.saysWhere) { position = PositionValues() }
            for setting in settings { setting.change(&self) }
            let names = Set(settings.map(\.key.name))
            if names.contains("transform"), position.anchor == nil,
                position.transform?.rawValue != TransformModel.rigid.rawValue
            {
                if !names.contains("scale") { position.scale = nil }
                if !names.contains("bearing") { position.bearing = nil }
            }
        }
    }

    /// The standard names of a floor's tiles in a folder that all floors share: even of a single floor, so
    /// that its tiles keep their names when a second floor is added.
    private static let template = "{floor}/" + TileTemplate.standard

    /// Whether the names of tiles differ from those of other floors.
    var separatesFloors: Bool {
        output.container.isArchive || template.map { $0.contains("{floor}") } ?? true
    }

    /// The request that follows from the settings.
    ///
    /// - Throws: `.usage` if the settings contradict each other.
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
    /// - Throws: `.usage` if floors would share an archive, or have separate folders.
    static func path(_ value: ManifestValue) throws(Failure) -> String {
        let text = try folderText(value)
        let (parent, name) = text.splitAtLastSlash
        let isArchive = TilesetContainer(path: text).isArchive
        if isArchive, !name.contains(placeholder) {
            throw value.failure(
                "an archive holds one floor, but '\(text.excerpt())' is for all floors",
                remedy: "write {floor} into its name, such as \"tiles/{floor}.pmtiles\"")
        }
        if text.contains(placeholder), !isArchive || parent?.contains(placeholder) == true {
            throw value.failure(
                "{floor} is only for the names of archives, such as \"tiles/{floor}.pmtiles\"",
                remedy: "name the folder of all floors, and write {floor} into 'template'")
        }
        return value.file.resolved(text)
    }

    /// Reads the value of `output` of a campus: a folder.
    static func folder(_ value: ManifestValue) throws(Failure) -> String {
        let text = try folderText(value)
        guard !TilesetContainer(path: text).isArchive, !text.contains(placeholder) else {
            throw value.failure(
                "the output of several buildings is a folder, but '\(text.excerpt())' is not",
                remedy: "it is the folder of campus.json; each building has its own output")
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
