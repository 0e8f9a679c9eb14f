import CommandSupport
import ArgumentParser
import Codecs
import Platform
import TilewrightKit

/// The images of a build.
struct SourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The image: \(ImageFormats.namesWithDocuments("or")), or a KMZ that holds one. Several become one tileset, later over earlier; "
                + "@LIST is a file with a name on each line. Or a manifest of a building, NAME.yaml.",
            valueName: "source"),
        completion: .sources)
    var sources: [String]

    /// The manifest, if the only source is one.
    ///
    /// - Throws: `.usage` if something stands beside it.
    func manifest() throws(Failure) -> String? { try ManifestArgument.only(of: sources) }

    /// The images' names, including the names in lists.
    ///
    /// - Parameter hasOutput: whether the command line says where the tiles go.
    /// - Throws: `Failure` if a list cannot be read, or has no names, or an image is not there.
    func paths(hasOutput: Bool = true) throws -> [String] {
        let paths = try sources.flatMap(SourceList.paths)
        try MissingSource.check(paths, hasOutput: hasOutput)
        return paths
    }

    /// The paths of the lists.
    var lists: [String] { sources.compactMap(SourceList.path) }
}

/// The image that a command looks at.
struct SourceOption: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The image: \(ImageFormats.namesWithDocuments("or")), or a KMZ that holds one. Or a manifest of a building, NAME.yaml.",
            valueName: "source"),
        completion: .sources)
    var source: String
}
