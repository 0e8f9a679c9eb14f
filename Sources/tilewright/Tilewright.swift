import Diagnostics
import ArgumentParser
import TilewrightKit
import Dispatch

/// The program: commands are declarations, errors become one line and an exit status here.
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
            """,
        version: Version.current,
        subcommands: [
            BuildCommand.self, InfoCommand.self, FitCommand.self, VerifyCommand.self,
            ConvertCommand.self, RemoveCommand.self, SnippetCommand.self, ViewerCommand.self,
            TileCommand.self, CameraCommand.self, SnapshotCommand.self, PlaceCommand.self,
        ],
        defaultSubcommand: BuildCommand.self)

    /// Looks at what the system grants while there is only one thread; an asynchronous `main` begins
    /// with more, and would wait for them for ever.
    static func main() {
        StandardStreams.prepare()
        BugStatus.install()
        do throws(Failure) { try ArgumentText.check() } catch { ExitStatus.exit(after: error) }
        do { try ProcessLimits.check() } catch { ExitStatus.exit(after: error) }
        Task { @MainActor in
            await runCommand()
            ExitStatus.exit()
        }
        dispatchMain()
    }

    private static func runCommand() async {
        let parsed: any ParsableCommand
        do { parsed = try parseAsRoot() } catch { ExitStatus.exit(afterParsing: error) }
        do {
            var command = parsed
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            ExitStatus.exit(after: error)
        }
    }
}
