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
            "The image: \(ImageFormats.namesWithDocuments("or")), or a KMZ with an image. Several images "
                + "become one tileset, later over earlier; @LIST is a file with one image name per line. "
                + "Or the manifest of a building, NAME.yaml.",
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
            "The image: \(ImageFormats.namesWithDocuments("or")), or a KMZ with an image. Or the manifest "
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
        let paths = try arguments.flatMap(SourceList.paths)
        guard let index = paths.firstIndex(where: { FileStatus(at: $0)?.kind ?? .directory == .directory })
        else {
            return paths
        }
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
