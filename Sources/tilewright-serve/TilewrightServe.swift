import ArgumentParser
import CommandSupport
import Publishing
import TilewrightKit

/// The companion that serves; `tilewright serve` and `tilewright open` become this program.
@main struct TilewrightServe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: ServeOptions.companion,
        abstract: "Serves tilesets, images and buildings over HTTP.",
        version: Version.current, subcommands: [Serve.self, Open.self], defaultSubcommand: Serve.self)

    static func main() { CommandProgram.main(Self.self) }
}

/// Serves until the program is stopped.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves tilesets, images and buildings over HTTP, for viewing.")

    @OptionGroup var options: ServeOptions

    func run() async throws { try await SignalWatch.run(advice: nil) { try await serve() } }

    private func serve() async throws {
        let catalogue = try await TileCatalogue(options.request) { Console.warn($0) }
        let server = try await TileServer.listen(on: options.listen ?? .standard)
        let rule = server.hostRule(allowed: options.hosts.allowHost.map(\.authority))
        let responder = Responder(catalogue: catalogue, rule: rule, policy: try AnswerPolicy(options))
        if !options.quiet { announce(catalogue, at: server.addresses) }
        try await server.run(responder)
    }

    private func announce(_ catalogue: TileCatalogue, at addresses: [String]) {
        let tilesets = catalogue.tilesets
        let width = tilesets.map(\.name.count).max() ?? 0
        for tileset in tilesets {
            let blanks = String(repeating: " ", count: width - tileset.name.count)
            Console.say("\(tileset.name)\(blanks)  \(tileset.origin)")
        }
        for address in addresses { Console.say("listening on \(address)") }
    }
}

/// The options for the server's responses.
struct AnswerPolicy: Sendable {
    /// The response for a missing tile.
    let missing: MissingTileAnswer
    /// The origin of pages that may read tiles, TileJSON and archives; nil for the server's own pages only.
    let origin: String?
    /// The origin of pages that may read the indexes of buildings; nil for the server's own pages only.
    let indexOrigin: String?
    /// The map library of the page.
    let library: MapLibrary
    /// The folder of the map library; nil for the web.
    let assets: String?

    /// Reads the options.
    ///
    /// - Throws: a `Failure` if the map library cannot be read.
    init(_ options: ServeOptions) throws {
        missing = options.missing
        origin = options.origin?.text ?? "*"
        indexOrigin = options.origin?.text
        assets = options.page.viewerAssets
        library = try MapLibrary(assets: options.page.viewerAssets)
    }

    /// The responses for the guide's own pages.
    init(_ options: OpenOptions) throws {
        (missing, origin, indexOrigin, assets) = (.notFound, nil, nil, options.page.viewerAssets)
        library = try MapLibrary(assets: options.page.viewerAssets)
    }
}
