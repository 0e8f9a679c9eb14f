package import ArgumentParser
package import TilewrightKit

/// How many tiles a tileset may have.
package struct TileLimitOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Refuse to make or read more tiles, as 500K or 20M.", valueName: "N"))
    package var maxTiles: Count = Count(BuildResources.standardMaxTiles)

    package init() {}
}
