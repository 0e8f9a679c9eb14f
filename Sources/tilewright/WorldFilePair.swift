import Diagnostics
import Georeferencing
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A world file and the `.prj` that says in which reference system its numbers are.
struct WorldFilePair {
    private let path: String
    private let worldFile: WorldFile
    private let wkt: String

    /// Describes a placed image.
    ///
    /// - Throws: `Failure` for a position that no world file can hold, and for a name that no world
    ///   file has: it may be the image's own, or that of the `.prj`.
    init(_ image: PlacedImage, path: String) throws {
        guard Self.isWorldFileName(path) else {
            throw Failure(
                .usage, "cannot write '\(path)': that is no name of a world file",
                remedy: "let it end in .pgw, .jgw or .wld")
        }
        guard case .affine(let transform) = image.fileGeoreference.pixelToCRS else {
            throw Failure(
                .usage, "cannot write '\(path)': no world file can hold a projective fit",
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
        try write(wkt + "\n", to: path.parentDirectory + "/" + path.fileStem + ".prj")
        try write(worldFile.text, to: path)
    }

    private func write(_ text: String, to path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Failure(.outputRefused, "cannot write '\(path)': \(error.reason)")
        }
    }
}

extension Error {
    /// What the system says was wrong.
    fileprivate var reason: String {
        guard let error = self as? CocoaError else { return "\(self)" }
        switch error.code {
        case .fileWriteNoPermission: return "permission denied"
        case .fileNoSuchFile: return "no such directory"
        case .fileWriteOutOfSpace: return "no space left on device"
        default: return "\(error.code)"
        }
    }
}
