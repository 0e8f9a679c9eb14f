import CommandSupport
import ArgumentParser
import Platform
import TilewrightKit

/// `tilewright remove`: removes tilesets that this program made.
struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes tiles that tilewright made, and all files that belong to them.")

    @Argument(
        help: ArgumentHelp("A folder of tiles, or an archive.", valueName: "OUTPUT"),
        completion: .tilesets)
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The floor to remove; other floors stay.", valueName: "NAME"))
    var floor: String?

    @Flag(help: "Remove all tilesets of a folder, or an archive.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "The file for the addresses of all tiles and documents that are removed.", valueName: "FILE"),
        completion: .file())
    var changes: String?

    @Option(
        help: ArgumentHelp(
            "Add the same addresses to this file, which keeps them until you take it away.",
            valueName: "FILE"),
        completion: .file())
    var pending: String?

    @OptionGroup var limit: TileLimitOption

    @Flag(name: .shortAndLong, help: "Print only results and errors.")
    var quiet = false

    func validate() throws {
        if all, floor != nil {
            throw Failure(.usage, "--floor and --all cannot be combined")
        }
        if !all, floor == nil {
            throw Failure(
                .usage, "it is not clear what to remove from '\(output)'",
                remedy: "give --floor NAME, or --all")
        }
    }

    func run() async throws {
        try await SignalWatch.run { try remove() }
    }

    private func remove() throws {
        try SoleArgument.refuseManifest(output, remedy: "name the folder or the archive that it builds")
        var removal = try TilesetRemoval(
            output, all ? .all : .floor(floor), changes: changes, pending: pending)
        removal.maxTiles = limit.maxTiles.value
        let summary = try removal.run()
        if quiet { return }
        Console.say(
            "\(summary.tiles.count.counted("tile")) and "
                + "\(summary.documents.count.counted("document")) removed")
    }
}
