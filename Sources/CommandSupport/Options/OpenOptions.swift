package import ArgumentParser
import Platform
package import TilewrightKit

/// The arguments of `open`, in the program and in the companion that serves.
package struct OpenOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "PDF, SVG, CAD or image files with the floors of one building, or its manifest, or both. (default: "
                + "building.yaml, or all plans in this folder)",
            valueName: "PLAN"),
        completion: .file())
    package var plans: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The address to listen on; port 0 chooses a free port. (default: 127.0.0.1:8080, or a free "
                + "port if another program uses it)",
            valueName: "HOST:PORT"),
        transform: { try ListenAddress($0) })
    package var listen: ListenAddress?

    @OptionGroup package var hosts: HostOptions

    @Flag(help: "Print the address, and open no browser.")
    package var noBrowser = false

    @OptionGroup package var map: MapOptions
    @OptionGroup package var page: PageOptions

    @Flag(name: .shortAndLong, help: "Print only results and errors.")
    package var quiet = false

    package init() {}

    /// The map of the step in which the floors are placed.
    package var placing: PlacingRequest {
        var request = PlacingRequest("")
        map.apply(to: &request)
        request.assets = page.viewerAssets
        return request
    }
}
