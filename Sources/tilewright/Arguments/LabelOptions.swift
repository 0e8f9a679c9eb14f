import ArgumentParser

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
}
