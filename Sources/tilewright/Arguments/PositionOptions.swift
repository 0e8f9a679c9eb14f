import ArgumentParser
import TilewrightKit

/// Where the image lies.
struct PositionOptions: ParsableArguments {
    @OptionGroup var place: PlaceOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The compass bearing of the image's up direction, clockwise from north; with --anchor. "
                + "(default: 0)",
            valueName: "DEGREES"))
    var bearing: Double?

    /// The request that the options make.
    ///
    /// - Throws: `.usage` if more than one option says where the image lies.
    func request() throws -> PositionRequest {
        var values = place.values
        values.bearing = bearing
        return try values.request()
    }

    /// The names of the options that were given.
    var given: [String] { place.given + (bearing == nil ? [] : ["--bearing"]) }
}
