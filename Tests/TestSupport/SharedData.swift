package import Foundation

/// Real data next to the project, which are not part of it. Tests that read them are skipped without them.
package enum SharedData {
    /// The package's own root directory.
    package static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// `../shared`, if it is present.
    package static let root: URL? = {
        let url = packageRoot.deletingLastPathComponent().appending(path: "shared")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }()

    /// Whether the data are present: the condition of the tests that read them.
    package static var isPresent: Bool { root != nil }

    /// A file or folder of the data.
    package static func url(_ path: String) throws -> URL {
        guard let root else { throw CocoaError(.fileNoSuchFile) }
        return root.appending(path: path)
    }
}
