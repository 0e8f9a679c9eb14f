import Georeferencing
import Platform
import Raster

/// A floor of a manifest that has a single image, and the files of its points.
struct FloorPoints {
    /// The floor.
    let floor: Manifest.Floor
    /// The number of its building in the manifest.
    let building: Int
    /// The manifest file that defines the floor.
    let manifest: String
    /// The file of its control points. Floors with the same file share their position.
    private(set) var home: PointsHome
    /// The file of its points if the floor stops sharing its position; nil if that is `home`, too.
    private(set) var ownHome: PointsHome?

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

    /// The same floor, but with its own position.
    var separated: FloorPoints {
        var floor = self
        (floor.home, floor.ownHome) = (ownHome ?? home, nil)
        return floor
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
    /// - Parameters:
    ///   - floor: the name of one of the floors.
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
        return compactMap { floor in
            if download(floor.home) == name { return floor }
            if let own = floor.ownHome, download(own) == name { return floor.separated }
            return nil
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
