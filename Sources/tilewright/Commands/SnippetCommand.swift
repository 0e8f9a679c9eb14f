import CommandSupport
public import ArgumentParser
import Platform
import TilewrightKit
public import Publishing
import Tilesets

/// `tilewright snippet`: prints code that shows a tileset in a client.
struct SnippetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snippet",
        abstract: "Prints code that shows the tiles in an app or page.")

    @Argument(
        help: ArgumentHelp(
            "A folder of tiles, an archive, or a manifest: then the code switches floors.",
            valueName: "OUTPUT"),
        completion: .tilesetsAndManifests)
    var output: String

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The client that shows the tiles.", valueName: "CLIENT"))
    var client: SnippetClient

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The floor to show, if a folder has several.", valueName: "NAME"))
    var floor: String?

    @Option(
        help: ArgumentHelp(
            "Where OUTPUT is on the web, or an address of tiles with {z}, {x} and {y}.",
            valueName: "URL"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "The name of the type in the code, in the place of one that says the building or the floor.",
            valueName: "NAME"))
    var typeName: String?

    @Option(
        help: ArgumentHelp(
            "The zoom up to which the last tiles are enlarged. (default: three more than the last zoom)",
            valueName: "ZOOM"))
    var enlargeTo: Int?

    @OptionGroup var limit: TileLimitOption

    func run() throws {
        if Manifest.isManifest(output) {
            if floor != nil { try refuseFloor() }
            let snippet = try ManifestSnippet(
                output, for: client, url: url, typeName: typeName, enlargeTo: enlargeTo)
            return try print(snippet.text, warning: snippet.warning)
        }
        let snippet = try TilesetSnippet(
            output, for: client, floor: floor, url: url, typeName: typeName, enlargeTo: enlargeTo,
            maxTiles: limit.maxTiles.value)
        try print(snippet.text, warning: snippet.warning)
    }

    private func refuseFloor() throws {
        throw Failure(
            .usage, "--floor has no meaning beside '\(output)': the code has all floors",
            remedy: "the floor that is shown first has 'default: true' in the manifest")
    }

    private func print(_ code: String, warning: String?) throws {
        if let warning { Console.warn(warning) }
        try Console.result(bytes: Array(code.utf8))
    }
}

extension SnippetClient: ExpressibleByArgument {}
