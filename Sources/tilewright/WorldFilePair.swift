import Diagnostics
import Georeferencing
import Tiling

/// A world file and the `.prj` that says in which reference system its numbers are.
struct WorldFilePair {
    private let path: String
    private let worldFile: WorldFile
    private let wkt: String

    /// Describes an image that was placed by a fit.
    ///
    /// - Throws: `Failure` for a position that no world file can hold, and for a name that no world
    ///   file has: it may be the image's own, or that of the `.prj`.
    init(_ image: PlacedImage, _ fit: ControlPointFit, path: String) throws {
        guard Self.isWorldFileName(path) else {
            throw Failure(
                .usage, "cannot write '\(path)': that is no name of a world file",
                remedy: "let it end in .pgw, .jgw or .wld")
        }
        guard case .affine(let transform) = image.fileGeoreference.pixelToCRS else {
            throw Failure(
                .usage,
                "cannot write '\(path)': no world file can hold a \(fit.model.rawValue) fit",
                remedy: "fit an affine transform, --transform affine, or build with these options")
        }
        self.path = path
        worldFile = WorldFile(pixelToCRS: transform)
        wkt = try image.fileGeoreference.crs.esriWKT()
    }

    private static func isWorldFileName(_ path: String) -> Bool {
        guard let dot = path.lastIndex(of: ".") else { return false }
        let ending = path[dot...].lowercased()
        return ending == ".wld"
            || ending.count > 2 && ending.hasSuffix("w") && !ending.contains("/")
    }

    /// Writes both files, the `.prj` first: a world file never stands without it.
    func write() throws {
        try OutputFile.write(
            (wkt + "\n").utf8, to: path.parentDirectory + "/" + path.fileStem + ".prj")
        try OutputFile.write(worldFile.text.utf8, to: path)
    }
}
