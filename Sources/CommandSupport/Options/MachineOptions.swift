package import ArgumentParser
import Codecs
package import TilewrightKit

/// What a run may use of the machine, in memory, threads and work.
package struct MachineOptions: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp("Units of work at a time. (default: all cores)", valueName: "N"))
    package var jobs: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Memory for pixels, as 512M or 2G; what does not fit goes to a scratch file.", valueName: "SIZE"))
    package var memory: ByteSize = ByteSize(BuildResources().memory)

    @Option(
        help: ArgumentHelp("Where scratch files go. (default: next to the output)", valueName: "DIR"),
        completion: .directory)
    package var tmpdir: String?

    @OptionGroup package var tiles: TileLimitOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Refuse to read or render more pixels, as 500M or 20G.", valueName: "N"))
    package var maxPixels: Count = Count(BuildResources().maxPixels)

    package init() {}

    package func validate() throws { try request.check() }

    /// The request that the options make.
    package var request: BuildResources {
        var request = BuildResources()
        request.jobs = jobs
        request.memory = memory.bytes
        request.scratchDirectory = tmpdir
        request.maxTiles = tiles.maxTiles.value
        request.maxPixels = maxPixels.value
        return request
    }
}

extension ByteSize: ExpressibleByArgument {
    package init?(argument: String) { self.init(parsing: argument) }

    package var defaultValueDescription: String { description }
}

extension Count: ExpressibleByArgument {
    package init?(argument: String) { self.init(parsing: argument) }

    package var defaultValueDescription: String { description }
}

/// How many tiles a tileset may have.
package struct TileLimitOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Refuse to make or read more tiles, as 500K or 20M.", valueName: "N"))
    package var maxTiles: Count = Count(BuildResources.standardMaxTiles)

    package init() {}
}

/// Where the commands that write pages find the map library.
package struct PageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A folder with leaflet.js and leaflet.css, to put into the page, so that it works without a "
                + "network.",
            valueName: "DIR"),
        completion: .directory)
    package var viewerAssets: String?

    package init() {}
}

/// The files that shells offer, by the endings of their names; folders are always among them.
extension CompletionKind {
    /// Images, the documents and archives that hold one, and manifests.
    package static var sources: CompletionKind {
        files(ImageFormats.extensions + ["kmz"] + manifestEndings)
    }

    /// Archives of tiles.
    package static var tilesets: CompletionKind { files(archiveEndings) }

    /// Archives of tiles, and manifests.
    package static var tilesetsAndManifests: CompletionKind { files(archiveEndings + manifestEndings) }

    /// All that a view can show, and a server can serve.
    package static var things: CompletionKind {
        files(ImageFormats.extensions + ["kmz"] + archiveEndings + manifestEndings)
    }

    private static let archiveEndings = ["mbtiles", "pmtiles"]
    private static let manifestEndings = ["yaml", "yml"]

    /// Cameras and scanners write endings in capitals.
    private static func files(_ endings: [String]) -> CompletionKind {
        .file(extensions: endings + endings.map { $0.uppercased() })
    }
}
