public import ArgumentParser
import CommandSupport
import Platform
public import Publishing
import Tilesets
import TilewrightKit

/// `tilewright snippet`: prints code that shows a tileset in a client.
struct SnippetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snippet",
        abstract: "Prints code that shows the tiles in an app or page.")

    @Argument(
        help: ArgumentHelp(
            "A folder of tiles, an archive, or a manifest, for which the code can switch between floors.",
            valueName: "OUTPUT"),
        completion: .tilesetsAndManifests)
    var output: String?

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
            "The address of OUTPUT on the web, or, except for a manifest, of tiles with {z}, {x} and {y}.",
            valueName: "URL"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "The tiles are inside the app: their path in the bundle (iOS), in the assets (Android) or beside the "
                + "page (web). (default of PATH: the name of OUTPUT)",
            valueName: "[PATH]"))
    var local: String?

    @Flag(
        help: ArgumentHelp(
            "Print the file that the code for Android or the web needs. (Swift has the package product "
                + "TilewrightTiles.)"))
    var library = false

    @Flag(help: "Print a whole page that opens as it is: for leaflet, openlayers, maplibre and google-js.")
    var page = false

    @Option(
        help: ArgumentHelp(
            "The pixels per point of the display, for react-native-maps: 1, 2 or 3. Other code asks the device. "
                + "(default: 2)",
            valueName: "1|2|3"))
    var scale: Int?

    @Option(
        help: ArgumentHelp(
            "The name of the type in the code. (default: made from the building's or the floor's name)",
            valueName: "NAME"))
    var typeName: String?

    @Option(
        help: ArgumentHelp(
            "The zoom up to which the finest tiles are enlarged. (default: their zoom plus 3)",
            valueName: "ZOOM"))
    var enlargeTo: Int?

    @OptionGroup var limit: TileLimitOption

    func run() throws {
        if library { return try print(client.library(), warning: nil) }
        guard let output else {
            throw Failure(
                .usage, "OUTPUT is missing", remedy: "name a folder of tiles, an archive or a manifest")
        }
        if Manifest.isManifest(output) {
            guard floor == nil else {
                throw Failure(
                    .usage, "--floor cannot be combined with '\(output)': the code shows all floors",
                    remedy: "to choose the floor that is shown first, set 'default: true' in the manifest")
            }
            let snippet = try ManifestSnippet(output, for: client, options: options)
            return try print(snippet.text, warning: snippet.warning)
        }
        let snippet = try TilesetSnippet(
            output, for: client, floor: floor, options: options, maxTiles: limit.maxTiles.value)
        try print(snippet.text, warning: snippet.warning)
    }

    private var options: SnippetOptions {
        var options = SnippetOptions()
        (options.url, options.local, options.isPage) = (url, local, page)
        (options.typeName, options.enlargeTo, options.scale) = (typeName, enlargeTo, scale)
        return options
    }

    func validate() throws {
        if let scale, !(1...3).contains(scale) { throw ValidationError("--scale is 1, 2 or 3") }
    }

    private func print(_ code: String, warning: String?) throws {
        if let warning { Console.warn(warning) }
        try Console.result(bytes: Array(code.utf8))
    }
}

extension SnippetClient: ExpressibleByArgument {}

/// `tilewright viewer`: writes a page that shows tilesets.
struct ViewerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "viewer",
        abstract: "Writes a page that shows the tiles on a map.")

    @Argument(
        help: ArgumentHelp(
            "Folders of tiles, PMTiles archives, or manifests that were built. If there are several, the "
                + "page can switch between them.",
            valueName: "OUTPUT"),
        completion: .tilesetsAndManifests)
    var outputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The page to write. (default: index.html in a folder or next to a manifest's index; NAME.html "
                + "next to an archive)",
            valueName: "FILE.html"),
        completion: .file(extensions: ["html", "htm"]))
    var output: String?

    @OptionGroup var page: PageOptions
    @OptionGroup var limit: TileLimitOption

    @Flag(help: "Replace a page that 'tilewright viewer' did not write.")
    var force = false

    func run() throws {
        let page = try TilesetPage(
            outputs, at: output, assets: page.viewerAssets, maxTiles: limit.maxTiles.value)
        page.warnings.forEach(Console.warn)
        try page.write(force: force)
        try Console.result(page.path)
    }
}
