/// A path of something below a folder, as a document in that folder names it: joined to the folder, it does not lead
/// out of it.
///
/// Whatever was read from a file becomes such a path before anything is opened or removed by it, and the check is the
/// only way to make one. It is about names. A link below the folder can lead out of it as well: `Directory` follows
/// none.
package struct ContainedPath: Hashable, Sendable {
    /// The path, components joined by `/`.
    package let text: String

    /// The longest path, and the longest component of one, in bytes: PATH_MAX less its NUL, and NAME_MAX.
    private static let longestPath = 4095
    private static let longestComponent = 255

    /// Checks a path: it is relative, has no control character, and no component is empty, `.`, `..` or too long.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longestPath,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
            Self.components(of: text).allSatisfy(Self.isName)
        else { return nil }
        self.text = text
    }

    /// Takes a path from a document.
    ///
    /// - Throws: `.badInput` that names the document and the path, if it could lead out of the document's folder.
    package init(_ text: String, readFrom document: String) throws(Failure) {
        guard let path = ContainedPath(text) else {
            throw Failure(
                .badInput, cannot: "use '\(document)'",
                "it names '\(text.excerpt(60))', which is not a path below its folder",
                remedy: "it was not made so by this program: make it again, or remove it")
        }
        self = path
    }

    /// The names of the folders on the way, and last that of the thing itself.
    package var components: [String] { Self.components(of: text) }

    /// Whether it is the name of something in the folder itself.
    package var isName: Bool { !text.utf8.contains(UInt8(ascii: "/")) }

    /// Bytes are compared, as the system does: see `String.splitAtLastSlash`.
    private static func components(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }

    private static func isName(_ component: String) -> Bool {
        !["", ".", ".."].contains(component) && component.utf8.count <= longestComponent
    }
}

extension String {
    /// The path of something below this directory.
    package func path(of path: ContainedPath) -> String { self.path(of: path.text) }
}
