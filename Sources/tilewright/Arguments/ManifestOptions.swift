import ArgumentParser
import Diagnostics

/// What a command takes beside a manifest alone.
struct ManifestOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Of a manifest: build these floors only, and remove none.", valueName: "FLOOR,..."))
    var only: String?

    /// The floors; nil for all.
    var floors: [String]? {
        only.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// Refuses options that a manifest says itself.
    ///
    /// - Throws: `.usage`.
    static func refuse(_ given: [String], beside manifest: String) throws(Failure) {
        guard let option = given.first else { return }
        throw Failure(
            .usage, "\(option) has no meaning beside '\(manifest)', which says that itself",
            remedy: "leave it out, or write it into the manifest")
    }
}
