package import ArgumentParser
import Platform
package import TilewrightKit
package import Tiling

/// The options for the map in a page in which plans are placed.
package struct MapOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The place that the map shows first. (default: the position of the image, or of its camera in "
                + "EXIF, or of --over)",
            valueName: "LON,LAT"),
        transform: { try Point(parsingPlace: $0) })
    package var near: Point?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A layer to align the plan with, such as the floor below: tiles in any container, outlines in "
                + "GeoJSON, KML or KMZ, or another image with a position. Repeat the option for more; later "
                + "over earlier.",
            valueName: "INPUT"),
        completion: .file())
    package var over: [String] = []

    @Option(
        help: ArgumentHelp(
            "The map under the plan: the address of its tiles with {z}, {x} and {y}, or the word none. "
                + "(default: OpenStreetMap)",
            valueName: "URL"))
    package var basemap: String?

    package init() {}

    /// The names of the options that were given.
    package var given: [String] {
        [
            near.map { _ in "--near" }, over.isEmpty ? nil : "--over", basemap.map { _ in "--basemap" },
        ].compactMap(\.self)
    }

    /// Puts the options into a request.
    package func apply(to request: inout PlacingRequest) {
        request.near = near
        request.layers = over
        request.background =
            switch basemap {
            case nil: .openStreetMap
            case "none": .none
            case let address?: .tiles(address)
            }
    }
}
