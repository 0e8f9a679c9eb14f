import Platform
import Georeferencing
import Tiling

/// A world file and the `.prj` that says in which reference system its numbers are.
public struct WorldFilePair {
    /// Where the world file goes.
    public let path: String
    /// What the user should know of its name, if the image does not find it by itself.
    public let warning: String?
    private let worldFile: WorldFile
    private let wkt: String
    /// Whether the path names the world file, and not a folder.
    private let isTyped: Bool

    /// Describes the world file of an image that was placed by control points.
    ///
    /// - Parameter path: the file; or a folder, in which it gets the name that belongs to the image.
    /// - Throws: a `Failure` of kind `usage` if there is no fit, for a fit that no world file can hold, and
    ///   for a name that no world file has: it may be the image's own, or that of the `.prj`.
    public init(_ image: PlacedImage, path: String) throws {
        let fit = try image.requiredFit()
        let names = WorldFile.candidates(beside: image.path)
        let folder = path.hasSuffix("/") ? path : path + "/"
        isTyped = !OutputFile.isDirectory(path)
        let path = !isTyped ? folder + names[0].fileName : path
        guard Self.isWorldFileName(path) else {
            throw Failure(
                .usage, "cannot write '\(path)': that is not the name of a world file",
                remedy: "name it '\(names[0].fileName)', which '\(image.path)' finds by itself")
        }
        guard case .affine(let transform) = image.placement.fileGeoreference.pixelToCRS else {
            throw Failure(
                .usage,
                "cannot write '\(path)': no world file can hold a \(fit.model.rawValue) fit",
                remedy: "fit an affine transform, --transform affine, or build with these options: "
                    + "points in '\(QGISPoints.path(beside: image.path, page: image.request.pageNumber))' "
                    + "are found without any")
        }
        let inputs = try BuildInputs([image.request], others: [], worldFiles: false).paths
        for file in [Self.projection(of: path), path] {
            guard let input = inputs.first(where: { OutputFile.areSame($0, file) }) else { continue }
            throw Failure(
                .usage, cannot: "write '\(file)'", "'\(input)' is read for it",
                remedy: "give another name with -o")
        }
        self.path = path
        let isFound = names.contains { OutputFile.areSame($0, path) || $0 == path }
        warning =
            isFound
            ? image.request.pageNumber == 1 ? nil : "'\(path)' holds for all pages of '\(image.path)'"
            : "'\(image.path)' does not find '\(path)' by itself: name it '\(names[0])', or build with "
                + "--world-file \(path)"
        worldFile = WorldFile(pixelToCRS: transform)
        wkt = try image.placement.fileGeoreference.crs.esriWKT()
    }

    private static func projection(of path: String) -> String {
        path.parentDirectory.path(of: path.fileStem + ".prj")
    }

    private static func isWorldFileName(_ path: String) -> Bool {
        guard let dot = path.lastIndex(of: ".") else { return false }
        let ending = path[dot...].lowercased()
        return ending == ".wld"
            || ending.count > 2 && ending.hasSuffix("w") && !ending.contains("/")
    }

    /// Writes both files, the `.prj` first: a world file never stands without it.
    public func write() throws {
        try OutputFile.write(
            (wkt + "\n").utf8, to: Self.projection(of: path), isTyped: false)
        try OutputFile.write(worldFile.text.utf8, to: path, isTyped: isTyped)
    }
}
