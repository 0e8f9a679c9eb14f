import Diagnostics

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file beside the tiles that a command writes, whole or not at all.
enum OutputFile {
    /// Writes a file in the place of what has its name.
    ///
    /// - Throws: `.outputRefused` with what the system says.
    static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        try checkPlace(path)
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Failure(.outputRefused, "cannot write '\(path)': \(error.reason)")
        }
    }

    /// Refuses a path where no file can be written, before there is anything to write.
    static func checkPlace(_ path: String) throws {
        func refusal(_ why: String) -> Failure {
            Failure(.outputRefused, "cannot write '\(path)': \(why)")
        }
        let (manager, directory) = (FileManager.default, path.parentDirectory)
        var isDirectory = false
        if path.isEmpty { throw refusal("a file needs a name") }
        if manager.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory {
            throw refusal("it is a directory")
        }
        guard manager.fileExists(atPath: directory, isDirectory: &isDirectory), isDirectory else {
            throw refusal("there is no directory '\(directory)'")
        }
        if !manager.isWritableFile(atPath: directory) { throw refusal("permission denied") }
    }

    /// The text of a file, or nil where nothing has that name.
    ///
    /// - Throws: `.missingInput` where it cannot be read.
    static func text(of path: String) throws -> String? {
        do {
            return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        } catch {
            throw Failure(.missingInput, "cannot read '\(path)': \(error.reason)")
        }
    }

    /// Whether a path is another one, or lies below it; also by links.
    static func isInside(_ path: String, _ other: String) -> Bool {
        let outer = URL(filePath: other).resolvingSymlinksInPath().pathComponents
        let directory = URL(filePath: path.parentDirectory).resolvingSymlinksInPath()
        return areSame(path, other) || directory.pathComponents.starts(with: outer)
    }

    /// Whether two paths lead to the same file, also by a link.
    static func areSame(_ one: String, _ other: String) -> Bool {
        URL(filePath: one).resolvingSymlinksInPath()
            == URL(filePath: other).resolvingSymlinksInPath()
    }
}

extension Error {
    /// What the system says was wrong.
    fileprivate var reason: String {
        guard let error = self as? CocoaError else { return "\(self)" }
        switch error.code {
        case .fileWriteNoPermission, .fileReadNoPermission: return "permission denied"
        case .fileNoSuchFile: return "no such directory"
        case .fileWriteOutOfSpace: return "no space left on device"
        case .fileReadUnknown: return "it is no file"
        default: return "error \(error.code.rawValue) of the system"
        }
    }
}
