import CommandSupport
import ArgumentParser
import TilewrightKit

/// How many resources a run may use.
struct RunOptions: ParsableArguments {
    @OptionGroup var machine: MachineOptions

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Refuse to make more tiles.", valueName: "N"))
    var maxTiles: Count = Count(BuildResources().maxTiles)

    func validate() throws { try request.check() }

    /// The request that the options make.
    var request: BuildResources {
        var request = machine.request
        request.maxTiles = maxTiles.value
        return request
    }
}
