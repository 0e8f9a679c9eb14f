public import ArgumentParser
import TilewrightKit
public import Publishing
import Tilesets

/// `tilewright snippet`: prints code that shows a tileset in a client.
struct SnippetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snippet",
        abstract: "Prints code that shows the tiles in an app or page.")

    @Argument(
        help: ArgumentHelp("A folder of tiles, or an archive.", valueName: "OUTPUT"),
        completion: .file())
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

    func run() throws {
        let snippet = try TilesetSnippet(output, for: client, floor: floor, url: url)
        if let warning = snippet.warning { Console.warn(warning) }
        // The console ends the line.
        try Console.result(String(snippet.text.dropLast()))
    }
}

extension SnippetClient: ExpressibleByArgument {}
