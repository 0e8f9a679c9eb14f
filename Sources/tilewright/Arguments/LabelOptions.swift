import ArgumentParser
import TilewrightKit

/// What is said of a tileset.
struct LabelOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A name for people. (default: the image's, or that of the tileset)", valueName: "TEXT"))
    var name: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Whom to credit.", valueName: "TEXT"))
    var attribution: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("What the tileset shows.", valueName: "TEXT"))
    var description: String?

    /// What is asked for.
    var request: TilesetLabels {
        var labels = TilesetLabels()
        labels.name = name
        labels.attribution = attribution
        labels.description = description
        return labels
    }
}
