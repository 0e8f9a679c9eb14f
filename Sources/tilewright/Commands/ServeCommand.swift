import ArgumentParser
import CommandSupport

/// `tilewright serve`: serves tiles over HTTP. The companion `tilewright-serve` does it.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves tilesets, images and buildings over HTTP, to look at them.")

    @OptionGroup var options: ServeOptions

    func run() throws {
        // Those behind the command's name.
        try Companion.become(
            ServeOptions.companion, arguments: Array(CommandLine.arguments.dropFirst(2)), to: "serve")
    }
}
