import Platform
import Publishing
import Tilesets

/// A page that shows finished tilesets, mainly floors of buildings, on a map.
public struct TilesetPage: Sendable {
    /// The path of the page.
    public let path: String
    private let isTyped: Bool
    /// Warnings for the user, a line each.
    public let warnings: [String]

    private let html: [UInt8]

    /// Prepares a page.
    ///
    /// - Parameters:
    ///   - inputs: folders of tiles, PMTiles archives, or manifests that were built. `building.json` and
    ///     `campus.json` in a folder define its floors; several other tilesets get a switch.
    ///   - path: the page, an HTML file; by default `index.html` in a folder, `NAME.html` next to an archive,
    ///     and `index.html` next to the index of a manifest.
    ///   - assets: a folder with `leaflet.js` and `leaflet.css`, to put into the page; nil for those of the
    ///     system, or to load them from the web.
    ///   - maxTiles: the maximum number of tiles that a tileset may have.
    /// - Throws: a `Failure` if a tileset cannot be read or shown: `missingInput` if no floor of a manifest
    ///   is built.
    public init(
        _ inputs: [String], at path: String? = nil, assets: String? = nil,
        maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        guard let first = inputs.first else {
            throw Failure(.usage, "there is no tileset to show", remedy: "name at least one")
        }
        let named = try path.map(PageFile.checked)
        let subjects = try inputs.map { path in
            (path: path, manifest: Manifest.isManifest(path) ? try Manifest(contentsOf: path) : nil)
        }
        let path = try named ?? Self.standardPath(subjects)
        var contents = PageContents { try Self.tileset(at: $0, floor: $1, for: path, maxTiles: maxTiles) }
        for subject in subjects { try contents.add(subject.path, subject.manifest) }
        let library = try MapLibrary(assets: assets)
        guard let html = ViewerPage.html(contents.buildings, title: contents.title, library: library) else {
            throw Failure(.badInput, cannot: "show '\(first)'", "it has no tiles")
        }
        (self.path, isTyped) = (path, named != nil)
        self.html = html
        warnings = contents.warnings
    }

    /// Writes the page, whole or not at all.
    ///
    /// - Parameter force: overwrite a page of another kind, or one that tilewright did not make.
    /// - Throws: a `Failure`: `outputRefused` if there is such a page, or none can be made; `inputOutput` if
    ///   writing fails.
    public func write(force: Bool = false) throws {
        try PageFile.write(html, as: .viewer, to: path, isTyped: isTyped, force: force)
    }

    private static func tileset(
        at path: String, floor: String?, for page: String, maxTiles: Int
    ) throws -> ViewerPage.Tileset {
        let container = TilesetContainer(existing: path)
        if container == .mbtiles {
            throw Failure(
                .badInput, cannot: "show '\(path)'", "browsers cannot read MBTiles",
                remedy: "convert it to PMTiles or a folder of tiles with 'tilewright convert'")
        }
        return ViewerPage.Tileset(
            try StoredTileset(path, floor: floor, maxTiles: maxTiles).metadata,
            path: RelativePath.components(from: page.parentDirectory, to: path),
            isArchive: container.isArchive)
    }

    /// The default path of a page.
    private static func standardPath(_ subjects: [(path: String, manifest: Manifest?)]) throws -> String {
        guard subjects.count == 1 else {
            throw Failure(
                .usage, "there is no default page for several tilesets",
                remedy: "name it with -o FILE.html")
        }
        let path = subjects[0].path
        // The page that a web server shows for a folder.
        let index = "index.html"
        return switch subjects[0].manifest {
        case .building(let request)?: request.folder.path(of: index)
        case .campus(let request)?: request.folder.path(of: index)
        case nil:
            TilesetContainer(existing: path).isArchive
                ? path.parentDirectory + "/" + path.fileStem + ".html" : path.path(of: index)
        }
    }
}

/// The buildings of a page, found in folders, archives and manifests.
struct PageContents {
    private typealias Tileset = ViewerPage.Tileset

    /// Warnings for the user, a line each.
    private(set) var warnings: [String] = []

    private let tileset: (_ path: String, _ floor: String?) throws -> Tileset
    private var found: [ViewerPage.Building] = []
    private var loose: [Tileset] = []
    private var titles: [String] = []

    /// Begins without buildings.
    ///
    /// - Parameter tileset: opens a folder or an archive; throws `.missingInput` if it does not exist.
    init(tileset: @escaping (_ path: String, _ floor: String?) throws -> ViewerPage.Tileset) {
        self.tileset = tileset
    }

    /// The buildings, followed by all other tilesets.
    var buildings: [ViewerPage.Building] {
        found + (loose.isEmpty ? [] : [ViewerPage.Building(nil, floors: loose)])
    }

    /// The title; nil if there is no building.
    var title: String? {
        titles.isEmpty ? nil : titles.uniqued.joined(separator: ", ")
    }

    /// Adds the tilesets of a folder, an archive or a manifest.
    ///
    /// - Throws: a `Failure` if it cannot be read or shown.
    mutating func add(_ path: String, _ manifest: Manifest?) throws {
        if let manifest {
            try add(manifest, path: path)
        } else if TilesetContainer(existing: path).isArchive {
            loose.append(try tileset(path, nil))
        } else {
            try addFolder(path)
        }
    }

    // Manifests

    private mutating func add(_ manifest: Manifest, path: String) throws {
        let before = found.count
        for request in manifest.buildings { try add(request) }
        guard found.count > before else {
            throw Failure(
                .missingInput, cannot: "show '\(path)'", "none of its floors has been built",
                remedy: "build it first: tilewright \(ShellWord.quoted(path))")
        }
        guard case .campus(let request) = manifest else { return }
        titles.removeLast(found.count - before)
        titles.append(request.effectiveName)
    }

    private mutating func add(_ request: BuildingRequest) throws {
        if let index = try BuildingIndex(in: request.folder) {
            return try add(index, in: request.folder, expecting: request.floors.map(\.floor))
        }
        let floors = request.floors.sorted { ($0.ordinal, $0.floor) > ($1.ordinal, $1.floor) }
        add(
            request.effectiveName,
            try floors.map { floor in
                let output = floor.build.output
                let found = try Self.ifThere { try tileset(output.path, output.storedFloor) }
                return (floor.floor, found?.named(ServedFloor(floor)))
            })
    }

    // Folders

    private mutating func addFolder(_ path: String) throws {
        if let campus = try CampusIndex.summary(in: path) {
            return try add(campus.indexes.map { path.path(of: $0).parentDirectory }, of: campus.name)
        }
        if let index = try BuildingIndex(in: path) { return try add(index, in: path) }
        let floors = try TreeReader.floors(of: path)
        // A missing tileset is opened to report its error.
        loose += try (floors.isEmpty ? [nil] : floors).sorted(by: Self.isAbove).map {
            try tileset(path, $0)
        }
    }

    private mutating func add(_ folders: [String], of campus: String) throws {
        let before = titles.count
        for folder in folders {
            if let index = try BuildingIndex(in: folder) {
                try add(index, in: folder)
            } else {
                warnings.append("'\(folder)' is not in the page: it has no \(BuildingIndex.fileName)")
            }
        }
        titles.removeLast(titles.count - before)
        titles.append(campus)
    }

    /// - Parameter expected: the floors of a manifest, even those that the index does not have.
    private mutating func add(
        _ index: BuildingIndex, in folder: String, expecting expected: [String] = []
    ) throws {
        let tilesets = try index.floors.reversed().map { floor in
            (floor.floor, try tileset(of: floor, in: folder))
        }
        let known = Set(index.floors.map(\.floor))
        let others = try others(in: folder).filter { !known.contains($0) }
        let unbuilt = expected.filter { !known.contains($0) && !others.contains($0) }
        add(
            index.name,
            tilesets + (try others.map { ($0, try tileset(folder, $0)) })
                + unbuilt.map { ($0, nil) })
    }

    /// A floor of an index; nil if its tiles were removed.
    private func tileset(of floor: BuildingIndex.Floor, in folder: String) throws -> Tileset? {
        try Self.ifThere {
            if let archive = try floor.archive(in: folder) {
                try tileset(archive, nil)
            } else {
                try tileset(folder, floor.floor)
            }
        }?.named(ServedFloor(floor))
    }

    /// The floors of a folder, even without its index.
    private func others(in folder: String) throws -> [String] {
        try TreeReader.floors(of: folder).compactMap(\.self).sorted(by: Self.isAbove)
    }

    /// Adds a building with its existing floors, and warns about the others.
    private mutating func add(_ name: String, _ floors: [(floor: String, tileset: Tileset?)]) {
        let tilesets = floors.compactMap(\.tileset)
        if tilesets.isEmpty {
            warnings.append("'\(name)' is not in the page: none of its floors has been built")
            return
        }
        for (floor, tileset) in floors where tileset == nil {
            warnings.append("floor '\(floor)' of '\(name)' is not in the page: it has not been built")
        }
        found.append(ViewerPage.Building(name, floors: tilesets))
        titles.append(name)
    }

    /// The result, or nil if the input is missing.
    private static func ifThere(_ body: () throws -> Tileset) throws -> Tileset? {
        do { return try body() } catch let failure as Failure where failure.kind == .missingInput {
            return nil
        }
    }

    /// The order of floors: those with numbers first, the highest on top, then others by name.
    static func isAbove(_ one: String?, _ other: String?) -> Bool {
        let (number, otherNumber) = (one.flatMap(Double.init), other.flatMap(Double.init))
        if let number, let otherNumber, number != otherNumber { return number > otherNumber }
        if (number == nil) != (otherNumber == nil) { return number != nil }
        return one ?? "" < other ?? ""
    }
}
