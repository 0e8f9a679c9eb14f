import ArgumentParser
import CommandSupport
import TilewrightKit

/// The program and its commands.
@main
struct Tilewright: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tilewright",
        abstract: "Turns a floor plan, or any georeferenced image, into map tiles.",
        discussion: """
            The first plan:
              tilewright plan.png --corners "LON,LAT LON,LAT LON,LAT LON,LAT" -o tiles
            The corners are those of the image as drawn: top left, top right, bottom right, bottom \
            left. 'build' is the default command: 'tilewright build --help' lists its options.

            'tilewright --version --verbose' also lists libraries, SIMD kernels and the data of PROJ.
            """,
        version: Version.current,
        subcommands: [
            BuildCommand.self, InfoCommand.self, FitCommand.self, VerifyCommand.self,
            ConvertCommand.self, DiffCommand.self, PatchCommand.self, RemoveCommand.self, SnippetCommand.self,
            ViewerCommand.self, ShareCommand.self, PublishCommand.self,
            TileCommand.self, CameraCommand.self, SnapshotCommand.self, PlaceCommand.self, ServeCommand.self,
            OpenCommand.self,
            SplitCommand.self, ShardCommand.self, MergeCommand.self,
        ],
        defaultSubcommand: BuildCommand.self)

    static func main() {
        // Commands with options for reports replace it.
        CADReporter.begin()
        CommandProgram.main(Self.self)
    }
}

/// `tilewright serve`: becomes the companion `tilewright-serve`, which serves tiles over HTTP.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves tilesets, images and buildings over HTTP, for viewing.")

    @OptionGroup var options: ServeOptions

    func run() throws {
        // The first word is the command's name, as the companion knows it, too.
        try Companion.become(ServeOptions.companion, arguments: ProgramArguments.words(), to: "serve")
    }
}

/// `tilewright open`: becomes the companion, which guides from drawings to a page for colleagues.
struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Makes the tiles of a building in the browser, from its drawings to a page for colleagues.")

    @OptionGroup var options: OpenOptions

    func run() throws {
        try Companion.become(ServeOptions.companion, arguments: ProgramArguments.words(), to: "open the page")
    }
}
