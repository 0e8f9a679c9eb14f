import Diagnostics
import Files
import Georeferencing
import Tiling

/// A world file and the `.prj` that says in which reference system its numbers are.
public struct WorldFilePair {
    private let path: String
    private let worldFile: WorldFile
    private let wkt: String

    /// Describes the world file of an image that was placed by control points.
    ///
    /// - Throws: a `Failure` of kind `usage` if there is no fit, for a fit that no world file can hold, and
    ///   for a name that no world file has: it may be the image's own, or that of the `.prj`.
    public init(_ image: PlacedImage, path: String) throws {
        let fit = try image.requiredFit()
        guard Self.isWorldFileName(path) else {
            throw Failure(
                .usage, "cannot write '\(path)': that is not the name of a world file",
                remedy: "let it end in .pgw, .jgw or .wld")
        }
        guard case .affine(let transform) = image.placement.fileGeoreference.pixelToCRS else {
            throw Failure(
                .usage,
                "cannot write '\(path)': no world file can hold a \(fit.model.rawValue) fit",
                remedy: "fit an affine transform, --transform affine, or build with these options")
        }
        self.path = path
        worldFile = WorldFile(pixelToCRS: transform)
        wkt = try image.placement.fileGeoreference.crs.esriWKT()
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
            (wkt + "\n").utf8, to: path.parentDirectory + "/" + path.fileStem + ".prj")
        try OutputFile.write(worldFile.text.utf8, to: path)
    }
}
