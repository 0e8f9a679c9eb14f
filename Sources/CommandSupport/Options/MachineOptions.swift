package import ArgumentParser
import Codecs
package import TilewrightKit

/// Limits of a run: memory, threads and work.
package struct MachineOptions: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "The number of parallel jobs. (default: one per core; in a recipe of make that begins with '+', as "
                + "many as 'make -j' has free)",
            valueName: "N"))
    package var jobs: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Memory for pixels, such as 512M or 2G; the rest goes to a scratch file.", valueName: "SIZE"))
    package var memory: ByteSize = ByteSize(BuildResources().memory)

    @Option(
        help: ArgumentHelp(
            "The folder for scratch files. (default: next to the output; for 'shard', JOB/shards; without an "
                + "output, TMPDIR or /tmp for KMZ, SVG, CAD and images at addresses, otherwise the working folder)",
            valueName: "DIR"),
        completion: .directory)
    package var tmpdir: String?

    @OptionGroup package var tiles: TileLimitOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Refuse to read or render more pixels than this, such as 500M.", valueName: "N"))
    package var maxPixels: Count = Count(BuildResources().maxPixels)

    package init() {}

    package func validate() throws { try request.check() }

    /// The options as a request.
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

/// The largest number of tiles in a tileset.
package struct TileLimitOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Refuse to make or read more tiles than this, such as 500K.", valueName: "N"))
    package var maxTiles: Count = Count(BuildResources.standardMaxTiles)

    package init() {}
}

/// The place of the map library, for commands that write pages.
package struct PageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A folder with leaflet.js and leaflet.css. They are put into the page, which then works "
                + "without a network, except for the background map. (default: those of the package "
                + "libjs-leaflet; if it is not installed, the page loads them from the web)",
            valueName: "DIR"),
        completion: .directory)
    package var viewerAssets: String?

    package init() {}
}

/// The files that shells offer, by the endings of their names. Shells always offer folders, too.
extension CompletionKind {
    /// Images, documents, KMZ files and manifests.
    package static var sources: CompletionKind {
        files(ImageFormats.extensions + ["kmz"] + manifestEndings)
    }

    /// Archives of tiles.
    package static var tilesets: CompletionKind { files(archiveEndings) }

    /// Archives of tiles, and manifests.
    package static var tilesetsAndManifests: CompletionKind { files(archiveEndings + manifestEndings) }

    /// All inputs that a view can show and a server can serve.
    package static var inputs: CompletionKind {
        files(ImageFormats.extensions + ["kmz"] + archiveEndings + manifestEndings)
    }

    private static let archiveEndings = ["mbtiles", "pmtiles"]
    private static let manifestEndings = ["yaml", "yml"]

    /// Cameras and scanners write endings in capitals.
    private static func files(_ endings: [String]) -> CompletionKind {
        .file(extensions: endings + endings.map { $0.uppercased() })
    }
}
