import Diagnostics
import Tilesets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file beside the tiles that a command writes, whole or not at all.
enum OutputFile {
    /// Writes a file in the place of what has its name.
    ///
    /// - Throws: `.outputRefused` if none can be made, `.inputOutput` if the disk is full.
    static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        try checkPlace(path)
        try WholeFile.write(Array(bytes), to: path)
    }

    /// Refuses a path where no file can be written, before there is anything to write.
    static func checkPlace(_ path: String) throws {
        func refusal(_ why: String) -> Failure {
            Failure(.outputRefused, "cannot write '\(path)': \(why)")
        }
        let (manager, directory) = (FileManager.default, path.parentDirectory)
        var isDirectory = false
        if path.isEmpty { throw refusal("a file needs a name") }
        if WholeFile.isStream(path) { return }
        if manager.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory {
            throw refusal("it is a directory")
        }
        guard manager.fileExists(atPath: directory, isDirectory: &isDirectory), isDirectory else {
            throw refusal("there is no directory '\(directory)'")
        }
        if !manager.isWritableFile(atPath: directory) { throw refusal("permission denied") }
    }

    /// The text of a file, or nil if nothing has that name.
    ///
    /// - Throws: `.missingInput` if it cannot be read.
    static func text(of path: String) throws -> String? {
        try WholeFile.read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a path is another one, or lies below it; also by links.
    static func isInside(_ path: String, _ other: String) -> Bool {
        let (inner, outer) = (CanonicalPath(path), CanonicalPath(other))
        return inner.components.starts(with: outer.components)
    }

    /// Whether two paths lead to the same file, also by a link.
    static func areSame(_ one: String, _ other: String) -> Bool {
        CanonicalPath(one) == CanonicalPath(other)
    }
}
