import CommandSupport
import ArgumentParser
import TilewrightKit

/// Where the image of a view lies. `--bearing` is the camera's there.
struct ViewedPositionOptions: ParsableArguments {
    @OptionGroup var place: PlaceOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The compass bearing of the image's up direction, clockwise from north; with --anchor. "
                + "(default: 0)",
            valueName: "DEGREES"))
    var anchorBearing: Double?

    /// The request that the options make.
    ///
    /// - Throws: `.usage` if more than one option says where the image lies.
    func request() throws -> PositionRequest {
        var values = place.values
        values.bearing = anchorBearing
        return try values.request(bearingOption: "--anchor-bearing")
    }

    /// The names of the options that were given.
    var given: [String] { place.given + (anchorBearing == nil ? [] : ["--anchor-bearing"]) }
}
