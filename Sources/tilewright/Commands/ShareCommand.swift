import ArgumentParser
import CommandSupport
import Platform
import TilewrightKit

/// `tilewright share`: writes one file that shows tilesets without a server or a network.
struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract:
            "Writes one page with the tiles inside, to send to people: it needs no server and no network.")

    @Argument(
        help: ArgumentHelp(
            "Folders of tiles, archives, or manifests that were built. If there are several, the page can "
                + "switch between them.",
            valueName: "OUTPUT"),
        completion: .tilesetsAndManifests)
    var outputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The page to write.", valueName: "PAGE.html"),
        completion: .file(extensions: ["html", "htm"]))
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The only floor to share, if there are several.", valueName: "NAME"))
    var floor: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The zooms to share: 16-20, 18, 16- or -20. (default: all)", valueName: "MIN-MAX"),
        transform: { try ZoomRange(parsing: $0) })
    var zoom: ZoomRange?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Refuse to write a larger page, and name the zooms that would fit.", valueName: "SIZE"))
    var maxBytes: ByteSize = ByteSize(SharedPageRequest.standardMaxBytes)

    @Option(
        help: ArgumentHelp(
            "A map under the tiles, which needs a network: the address of its tiles with {z}, {x} and {y}, "
                + "or the word openstreetmap. (default: none)",
            valueName: "URL"))
    var basemap: String?

    @Option(
        help: ArgumentHelp(
            "A folder with leaflet.js and leaflet.css, which the page will contain. (default: those of the "
                + "package libjs-leaflet)",
            valueName: "DIR"),
        completion: .directory)
    var viewerAssets: String?

    @OptionGroup var limit: TileLimitOption

    @Flag(help: "Replace a page that 'tilewright share' did not write.")
    var force = false

    func run() async throws {
        try await SignalWatch.run { try share() }
    }

    private func share() throws {
        try SharedPage.check(output)
        let page = try SharedPage(request)
        page.warnings.forEach(Console.warn)
        try page.write(to: output, force: force)
        try Console.result(output)
    }

    private var request: SharedPageRequest {
        var request = SharedPageRequest(outputs)
        request.floor = floor
        request.zooms = zoom ?? ZoomRange()
        request.maxBytes = maxBytes.bytes
        request.background =
            switch basemap {
            case nil, "none": .none
            case "openstreetmap": .openStreetMap
            case let address?: .tiles(address)
            }
        request.assets = viewerAssets
        request.maxTiles = limit.maxTiles.value
        return request
    }
}
