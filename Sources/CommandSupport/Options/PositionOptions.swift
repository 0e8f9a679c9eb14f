package import ArgumentParser
package import TilewrightKit

/// Where the image lies.
package struct PositionOptions: ParsableArguments {
    @OptionGroup package var place: PlaceOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The compass bearing of the image's up direction, clockwise from north; with --anchor. "
                + "(default: 0)",
            valueName: "DEGREES"))
    package var bearing: Double?

    package init() {}

    /// The request that the options make.
    ///
    /// - Throws: `.usage` if more than one option says where the image lies.
    package func request() throws -> PositionRequest {
        var values = place.values
        values.bearing = bearing
        return try values.request()
    }

    /// The names of the options that were given.
    package var given: [String] { place.given + (bearing == nil ? [] : ["--bearing"]) }
}
