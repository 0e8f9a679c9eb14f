public import ArgumentParser
import CommandSupport
import Platform
import Tilesets
public import TilewrightKit
import Tiling

/// Where the tiles go, how they are named, and what the tileset says about itself.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The directory for the tiles, or one file for all, NAME.mbtiles or NAME.pmtiles.",
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
            "Where OUTPUT will be found on the web; makes TileJSON's addresses absolute.",
            valueName: "URL"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "Also write doc.kml for Google Earth: one overlay of the whole, or a superoverlay of the tiles. "
                + "(default: none)",
            valueName: "overlay|superoverlay"))
    var docKml: OutputRequest.DocKML?

    @Option(
        help: ArgumentHelp(
            "List the addresses of tiles and documents that this run adds, changes and removes.",
            valueName: "FILE"),
        completion: .file())
    var changes: String?

    @Option(
        help: ArgumentHelp(
            "Write a Makefile fragment: the output depends on the image and the files next to it.",
            valueName: "FILE"),
        completion: .file())
    var depfile: String?

    @Flag(
        help: """
            Write into a directory that tilewright did not make (its other files stay), or replace a file \
            that it did not make, or tiles of other images.
            """)
    var force = false

    @Flag(help: "Report success only once everything is on the disk.")
    var fsync = false

    func validate() throws { if output != nil { try request(scheme: .xyz).check() } }

    /// The names of the options that were given of those that say what goes where; not of those that say how
    /// to run.
    var given: [String] {
        [
            output.map { _ in "--output" }, template.map { _ in "--template" }, floor.map { _ in "--floor" },
            url.map { _ in "--url" }, docKml.map { _ in "--doc-kml" },
        ].compactMap(\.self) + labels.given
    }

    /// The request that the options make.
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
        request.depfile = depfile
        request.force = force
        request.fsync = fsync
        return request
    }
}

extension OutputRequest.DocKML: ExpressibleByArgument {}

/// What a tileset says about itself.
struct LabelOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A name for people. (default: the image's or the tileset's)", valueName: "TEXT"))
    var name: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Whom to credit.", valueName: "TEXT"))
    var attribution: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("What the tileset shows.", valueName: "TEXT"))
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
