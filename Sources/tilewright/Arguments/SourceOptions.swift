import ArgumentParser
import Codecs
import CommandSupport
import Platform
import TilewrightKit
import Tilesets

/// The images of a build.
struct SourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The image: \(ImageFormats.namesWithDocuments("or")), or a KMZ with an image; or its address, "
                + "https://HOST/NAME or s3://BUCKET/KEY. Several images become one tileset, later over "
                + "earlier; @LIST is a file with one image name per line. Or the manifest of a building, "
                + "NAME.yaml.",
            valueName: "source"),
        completion: .sources)
    var sources: [String]

    /// The manifest, if the only source is one.
    ///
    /// - Throws: `.usage` if a manifest is not the only source.
    func manifest() throws(Failure) -> String? { try SoleArgument.manifest(of: sources) }

    /// The images' names, including those in lists.
    ///
    /// - Parameter hasOutput: whether the command line says where the tiles go.
    /// - Throws: `Failure` if a list cannot be read, or has no names, or an image is missing.
    func paths(hasOutput: Bool = true) throws -> [String] {
        try SourceList.images(sources, hasOutput: hasOutput)
    }

    /// The paths of the lists.
    var lists: [String] { sources.compactMap(SourceList.path) }
}

/// The image that a command describes or places.
struct SourceOption: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The image: \(ImageFormats.namesWithDocuments("or")), or a KMZ with an image; or its address, "
                + "https://HOST/NAME or s3://BUCKET/KEY. Or the manifest "
                + "of a building, NAME.yaml.",
            valueName: "source"),
        completion: .sources)
    var source: String
}

/// A text file with the name of an image on each line.
enum SourceList {
    /// The names in the file if the argument begins with `@`, otherwise the argument itself. Names in the
    /// file are relative to the working folder.
    static func paths(_ argument: String) throws -> [String] {
        guard let list = path(argument) else { return [argument] }
        let names = try text(of: list).split(whereSeparator: \.isNewline).map { String($0.trimmed) }
            .filter { !$0.isEmpty }
        guard !names.isEmpty else {
            throw Failure(.badInput, "the list '\(list)' contains no names")
        }
        return names
    }

    /// The list that an argument names; nil if it is not a list.
    static func path(_ argument: String) -> String? {
        argument.hasPrefix("@") ? String(argument.dropFirst()) : nil
    }

    private static func text(of path: String) throws -> String {
        guard let bytes = try WholeFile.read(path) else {
            throw Failure(
                .missingInput, "cannot read the list '\(path)': there is no such file",
                remedy:
                    "a source that begins with @ is a list; for an image of that name, write ./@NAME")
        }
        guard let text = String(validating: TextEncoding.utf8(bytes), as: UTF8.self) else {
            throw Failure(.badInput, "cannot read the list '\(path)': it is not text in UTF-8 or UTF-16")
        }
        return text
    }
}

extension SourceList {
    /// The names of images, including those in lists. Missing files are reported before any other error.
    ///
    /// - Parameters:
    ///   - arguments: images and lists.
    ///   - hasOutput: whether the command line says where the tiles go.
    /// - Throws: `Failure` if a list cannot be read, or has no names; `.missingInput` for an image.
    static func images(_ arguments: [String], hasOutput: Bool) throws -> [String] {
        let paths = try arguments.flatMap(SourceList.paths).map(FarSources.name)
        guard
            let index = paths.firstIndex(where: {
                !FarFiles.isAddress($0) && FileStatus(at: $0)?.kind ?? .directory == .directory
            })
        else { return paths }
        let path = paths[index]
        if FileStatus(at: path) != nil {
            throw Failure(
                .missingInput, "cannot read '\(path)': it is a folder",
                remedy: index > 0 && !hasOutput
                    ? "if the tiles go there, write -o before it"
                    : "name the images in it, such as \(path.path(of: "*.png")); to copy tiles in it, run "
                        + "tilewright convert \(ShellWord.quoted(path)) OUT")
        }
        do { _ = try InputFile.head(of: path, count: 1) } catch var failure as Failure {
            failure.remedy = failure.remedy ?? remedy(for: path, isLater: index > 0, hasOutput: hasOutput)
            throw failure
        }
        return paths
    }

    /// What was probably meant by the name of a missing file.
    private static func remedy(for path: String, isLater: Bool, hasOutput: Bool) -> String? {
        if path == "-" { return "standard input is not supported: save the image in a file, and name that" }
        if isLater, Int(path) != nil { return "if it is a zoom: write a range with a '-', such as -z 16-22" }
        if isLater, path.wholeMatch(of: /[-+0-9.]+,[-+0-9.]+/) != nil {
            return
                "if it is a corner: quote all corners together, --corners \"LON,LAT LON,LAT LON,LAT LON,LAT\""
        }
        if let near = FileNameSuggestion.of(path) { return "did you mean '\(near)'?" }
        return isLater && !hasOutput ? "if the tiles go there, write -o before it" : nil
    }
}

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
