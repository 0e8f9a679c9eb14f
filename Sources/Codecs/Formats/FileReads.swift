import CCodec
import Synchronization

/// Which parts of files are read, of those that readers read in any order: TIFFs.
package final class FileReads: Sendable {
    /// The bytes of a part.
    package static let partSize = Int(CC_READ_PART)

    private let sizes: [String: Int]
    private let logs = Mutex<[String: ReadLog]>([:])

    /// Watches files.
    ///
    /// - Parameter sizes: their bytes, by their names.
    package init(of sizes: [String: Int]) { self.sizes = sizes }

    /// What a reader of a file tells what it reads; nil if the file is not watched.
    func log(of path: String) throws -> ReadLog? {
        guard let size = sizes[path] else { return nil }
        return try logs.withLock { logs in
            if let log = logs[path] { return log }
            let log = try ReadLog(size: size)
            logs[path] = log
            return log
        }
    }

    /// The parts of a file of which anything was read, counted from 0; nil if no reader told.
    package func parts(of path: String) -> [Int]? { logs.withLock { $0[path]?.parts } }

    /// Whether a file is of a type whose readers tell.
    package static func areTold(of path: String) -> Bool {
        (try? FileHead(path: path)).map { TIFFFormat.fits($0.bytes) } ?? false
    }
}

extension FileReads: Hashable {
    package static func == (a: FileReads, b: FileReads) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
