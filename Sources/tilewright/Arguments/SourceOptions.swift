import ArgumentParser
import Diagnostics

/// The images of a build.
struct SourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The image: PNG, JPEG or TIFF. Several become one tileset, later over earlier; @LIST is a file with a name on each line.",
            valueName: "source"),
        completion: .file(extensions: ["png", "jpg", "jpeg", "tif", "tiff"]))
    var sources: [String]

    /// The files' names, those of lists among them.
    ///
    /// - Throws: `Failure` where a list cannot be read, or names nothing.
    func paths() throws -> [String] { try sources.flatMap(SourceList.paths) }

    /// The files of names among them.
    var lists: [String] { sources.compactMap(SourceList.path) }
}

/// The image that a command looks at.
struct SourceOption: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The image: PNG, JPEG or TIFF.", valueName: "source"),
        completion: .file(extensions: ["png", "jpg", "jpeg", "tif", "tiff"]))
    var source: String
}
