import ArgumentParser
import Platform
import TilewrightKit

/// Options that only apply to a manifest.
struct ManifestOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With a manifest: build only these floors; floors that are no longer in the manifest are kept.",
            valueName: "FLOOR,..."))
    var only: String?

    /// The floors; nil for all.
    var floors: [String]? {
        only.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// Refuses options whose values are set in the manifest.
    ///
    /// - Throws: `.usage`.
    static func refuse(_ given: [String], nextTo manifest: String) throws(Failure) {
        guard let option = given.first else { return }
        throw Failure(
            .usage, "\(option) cannot be combined with the manifest '\(manifest)'",
            remedy: option == "--floor"
                ? "to build some of the floors: --only FLOOR,..."
                : "leave it out, or set it in the manifest")
    }
}

/// Manifests and finished tilesets in the arguments of a command: each must be the only argument.
enum SoleArgument {
    /// The manifest; nil if no argument is one.
    ///
    /// - Throws: `.usage` if there is another argument.
    static func manifest(of paths: [String]) throws(Failure) -> String? {
        try sole(
            paths, Manifest.isManifest, "a manifest",
            remedy: "name only the manifest; its 'buildings:' can list other manifests")
    }

    /// The tileset; nil if no argument is one.
    ///
    /// - Throws: `.usage` if there is another argument.
    static func tileset(of paths: [String]) throws(Failure) -> String? {
        try sole(paths, StoredTileset.isTileset, "a tileset", remedy: "name one tileset, or images only")
    }

    private static func sole(
        _ paths: [String], _ isOfKind: (String) -> Bool, _ kind: String, remedy: String
    ) throws(Failure) -> String? {
        guard let path = paths.first(where: isOfKind) else { return nil }
        guard let other = paths.first(where: { $0 != path }) ?? paths.dropFirst().first else { return path }
        throw Failure(.usage, "'\(path)' is \(kind) and cannot be combined with '\(other)'", remedy: remedy)
    }

    /// Refuses a manifest.
    ///
    /// - Parameter remedy: what to name instead.
    /// - Throws: `.usage`.
    static func refuseManifest(_ path: String, remedy: String) throws(Failure) {
        guard Manifest.isManifest(path) else { return }
        throw Failure(.usage, "'\(path)' is a manifest, and this command takes none", remedy: remedy)
    }

    /// Refuses options that are for images.
    ///
    /// - Throws: `.usage`.
    static func refuse(_ given: [String], besideTileset path: String) throws(Failure) {
        guard let option = given.first else { return }
        throw Failure(
            .usage, "\(option) does not apply to '\(path)', whose tiles are already made",
            remedy: "leave it out, or name the image that the tiles were made of")
    }
}

/// The floor to use from a folder of tiles or a manifest.
struct FloorOption: ParsableArguments {
    @Option(
        name: .customLong("floor"), parsing: .unconditional,
        help: ArgumentHelp(
            "The floor, if a folder of tiles or a manifest has several. If several buildings have a floor "
                + "of this name: BUILDING/FLOOR.",
            valueName: "NAME"))
    var name: String?

    /// Refuses the option where there are no floors.
    ///
    /// - Parameter place: the end of the error, such as `without tiles`.
    /// - Throws: `.usage`.
    func refuse(_ place: String) throws(Failure) {
        if name == nil { return }
        throw Failure(
            .usage, "--floor does not apply \(place)",
            remedy: "leave it out, or name a folder of tiles or a manifest that has floors")
    }
}
