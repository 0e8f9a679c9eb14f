import ArgumentParser
import Diagnostics
import Publishing
import Tilesets

/// `tilewright snippet`: code that shows a tileset in a client.
struct SnippetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snippet",
        abstract: "Prints ready code that shows the tiles in an app or page.")

    @Argument(
        help: ArgumentHelp("A folder of tiles, or an archive.", valueName: "OUTPUT"),
        completion: .file())
    var output: String

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Who shows the tiles.", valueName: "CLIENT"))
    var client: SnippetClient

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The floor to show, of a folder with several.", valueName: "NAME"))
    var floor: String?

    @Option(
        help: ArgumentHelp(
            "Where OUTPUT is on the web, or an address of tiles with {z}, {x} and {y}.",
            valueName: "URL"))
    var url: String?

    func run() throws {
        let container = Container(existing: output)
        if let url { try check(url, in: container) }
        if container.isArchive, floor != nil {
            throw Failure(
                .usage, "--floor has no meaning for an archive, which holds one tileset")
        }
        let metadata = try StoredTileset(output, floor: floor).metadata
        let address = try address(metadata, in: container)
        guard let snippet = ClientSnippet(metadata, for: client, at: address) else {
            throw Failure(.badInput, "cannot show '\(output)': it has no tiles")
        }
        if address.isExample {
            let isServed = container.isArchive && !readsByItself(container)
            Console.warn(
                "the address in the code is an example: replace it, or give --url"
                    + (isServed ? "; the client needs a server that reads the archive" : ""))
        }
        // The console ends the line.
        try Console.result(String(snippet.text.dropLast()))
    }

    private func check(_ url: String, in container: Container) throws {
        if url.contains("{") {
            try WebAddress.checkTemplate(url)
        } else if container == .pmtiles {
            try WebAddress.checkCharacters(url)
        } else {
            try WebAddress.checkBase(url)
        }
    }

    /// Whether the client needs no server that knows the container.
    private func readsByItself(_ container: Container) -> Bool {
        switch container {
        case .directory: true
        case .pmtiles: client.readsPMTiles
        case .mbtiles: false
        }
    }

    private func address(
        _ metadata: TilesetMetadata, in container: Container
    ) throws -> ClientAddress {
        if !container.isArchive { return ClientAddress(ofTree: metadata, url: url) }
        if readsByItself(container) {
            return ClientAddress(ofArchive: metadata, name: output.fileName, url: url)
        }
        return try ClientAddress(ofServed: metadata, name: output.fileStem, url: url)
    }
}

extension SnippetClient: ExpressibleByArgument {}
