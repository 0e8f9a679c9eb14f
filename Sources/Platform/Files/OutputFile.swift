#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file beside the tiles that a command writes, whole or not at all.
package enum OutputFile {
    /// Writes a file in the place of the one that has its name.
    ///
    /// - Parameter isTyped: see `WholeFile.write`.
    /// - Throws: `.outputRefused` if none can be made, `.inputOutput` if the disk is full.
    package static func write(_ bytes: some Sequence<UInt8>, to path: String, isTyped: Bool = true) throws {
        try checkPlace(path)
        try WholeFile.write(Array(bytes), to: path, isTyped: isTyped)
    }

    /// Refuses a path that no file can be written to, before there is anything to write.
    package static func checkPlace(_ path: String) throws {
        func refusal(_ why: String) -> Failure {
            Failure(.outputRefused, "cannot write '\(path)': \(why)")
        }
        if path.isEmpty { throw refusal("a file needs a name") }
        if WholeFile.isStream(path) { return }
        if kind(of: path) == .directory { throw refusal("it is a directory") }
        let directory = path.parentDirectory
        guard kind(of: directory) == .directory else {
            throw refusal("there is no directory '\(directory)'")
        }
        if access(directory, W_OK) != 0 { throw refusal("permission denied") }
    }

    /// Whether a path leads to a folder, also by a link.
    package static func isDirectory(_ path: String) -> Bool { kind(of: path) == .directory }

    /// What a path leads to, also by links; stat(2).
    private static func kind(of path: String) -> FileStatus.Kind? {
        var status = stat()
        return stat(path, &status) == 0 ? FileStatus(status).kind : nil
    }

    /// The text of a regular file that is to be replaced, or nil if nothing has that name.
    ///
    /// - Throws: `.outputRefused` if something else has it, `.badInput` if it is too large for a page.
    package static func text(of path: String) throws -> String? {
        try WholeFile.found(path, atMost: largestText).map { String(decoding: $0, as: UTF8.self) }
    }

    /// More than any page of this program, which may hold pictures of 4096 pixels squared.
    private static let largestText = 1 << 28

    /// Whether a path is another one, or lies below it; also by links.
    package static func isInside(_ path: String, _ other: String) -> Bool {
        let (inner, outer) = (CanonicalPath(path), CanonicalPath(other))
        return inner.components.starts(with: outer.components)
    }

    /// Whether two paths lead to the same file, also by a link of either kind, and where it is mounted twice.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        if CanonicalPath(one) == CanonicalPath(other) { return true }
        guard let one = FileStatus(at: one), let other = FileStatus(at: other) else { return false }
        return one.isSameFile(as: other)
    }
}
