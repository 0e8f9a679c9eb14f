package import ArgumentParser

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
