import CommandSupport
import Platform

/// Images that are not there, or are no files: what was probably meant.
enum MissingSource {
    /// Refuses names of images that no file has, before anything else is found to be wrong.
    ///
    /// - Parameters:
    ///   - paths: the images.
    ///   - hasOutput: whether the command line says where the tiles go.
    /// - Throws: `.missingInput`.
    static func check(_ paths: [String], hasOutput: Bool) throws {
        guard
            let index = paths.firstIndex(where: { FileStatus(at: $0).map { $0.kind == .directory } ?? true })
        else { return }
        if FileStatus(at: paths[index]) != nil {
            throw Failure(
                .missingInput, "cannot read '\(paths[index])': it is a directory",
                remedy: index > 0 && !hasOutput
                    ? "if the tiles go there, write -o before it"
                    : "name the images in it, as \(paths[index].path(of: "*.png")); tiles in it are copied by "
                        + "tilewright convert \(ShellWord.quoted(paths[index])) OUT")
        }
        do { _ = try InputFile.head(of: paths[index], count: 1) } catch var failure as Failure {
            failure.remedy =
                failure.remedy ?? remedy(for: paths[index], isLater: index > 0, hasOutput: hasOutput)
            throw failure
        }
    }

    private static func remedy(for path: String, isLater: Bool, hasOutput: Bool) -> String? {
        if path == "-" { return "standard input is not read: save the image in a file, and name that" }
        if isLater, Int(path) != nil { return "if it is a zoom: a range is written with a '-', as -z 16-22" }
        if isLater, path.wholeMatch(of: /[-+0-9.]+,[-+0-9.]+/) != nil {
            return
                "if it is a corner: all of them stand in quotes, as --corners \"LON,LAT LON,LAT LON,LAT LON,LAT\""
        }
        if let near = FileNameSuggestion.of(path) { return "did you mean '\(near)'?" }
        return isLater && !hasOutput ? "if the tiles go there, write -o before it" : nil
    }
}
