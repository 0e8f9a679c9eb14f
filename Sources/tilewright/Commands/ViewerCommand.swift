import CommandSupport
import ArgumentParser
import TilewrightKit

/// `tilewright viewer`: writes a page that shows tilesets.
struct ViewerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "viewer",
        abstract: "Writes a page that shows the tiles on a map, to look at them.")

    @Argument(
        help: ArgumentHelp(
            "Folders of tiles, PMTiles archives, or manifests of what was built; several get a switch.",
            valueName: "OUTPUT"),
        completion: .tilesetsAndManifests)
    var outputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The page. (default: index.html in a folder or beside a manifest's index, NAME.html beside an archive)",
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
