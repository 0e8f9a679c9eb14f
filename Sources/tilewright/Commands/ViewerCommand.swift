import ArgumentParser
import Diagnostics
import Publishing
import Tiling
import Tilesets

/// `tilewright viewer`: a page that shows tilesets.
struct ViewerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "viewer",
        abstract: "Writes a page that shows the tiles on a map, to look at them.")

    @Argument(
        help: ArgumentHelp(
            "Folders of tiles, or PMTiles archives; several get a switch.", valueName: "OUTPUT"),
        completion: .file())
    var outputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The page. (default: index.html in a folder, NAME.html beside an archive)",
            valueName: "FILE.html"),
        completion: .file(extensions: ["html", "htm"]))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "A folder with leaflet.js and leaflet.css, to put into the page: it works without a "
                + "network then.",
            valueName: "DIR"),
        completion: .directory)
    var viewerAssets: String?

    @Flag(help: "Write over a page that tilewright did not make.")
    var force = false

    func run() throws {
        let path = try pagePath()
        let tilesets = try outputs.flatMap { try Self.tilesets($0, page: path) }
        let library = try viewerAssets.map(MapLibrary.init(directory:)) ?? .hosted
        guard let page = ViewerPage(tilesets, library: library) else {
            throw Failure(.badInput, "cannot show '\(outputs[0])': it has no tiles")
        }
        try checkOwnership(of: path)
        try OutputFile.write(page.html, to: path)
        try Console.result(path)
    }

    private func pagePath() throws -> String {
        if let output {
            guard output.hasEnding(".html") || output.hasEnding(".htm") else {
                throw Failure(
                    .usage, "cannot write '\(output)': the page is an HTML file",
                    remedy: "let its name end in .html")
            }
            return output
        }
        guard outputs.count == 1 else {
            throw Failure(
                .usage, "several tilesets have no place in common for their page",
                remedy: "name it with -o FILE.html")
        }
        return Container(existing: outputs[0]).isArchive
            ? outputs[0].parentDirectory + "/" + outputs[0].fileStem + ".html"
            : outputs[0] + (outputs[0].hasSuffix("/") ? "" : "/") + "index.html"
    }

    private func checkOwnership(of path: String) throws {
        guard !force, let page = try OutputFile.text(of: path), !ViewerPage.isOurs(page) else {
            return
        }
        throw Failure(
            .outputRefused, "cannot write '\(path)': the page there is somebody else's",
            remedy: "give another name with -o, or --force to write over it")
    }

    /// The tilesets of a folder or of an archive, the uppermost floor first.
    private static func tilesets(_ path: String, page: String) throws -> [ViewerPage.Tileset] {
        let way = RelativePath.components(from: page.parentDirectory, to: path)
        switch Container(existing: path) {
        case .mbtiles:
            throw Failure(
                .badInput, "cannot show '\(path)': browsers cannot read MBTiles",
                remedy: "'tilewright convert' makes PMTiles or a folder of tiles of it")
        case .pmtiles:
            let metadata = try StoredTileset(path).metadata
            return [ViewerPage.Tileset(metadata, path: way, isArchive: true)]
        case .directory: return try floors(of: path, way: way)
        }
    }

    private static func floors(of path: String, way: [String]) throws -> [ViewerPage.Tileset] {
        let floors = try TreeReader.floors(of: path)
        // One that is not there is asked for to hear why.
        return try (floors.isEmpty ? [nil] : floors).sorted(by: isAbove).map { floor in
            let metadata = try StoredTileset(path, floor: floor).metadata
            return ViewerPage.Tileset(metadata, path: way, isArchive: false)
        }
    }

    /// Floors with numbers by their numbers, others by name, behind them.
    private static func isAbove(_ one: String?, _ other: String?) -> Bool {
        let (number, otherNumber) = (one.flatMap(Double.init), other.flatMap(Double.init))
        if let number, let otherNumber, number != otherNumber { return number > otherNumber }
        if (number == nil) != (otherNumber == nil) { return number != nil }
        return one ?? "" < other ?? ""
    }
}
