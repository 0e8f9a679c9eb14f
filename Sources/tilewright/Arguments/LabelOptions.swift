import ArgumentParser
import TilewrightKit

/// What a tileset says about itself.
struct LabelOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A name for people. (default: the image's or the tileset's)", valueName: "TEXT"))
    var name: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Whom to credit.", valueName: "TEXT"))
    var attribution: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("What the tileset shows.", valueName: "TEXT"))
    var description: String?

    /// The names of the options that were given.
    var given: [String] {
        [
            name.map { _ in "--name" }, attribution.map { _ in "--attribution" },
            description.map { _ in "--description" },
        ].compactMap(\.self)
    }

    /// The labels that the options give.
    var request: TilesetLabels {
        var labels = TilesetLabels()
        labels.name = name
        labels.attribution = attribution
        labels.description = description
        return labels
    }
}
