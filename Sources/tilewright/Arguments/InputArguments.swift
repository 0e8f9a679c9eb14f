import CommandSupport
import ArgumentParser
import Platform
import TilewrightKit

/// What a view shows.
struct InputArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Folders of tiles, archives, or images with a position; later over earlier. @LIST is a file "
                + "with a name on each line. Or a manifest, with --floor.",
            valueName: "thing"),
        completion: .things)
    var things: [String]

    /// The names, including those in lists.
    ///
    /// - Throws: `Failure` if a list cannot be read, or has no names.
    func paths() throws -> [String] { try things.flatMap(SourceList.paths) }

    /// The paths of the lists.
    var lists: [String] { things.compactMap(SourceList.path) }
}
