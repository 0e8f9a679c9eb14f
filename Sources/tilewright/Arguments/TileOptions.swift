import ArgumentParser
import TilewrightKit

/// What to build.
struct TileOptions: ParsableArguments {
    @Option(
        name: [.customShort("z", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "16-22, 18, 16- (to the native zoom), -20 (from the overview). (default: overview to native)",
            valueName: "MIN-MAX"),
        transform: { try ZoomRange(parsing: $0) })
    var zoom: ZoomRange?

    @OptionGroup var form: TileFormOptions

    func validate() throws { try request.check() }

    /// The request that the options make.
    var request: PyramidRequest {
        var request = form.request
        request.zoom = zoom ?? ZoomRange()
        return request
    }

    /// The names of the options that were given.
    var given: [String] { (zoom == nil ? [] : ["--zoom"]) + form.given }
}
