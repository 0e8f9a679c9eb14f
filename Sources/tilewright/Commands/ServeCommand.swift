import ArgumentParser
import CommandSupport

/// `tilewright serve`: serves tiles over HTTP. The companion `tilewright-serve` does it.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves tilesets, images and buildings over HTTP, to look at them.")

    @OptionGroup var options: ServeOptions

    func run() throws {
        let words = try ProgramArguments.words()
        // Those behind the command's name.
        try Companion.become(ServeOptions.companion, arguments: Array(words.dropFirst()), to: "serve")
    }
}
