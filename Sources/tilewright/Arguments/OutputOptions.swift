public import ArgumentParser
import CommandSupport
import Platform
import Tilesets
public import TilewrightKit
import Tiling

/// The place of the tiles, their names, and the tileset's description.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The folder for the tiles, or a single file for all: NAME.mbtiles or NAME.pmtiles.",
            valueName: "OUTPUT"),
        completion: .tilesets)
    var output: String?

    @Option(
        help: ArgumentHelp(
            "File names: {z} {x} {y} {-y} {ext} {floor} {quadkey}. (default: \(TileTemplate.standard))",
            valueName: "TEMPLATE"))
    var template: String?

    // The first basement is often called -1.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The floor that the image shows; fills {floor}.", valueName: "NAME"))
    var floor: String?

    @OptionGroup var labels: LabelOptions

    @Option(
        help: ArgumentHelp(
            "The future address of OUTPUT on the web; makes the addresses in TileJSON absolute.",
            valueName: "URL"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "Also write doc.kml for Google Earth: a single overlay, or a superoverlay of the tiles. "
                + "(default: none)",
            valueName: "overlay|superoverlay"))
    var docKml: OutputRequest.DocKML?

    @Option(
        help: ArgumentHelp(
            "The file for the addresses of all tiles and documents that this run adds, changes or removes.",
            valueName: "FILE"),
        completion: .file())
    var changes: String?

    @Option(
        help: ArgumentHelp(
            "Add the same addresses to this file, which keeps them until you take it away.",
            valueName: "FILE"),
        completion: .file())
    var pending: String?

    @Option(
        help: ArgumentHelp(
            "The file for a Makefile fragment, in which the output depends on the image and the files next "
                + "to it.",
            valueName: "FILE"),
        completion: .file())
    var depfile: String?

    @Flag(help: "Overwrite an output not made by tilewright, or made from other images; other files stay.")
    var force = false

    @Flag(help: "Report success only when everything is on the disk.")
    var fsync = false

    func validate() throws { if output != nil { try request(scheme: .xyz).check() } }

    /// The names of the options that were given and describe the output, without those that control the run.
    var given: [String] {
        [
            output.map { _ in "--output" }, template.map { _ in "--template" }, floor.map { _ in "--floor" },
            url.map { _ in "--url" }, docKml.map { _ in "--doc-kml" },
        ].compactMap(\.self) + labels.given
    }

    /// The options as a request.
    ///
    /// - Throws: `.usage` if there is no place for the tiles.
    func request(scheme: TileScheme) throws -> OutputRequest {
        guard let output else {
            throw Failure(
                .usage, "missing '--output <OUTPUT>', the place of the tiles",
                remedy: "name a folder, or a file that ends in .pmtiles or .mbtiles")
        }
        var request = OutputRequest(output)
        if let template { request.template = template }
        request.scheme = scheme
        request.floor = floor
        request.labels = labels.request
        request.url = url
        request.docKML = docKml
        request.changes = changes
        request.pending = pending
        request.depfile = depfile
        request.force = force
        request.fsync = fsync
        return request
    }
}

extension OutputRequest.DocKML: ExpressibleByArgument {}

/// The tileset's description of itself.
struct LabelOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The tileset's name for display. (default: the name of the input)",
            valueName: "TEXT"))
    var name: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The credit shown on maps.", valueName: "TEXT"))
    var attribution: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("A description of the tileset.", valueName: "TEXT"))
    var description: String?

    /// The names of the options that were given.
    var given: [String] {
        [
            name.map { _ in "--name" }, attribution.map { _ in "--attribution" },
            description.map { _ in "--description" },
        ].compactMap(\.self)
    }

    /// The labels that the options give.
    var request: TilesetLabels {
        var labels = TilesetLabels()
        labels.name = name
        labels.attribution = attribution
        labels.description = description
        return labels
    }
}
