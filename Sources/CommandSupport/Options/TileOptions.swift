package import ArgumentParser
package import TilewrightKit

/// What to build.
package struct TileOptions: ParsableArguments {
    @Option(
        name: [.customShort("z", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "16-22, 18, 16- (to the native zoom), -20 (from the overview). (default: overview to native)",
            valueName: "MIN-MAX"),
        transform: { try ZoomRange(parsing: $0) })
    package var zoom: ZoomRange?

    @OptionGroup package var form: TileFormOptions

    package init() {}

    package func validate() throws { try request.check() }

    /// The request that the options make.
    package var request: PyramidRequest {
        var request = form.request
        request.zoom = zoom ?? ZoomRange()
        return request
    }

    /// The names of the options that were given.
    package var given: [String] { (zoom == nil ? [] : ["--zoom"]) + form.given }
}
