import Georeferencing
import Platform
import Raster
import Tilesets
import Tiling
import YAML

/// A key of manifests: where it is allowed, and what its value changes.
struct ManifestKey: Sendable {
    /// The level at which a key is allowed.
    enum Level: Sendable, CaseIterable {
        /// At the top of a manifest of buildings.
        case campus
        /// At the top of a building.
        case building
        /// At a floor.
        case floor
    }

    /// The name in manifests: that of a long option of `build` without its dashes, if there is such an
    /// option.
    let name: String
    /// The levels at which the key is allowed.
    let levels: Set<Level>
    /// Whether the key is an image's position, and not only a detail of the position.
    let saysWhere: Bool
    /// Reads a value, and returns the change that it makes.
    let change: @Sendable (ManifestValue) throws -> Change

    /// The change that a value makes.
    typealias Change = @Sendable (inout FloorDraft) -> Void

    /// Makes a key whose value becomes a property.
    init<Result: Sendable>(
        _ name: String, at levels: Set<Level> = [.building, .floor], saysWhere: Bool = false,
        _ property: any WritableKeyPath<FloorDraft, Result> & Sendable,
        read: @escaping @Sendable (ManifestValue) throws -> Result
    ) {
        self.name = name
        self.levels = levels
        self.saysWhere = saysWhere
        change = { value in
            let result = try read(value)
            return { $0[keyPath: property] = result }
        }
    }

    /// Makes a key whose value is read elsewhere.
    init(_ name: String, at levels: Set<Level>) {
        self.name = name
        self.levels = levels
        saysWhere = false
        change = { _ in { _ in } }
    }

    /// The key with a name.
    static func named(_ name: String, at level: Level) -> ManifestKey? {
        all.first { $0.name == name && $0.levels.contains(level) }
    }

    /// The names of the keys that are allowed at a level.
    static func names(at level: Level) -> [String] {
        all.filter { $0.levels.contains(level) }.map(\.name)
    }

    /// Options that say how to run, not what to build.
    static let ofTheRun: Set<String> = [
        "jobs", "memory", "tmpdir", "max-tiles", "max-pixels", "changes", "pending", "depfile", "force",
        "fsync", "report", "progress", "quiet", "verbose", "dry-run", "only",
    ]

    /// The failure of a key that is not allowed at a level.
    static func refusal(of name: String, at level: Level) -> Failure {
        if ofTheRun.contains(name) {
            return Failure(
                .usage, "'\(name)' says how to run, not what to build",
                remedy: "give --\(name) on the command line")
        }
        if let key = all.first(where: { $0.name == name }) {
            return Failure(.usage, "'\(name)' does not belong \(level.place)", remedy: key.remedy)
        }
        let hint = NearestWord.of(name, among: names(at: level))
        let words = "unknown key '\(name.excerpt())'" + (hint.map { "; did you mean '\($0)'?" } ?? "")
        return Failure(
            .usage, words,
            remedy: hint == nil ? "keys are the long options of 'build', such as zoom or tile-size" : nil)
    }

    private var remedy: String {
        "put it " + Level.allCases.filter(levels.contains).map(\.place).joined(separator: ", or ")
    }
}

extension ManifestKey.Level {
    /// The level, for messages.
    fileprivate var place: String {
        switch self {
        case .campus: "at the top of a manifest of buildings"
        case .building: "at the top of a building"
        case .floor: "at a floor"
        }
    }
}

// The keys. The schema for editors, `building.schema.json`, and the article Buildings describe them too.

extension ManifestKey {
    /// All keys.
    static let all = building + floor + counting + place + form + output

    private static let building = [
        ManifestKey("name", at: [.campus, .building], \.buildingName) { try $0.text() },
        ManifestKey("output", at: [.building], \.output.path) { try BuildingOutput.path($0) },
        ManifestKey("output", at: [.campus], \.output.path) { try BuildingOutput.folder($0) },
        ManifestKey("url", at: [.building], \.output.url) { try $0.checked(by: WebAddress.checkBase) },
        ManifestKey("floors", at: [.building]),
        ManifestKey("buildings", at: [.campus]),
    ]

    private static let floor = [
        ManifestKey("floor", at: [.floor], \.floor) { try $0.checked(by: TileNames.check(floor:)) },
        ManifestKey("image", at: [.floor], \.images) { value in
            let images = try value.list().map { try $0.image() }
            if images.isEmpty { throw value.failure("'image' names no file") }
            return images
        },
        ManifestKey("label", at: [.floor], \.label) { try $0.text() },
        ManifestKey("short-name", at: [.floor], \.shortName) { try $0.text() },
        ManifestKey("ordinal", at: [.floor], \.ordinal) { try $0.integer() },
        ManifestKey("default", at: [.floor], \.isDefault) { try $0.flag() },
        ManifestKey("name", at: [.floor], \.output.labels.name) { try $0.text() },
    ]

    /// The options for reading an image.
    private static let counting = [
        ManifestKey("page", \.image.page) { value in
            let page = try value.integer()
            guard page >= 1 else { throw value.failure("pages are counted from 1") }
            return page
        },
        ManifestKey("layout", \.image.layout) { try $0.text() },
        ManifestKey("layers", \.image.layers) { try $0.parsedList(ImageRequest.layers) },
        ManifestKey("password-file", \.image.passwordFile) { try $0.existingFile() },
        ManifestKey("crop", \.image.crop) { try $0.parsedList(PixelWindow.init(parsingCrop:)) },
        ManifestKey("nodata", \.image.nodata) { value in
            try value.parsedList { try ColorKey(parsing: $0, as: "nodata colour") }
        },
        ManifestKey("paper", \.image.paper) { value in
            try value.parsedList { try ColorKey(parsing: $0, as: "colour of the paper") }
        },
        ManifestKey("bands", \.image.bands) { try $0.parsedList(ImageRequest.bands) },
        ManifestKey("rescale", \.image.rescale) { try $0.parsedList(ImageRequest.range) },
        ManifestKey("keep-colors", \.image.keepColors) { try $0.flag() },
        ManifestKey("max-residual", \.maxResidual) { value in
            let metres = try value.number()
            guard metres >= 0 else { throw value.failure("'max-residual' must be a distance in metres") }
            return metres
        },
    ]

    /// The position of an image.
    private static let place = [
        ManifestKey("bounds", saysWhere: true, \.position.bounds) {
            try $0.parsedList(BoundingBox.init(parsing:))
        },
        ManifestKey("corners", saysWhere: true, \.position.corners) { value in
            let corners = try value.list().map { try $0.joined() }
            return try value.parsed(
                corners.joined(separator: " "), PositionRequest.Source.init(parsingCorners:))
        },
        ManifestKey("gcp", saysWhere: true, \.position.controlPoints) { value in
            let points = try value.points().map { try $0.parsedList(ControlPoint.init(parsing:)) }
            if points.isEmpty { throw value.failure("'gcp' names no point") }
            return points
        },
        ManifestKey("gcps", saysWhere: true, \.position.pointsFile) { try $0.existingFile() },
        ManifestKey("anchor", saysWhere: true, \.position.anchor) {
            try $0.parsedList(ControlPoint.init(parsing:))
        },
        ManifestKey("world-file", saysWhere: true, \.position.worldFile) { try $0.existingFile() },
        ManifestKey("kml", saysWhere: true, \.position.kml) { try $0.existingFile() },
        ManifestKey("transform", \.position.transform) { try $0.word() },
        ManifestKey("scale", \.position.scale) { try $0.parsed(PlanScale.init(parsing:)) },
        ManifestKey("bearing", \.position.bearing) { try $0.number() },
        ManifestKey("dpi", \.position.dpi) { try $0.number() },
        ManifestKey("crs", \.position.crs) { try $0.text() },
        ManifestKey("orient", \.position.orient) { try $0.word() },
    ]

    /// The tiles to build.
    private static let form = [
        ManifestKey("zoom", \.pyramid.zoom) { try $0.parsed(ZoomRange.init(parsing:)) },
        ManifestKey("tile-size", \.pyramid.tileSize) { try $0.word() },
        ManifestKey("format", \.pyramid.encoding.format) { try $0.word() },
        ManifestKey("quality", \.pyramid.encoding.quality) { try $0.integer() },
        ManifestKey("lossless", \.pyramid.encoding.lossless) { try $0.flag() },
        ManifestKey("png-level", \.pyramid.encoding.pngLevel) { try $0.word() },
        ManifestKey("jpeg-level", \.pyramid.encoding.jpegLevel) { try $0.word() },
        ManifestKey("palette", \.pyramid.encoding.palette) { try $0.integer() },
        ManifestKey("background", \.pyramid.background) { try $0.parsed(RGBColor.init(parsing:)) },
        ManifestKey("cutline", \.pyramid.cutline) { try $0.existingFile() },
        ManifestKey("resampling", \.pyramid.resampling) { try $0.word() },
        ManifestKey("overview-resampling", \.pyramid.overviewResampling) { try $0.word() },
        ManifestKey("overviews", \.pyramid.overviews) { try $0.word() },
        ManifestKey("empty", \.pyramid.empty) { try $0.word() },
    ]

    /// The names and metadata of tiles.
    private static let output = [
        ManifestKey("scheme", \.output.scheme) { try $0.word() },
        ManifestKey("template", \.template) { try $0.text() },
        ManifestKey("attribution", \.output.labels.attribution) { try $0.text() },
        ManifestKey("description", \.output.labels.description) { try $0.text() },
        ManifestKey("doc-kml", \.output.docKML) { try $0.word() },
    ]
}

extension ManifestValue {
    /// Control points: a text, a list of four numbers, or a list of either.
    fileprivate func points() throws(Failure) -> [ManifestValue] {
        let items = try list()
        let isOne = items.count == 4 && items.allSatisfy(\.isPlainNumber)
        return isOne ? [self] : items
    }

    /// Whether the value is a single number, and not several with commas.
    private var isPlainNumber: Bool {
        if case .scalar(let text, isPlain: _) = node.content { Double(text) != nil } else { false }
    }
}
