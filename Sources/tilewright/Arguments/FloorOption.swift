import ArgumentParser
import Platform

/// The floor that a command is about, of a folder of tiles or a manifest.
struct FloorOption: ParsableArguments {
    @Option(
        name: .customLong("floor"), parsing: .unconditional,
        help: ArgumentHelp(
            "The floor, if a folder of tiles or a manifest has several; BUILDING/FLOOR, if several buildings "
                + "have it.",
            valueName: "NAME"))
    var name: String?

    /// Refuses the option where there are no floors.
    ///
    /// - Parameter place: where that is, as the error names it.
    /// - Throws: `.usage`.
    func refuse(_ place: String) throws(Failure) {
        if name == nil { return }
        throw Failure(
            .usage, "--floor has no meaning \(place)",
            remedy: "leave it out, or name a folder of tiles or a manifest that has floors")
    }
}
