import Platform
import Publishing

/// The file of a page of this program.
enum PageFile {
    /// Checks a name.
    ///
    /// - Throws: a `Failure` (`usage`) if it is not one of an HTML file.
    static func checked(_ path: String) throws -> String {
        guard path.hasEnding(".html") || path.hasEnding(".htm") else {
            throw Failure(
                .usage, cannot: "write '\(path)'", "the page is an HTML file",
                remedy: "let its name end in .html")
        }
        return path
    }

    /// Writes a page, whole or not at all.
    ///
    /// Pages of different kinds may have the same name: `plan.html` stands beside `plan.png` and beside
    /// `plan.pmtiles`.
    ///
    /// - Parameters:
    ///   - kind: which pages it may take the place of.
    ///   - isTyped: whether a user named the file.
    ///   - force: write over any page.
    /// - Throws: a `Failure`: `outputRefused` if there is another page, or none can be made; `inputOutput` if
    ///   writing fails.
    static func write(
        _ html: [UInt8], as kind: PageKind, to path: String, isTyped: Bool, force: Bool
    ) throws {
        // It may be a link, and replaces what that leads to.
        if isTyped, FileStatus(at: path) != nil { _ = try checked(WholeFile.followingLink(path)) }
        if !force, let old = try OutputFile.text(of: path), PageKind(of: old) != kind {
            let other = PageKind(of: old).map { "was written by '\($0.command)'" } ?? "is somebody else's"
            throw Failure(
                .outputRefused, cannot: "write '\(path)'", "the page there \(other)",
                remedy: "give another name with -o, or --force to write over it")
        }
        try OutputFile.write(html, to: path, isTyped: isTyped)
    }
}
