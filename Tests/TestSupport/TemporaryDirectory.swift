package import Foundation

/// A directory that exists as long as this object.
package final class TemporaryDirectory: Sendable {
    /// Its location.
    package let url: URL

    /// Makes an empty directory with a unique name.
    package init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "tilewright-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file inside.
    package func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a text file inside, and returns its path.
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }

    /// Removes a file, or a directory with its contents.
    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }

    /// Paths of all regular files below, relative to the directory, sorted.
    package func files() throws -> [String] {
        let manager = FileManager.default
        return try manager.subpathsOfDirectory(atPath: url.path).filter { name in
            let attributes = try? manager.attributesOfItem(atPath: path(name))
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }.sorted()
    }
}
