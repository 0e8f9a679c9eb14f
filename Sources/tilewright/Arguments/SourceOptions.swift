import ArgumentParser
import Diagnostics

/// The images of a build.
struct SourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The image: PNG or JPEG. Several become one tileset, later over earlier; @LIST is a file with a name on each line.",
            valueName: "source"),
        completion: .file(extensions: ["png", "jpg", "jpeg"]))
    var sources: [String]

    /// The files' names, those of lists among them.
    ///
    /// - Throws: `Failure` where a list cannot be read, or names nothing.
    func paths() throws -> [String] { try sources.flatMap(SourceList.paths) }
}

/// The image that a command looks at.
struct SourceOption: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The image: PNG or JPEG.", valueName: "source"),
        completion: .file(extensions: ["png", "jpg", "jpeg"]))
    var source: String
}
