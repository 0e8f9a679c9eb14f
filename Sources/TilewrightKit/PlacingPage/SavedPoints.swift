import Platform
public import Georeferencing
import Raster
import Tiling

/// Control points that the page of `place` has saved, to be written next to the image.
public struct SavedPoints: Sendable {
    /// The path of their file, which every command finds: `plan.png.points`.
    public let path: String
    /// The fit of the points.
    public let fit: ControlPointFit
    /// Warnings for the user, a line each.
    public private(set) var warnings: [String] = []

    /// Advice on the key that the manifest needs so that a build finds the points, such as
    /// `gcps: plans/first.png.points`; nil if a build finds them without it.
    public private(set) var advice: String?

    private let text: String
    private let image: ImageRequest
    /// The floors with this position, if they belong to a manifest.
    private let floors: [FloorPoints]

    /// Reads points, and checks the size of their image, their names, and their fit.
    ///
    /// - Parameters:
    ///   - file: the file that was saved.
    ///   - name: its name in messages.
    ///   - image: the image that they belong to.
    /// - Throws: a `Failure`: `missingInput` or `badInput` if something cannot be read or does not agree.
    public init(readFrom file: String, named name: String? = nil, for image: ImageRequest) throws {
        try self.init(Self.text(of: file, named: name), named: name ?? file, for: image)
    }

    /// Checks the text of a file that was saved.
    ///
    /// - Parameter name: its name in messages.
    package init(_ text: String, named name: String, for image: ImageRequest) throws {
        try self.init(text, named: name, for: image, to: .nextTo(image), of: [])
    }

    /// Reads points of a floor of a manifest, and checks them in the same way. They go to the file that the
    /// manifest names, or next to the image.
    ///
    /// - Parameters:
    ///   - file: the file that the page of `place` has saved.
    ///   - name: its name there; nil for the name of the file.
    ///   - manifest: the manifest with the floor.
    ///   - floor: the floor, as `Manifest.floor(_:)` takes it; nil for the floor that the page of `place` has
    ///     put into the file's name.
    /// - Throws: a `Failure`: `usage` if it is not clear which floor is meant; else as above.
    public init(
        readFrom file: String, named name: String? = nil, for manifest: Manifest, floor: String? = nil
    ) throws {
        let text = try Self.text(of: file, named: name)
        try self.init(text, named: name, by: file, for: manifest, floor: floor)
    }

    /// Checks the text of a file that was saved for a floor of a manifest.
    ///
    /// - Parameter file: the name that the page gave to the file, which contains the floor's name.
    package init(
        _ text: String, named name: String? = nil, by file: String, for manifest: Manifest,
        floor: String? = nil
    ) throws {
        let floors = try FloorPoints.floors(of: manifest).meant(by: file, floor: floor, of: manifest)
        // In the page, only floors of one size share a position.
        let fitting = floors.first { floor in
            (try? floor.image.fileInfo())
                .map { text.contains(",\($0.width)x\($0.height)") } ?? false
        }
        let target = fitting ?? floors[0]
        try self.init(text, named: name ?? file, for: target.image, to: target.home, of: floors)
    }

    init(
        _ text: String, named name: String, for image: ImageRequest, to home: PointsHome,
        of floors: [FloorPoints]
    ) throws {
        (self.text, self.image, self.floors, path) = (text, image, floors, home.path)
        let info = try image.fileInfo()
        let saved = try QGISPoints(
            parsing: text, path: name, crs: nil, width: info.width, height: info.height)
        let isFound = home.isFound(for: image, info: info)
        let model = image.position.transform
        let losesScale = isFound && saved.kept != nil && model != nil && model != .rigid
        do {
            try Self.check(saved, width: info.width, height: info.height)
            // The manifest's model counts only if the manifest need not change.
            let choice = try FitChoice(
                isFound && !losesScale ? image.position : PositionRequest(), ofFile: saved.kept, info: info)
            fit = try ControlPointFit(
                saved.points, model: choice.model, keeping: choice.kept, width: info.width,
                height: info.height)
        } catch let failure as Failure {
            throw failure.inAttempt("take the points '\(name)' for \(image.title)")
        }
        if let error = fit.error { warnings.append("\(error.message); \(error.remedy)") }
        if let floor = floors.first, losesScale, let model {
            advice =
                "these points keep a scale: write 'transform: rigid' instead of 'transform: \(model.rawValue)' "
                + "for the \(floor.floor.name) in '\(floor.manifest)'"
        }
        if let floor = floors.first, !isFound {
            let place = home.isAtTop ? "at the top" : "at the \(floor.floor.name)"
            advice =
                "write 'gcps: \(floor.written(path))' \(place) of '\(floor.manifest)'"
                + (floor.replaces(at: home)
                    ? ", and remove its position there, including crs and transform" : "")
        }
    }

    /// The names of the floors that the points place, if they belong to a manifest.
    public var floorNames: [FloorName] { floors.map(\.floor.name) }

    /// Writes the file, whole or not at all.
    ///
    /// - Parameter force: overwrite points that another program saved.
    /// - Throws: a `Failure`: `outputRefused` if there are such points, or no file can be made;
    ///   `inputOutput` if writing fails.
    public mutating func write(force: Bool = false) throws {
        if FileStatus(at: path) != nil, try !WholeFile.followingLink(path).hasEnding(".points") {
            throw Failure(
                .outputRefused, cannot: "write '\(path)'", "it is a link to a file of another kind",
                remedy: "remove the link")
        }
        if !force, let old = try OutputFile.text(of: path), old != text, !Self.isOfPage(old) {
            throw Failure(
                .outputRefused, cannot: "write '\(path)'",
                "the points there were not saved by a page of 'tilewright place'",
                remedy: "move them away, or add --force to overwrite them")
        }
        try OutputFile.write(text.utf8, to: path, isTyped: false)
        // Tags of the image, or a file that takes precedence, may hold another position.
        if floors.isEmpty, let placed = try? PlacedImage(image), placed.fit == nil {
            warnings.append(
                "\(image.title) has its own position, which takes precedence: \(placed.positionSource); "
                    + "build with --gcps '\(path)'")
        }
    }

    /// Whether a file was saved by the page of `place`.
    static func isOurs(_ path: String) -> Bool {
        (try? OutputFile.text(of: path)).flatMap(\.self).map(isOfPage) ?? false
    }

    private static func isOfPage(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).prefix(3).contains { $0.contains(",name,imageSize") }
    }

    private static func text(of file: String, named name: String?) throws -> String {
        guard let bytes = try WholeFile.read(file) else {
            throw Failure(.missingInput, "cannot read '\(name ?? file)': there is no such file")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func check(_ saved: QGISPoints, width: Int, height: Int) throws {
        if let size = saved.imageSize, size != "\(width)x\(height)" {
            throw Failure(
                .badInput, "they were set on an image of \(size) pixels, but this one has \(width)x\(height)",
                remedy: "load them into the page of 'tilewright place', and save them again")
        }
        var names: Set<String> = []
        for point in saved.points where !names.insert(point.name).inserted {
            throw Failure(
                .badInput, "two points are called '\(point.name)'", remedy: "give each its own name")
        }
    }
}

/// A floor of a manifest that has a single image, and the files of its points.
struct FloorPoints {
    /// The floor.
    let floor: Manifest.Floor
    /// The number of its building in the manifest.
    let building: Int
    /// The manifest file that defines the floor.
    let manifest: String
    /// The file of its control points. Floors with the same file share their position.
    fileprivate(set) var home: PointsHome
    /// The file of its points if the floor stops sharing its position; nil if that is `home`, too.
    fileprivate(set) var ownHome: PointsHome?

    /// Its image.
    var image: ImageRequest { floor.request.build.images[0] }

    /// A path as the manifest would write it.
    func written(_ path: String) -> String {
        guard let folder = manifest.splitAtLastSlash.parent, path.hasPrefix("\(folder)/") else { return path }
        return String(path.dropFirst(folder.count + 1))
    }

    /// Whether a home's `gcps` replaces another position in the manifest.
    func replaces(at home: PointsHome) -> Bool {
        home.isAtTop || floor.request.hasOwnPosition || image.position.crs != nil
    }

    /// The floors of all buildings of a manifest, from the lowest floor of each.
    static func floors(of manifest: Manifest) -> [FloorPoints] {
        manifest.buildings.enumerated().flatMap { index, building in
            let floors = manifest.floors(of: building).filter { $0.request.build.images.count == 1 }
                .sorted { $0.request.ordinal < $1.request.ordinal }
            let first = floors.first { $0.takesCommonPosition }
            let homes = floors.map { $0.home(common: first) }
            return zip(floors, homes).map { floor, home in
                let own = PointsHome.nextTo(floor.request.build.images[0])
                let isShared = homes.count { $0.path == home.path } > 1
                return FloorPoints(
                    floor: floor, building: index, manifest: building.manifests.first ?? "", home: home,
                    ownHome: isShared && own.path != home.path ? own : nil)
            }
        }
    }
}

extension Manifest.Floor {
    /// Whether its position is defined at the top of the building.
    fileprivate var takesCommonPosition: Bool {
        !request.hasOwnPosition && request.build.images[0].position.source != .files
    }

    /// - Parameter common: the first floor with the position at the top of the building.
    fileprivate func home(common: Manifest.Floor?) -> PointsHome {
        let image = request.build.images[0]
        if case .pointsFile(let path) = image.position.source, path.hasEnding(".points") {
            return PointsHome(path: path, isAtTop: !request.hasOwnPosition)
        }
        guard takesCommonPosition, let common else { return .nextTo(image) }
        return .nextTo(common.request.build.images[0], isAtTop: true)
    }
}

extension [FloorPoints] {
    /// The name under which a browser saves a file: its own name, or, if two files share a name, its path
    /// with hyphens instead of slashes.
    func download(_ home: PointsHome) -> String {
        let paths = Set(flatMap { [$0.home.path, $0.ownHome?.path].compactMap(\.self) })
        let isUnique = paths.count { $0.fileName == home.path.fileName } == 1
        return isUnique
            ? home.path.fileName
            : home.path.split(separator: "/").filter { $0 != "." && $0 != ".." }.joined(separator: "-")
    }

    /// The floors whose points a file holds, chosen by a floor's name, or else by the file's own name, to
    /// which a browser may have added a number. Each floor has the home that is meant.
    ///
    /// - Parameter floor: the name of one of the floors.
    /// - Throws: `.usage` if no floor is meant, or if the floor cannot be placed.
    func meant(by file: String, floor: String?, of manifest: Manifest) throws(Failure) -> [FloorPoints] {
        let named = meant(by: file.fileName)
        guard let floor else {
            if !named.isEmpty { return named }
            if count == 1, manifest.floors.count == 1 { return self }
            throw Failure(
                .usage, "the name of '\(file)' does not say which floor it is for",
                remedy: "add --floor: \(map { "'\($0.floor.name.choice)'" }.listed("or"))")
        }
        let name = try manifest.floor(floor).name
        guard let chosen = first(where: { $0.floor.name == name }) else {
            throw Failure(
                .usage, "the \(name) is made of several images",
                remedy: "take the points of each image with 'tilewright place IMAGE --take FILE'")
        }
        // The name tells the floor's own position from the one that it shares.
        let meant = named.first { $0.floor.name == name } ?? chosen
        return [meant] + filter { $0.floor.name != name && $0.home.path == meant.home.path }
    }

    private func meant(by name: String) -> [FloorPoints] {
        let name = name.replacing(/\ ?\([0-9]+\)\.points$/, with: ".points")
        return compactMap { floor -> FloorPoints? in
            if download(floor.home) == name { return floor }
            guard let own = floor.ownHome, download(own) == name else { return nil }
            // The same floor, but with its own position.
            var separated = floor
            (separated.home, separated.ownHome) = (own, nil)
            return separated
        }
    }
}

/// The file of a floor's points, which a build finds, or a manifest can name.
struct PointsHome: Hashable {
    /// The file.
    let path: String
    /// Whether its `gcps` belongs to the top of the building.
    let isAtTop: Bool

    /// The file next to an image, where a build looks for it.
    static func nextTo(_ image: ImageRequest, isAtTop: Bool = false) -> PointsHome {
        PointsHome(
            path: QGISPoints.path(nextTo: image.path, page: image.pageNumber), isAtTop: isAtTop)
    }

    /// Whether a build reads the file, as the page writes it, without any change of the manifest.
    func isFound(for image: ImageRequest, info: RasterInfo) -> Bool {
        // The page writes degrees, and pixels of the image as it is stored.
        let isTurned = image.position.orient == .yes && info.orientation != .upright
        if image.position.crs != nil || isTurned { return false }
        switch image.position.source {
        case .pointsFile(let path): return path == self.path
        case .files:
            guard self == .nextTo(image) else { return false }
            // Tags and the .aux.xml come before points, and world files after them.
            let position = try? Position(image.position, of: image, info: info)
            if case .stored = position { return false }
            return true
        default: return false
        }
    }
}
