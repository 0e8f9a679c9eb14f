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
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Failure(.outputRefused, "cannot write '\(path)': \(error.reason)")
        }
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
        default: return "\(error.code)"
        }
    }
}
