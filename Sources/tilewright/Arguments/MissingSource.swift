import CommandSupport
import Diagnostics
import Files

/// Images that are not there: what was probably meant.
enum MissingSource {
    /// Refuses names of images that no file has, before anything else is found to be wrong.
    ///
    /// - Parameters:
    ///   - paths: the images.
    ///   - hasOutput: whether the command line says where the tiles go.
    /// - Throws: `.missingInput`.
    static func check(_ paths: [String], hasOutput: Bool) throws {
        guard let index = paths.firstIndex(where: { FileStatus(at: $0) == nil }) else { return }
        do { _ = try InputFile.head(of: paths[index], count: 1) } catch var failure as Failure {
            failure.remedy =
                failure.remedy ?? remedy(for: paths[index], isLater: index > 0, hasOutput: hasOutput)
            throw failure
        }
    }

    private static func remedy(for path: String, isLater: Bool, hasOutput: Bool) -> String? {
        if isLater, Int(path) != nil { return "if it is a zoom: a range is written with a '-', as -z 16-22" }
        if let near = NearFile.of(path) { return "did you mean '\(near)'?" }
        return isLater && !hasOutput ? "if the tiles go there, write -o before it" : nil
    }
}
