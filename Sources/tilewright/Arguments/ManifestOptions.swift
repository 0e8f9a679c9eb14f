import ArgumentParser
import Platform
import TilewrightKit

/// A manifest among the arguments of a command.
enum ManifestArgument {
    /// The manifest; nil if no argument is one.
    ///
    /// - Throws: `.usage` if something stands beside it.
    static func only(of paths: [String]) throws(Failure) -> String? {
        guard let manifest = paths.first(where: Manifest.isManifest) else { return nil }
        guard let other = paths.first(where: { $0 != manifest }) ?? paths.dropFirst().first else {
            return manifest
        }
        throw Failure(
            .usage, "'\(manifest)' is a manifest, and '\(other)' stands beside it",
            remedy: "name a manifest alone; 'buildings:' in one lists others")
    }

    /// Refuses a manifest.
    ///
    /// - Parameter remedy: what to name in its place.
    /// - Throws: `.usage`.
    static func refuse(_ path: String, remedy: String) throws(Failure) {
        guard Manifest.isManifest(path) else { return }
        throw Failure(.usage, "'\(path)' is a manifest, and this command takes none", remedy: remedy)
    }
}

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
            remedy: option == "--floor"
                ? "to build some of the floors: --only FLOOR,..."
                : "leave it out, or write it into the manifest")
    }
}
