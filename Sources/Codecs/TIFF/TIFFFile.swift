import CCodec
import Platform
import Synchronization

/// A file as libtiff opens it.
struct TIFFFile {
    /// The path, or that of the copy.
    let path: String
    /// Records or fetches what is read; nil if neither is needed.
    let log: ReadLog?
    /// The file, if it is on another machine.
    let far: (any FarFile)?

    /// Looks where a file is.
    ///
    /// - Parameter reads: records the parts of files that are read.
    init(_ path: String, reads: FileReads? = nil) throws {
        do throws(SystemError) { far = try FarFiles.open(path) } catch {
            throw InputFile.unreadable(path, error)
        }
        self.path = far?.copy ?? path
        log = try far.map { try ReadLog(fetching: $0) } ?? reads?.log(of: path)
    }

    /// Calls the C code; if something could not be fetched, that is the failure.
    func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw log?.failure ?? error }
    }
}

/// Records the parts of files that are read, for files that are read in any order: TIFFs.
package final class FileReads: Hashable, Sendable {
    /// The bytes of a part.
    package static let partSize = Int(CC_READ_PART)

    private let sizes: [String: Int]
    private let logs = Mutex<[String: ReadLog]>([:])

    /// Records reads of files.
    ///
    /// - Parameter sizes: the files' sizes in bytes, by their names.
    package init(of sizes: [String: Int]) { self.sizes = sizes }

    /// The log of a file's reads; nil if the file is not recorded.
    func log(of path: String) throws -> ReadLog? {
        guard let size = sizes[path] else { return nil }
        return try logs.withLock { logs in
            if let log = logs[path] { return log }
            let log = try ReadLog(size: size)
            logs[path] = log
            return log
        }
    }

    /// The parts of a file that were at least partly read, counted from 0; nil if no reader recorded them.
    package func parts(of path: String) -> [Int]? { logs.withLock { $0[path]?.parts } }

    /// Whether the readers of a file's type record what they read.
    package static func areTold(of path: String) -> Bool {
        (try? FileHead(path: path)).map { ImageFormat.tiff.fits($0.bytes) } ?? false
    }

    package static func == (a: FileReads, b: FileReads) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The parts of a file that were read: `cc_read_log`. For a file on another machine, it also fetches what is
/// read.
///
/// Unchecked: the marks are atomic.
final class ReadLog: @unchecked Sendable {
    let handle: OpaquePointer
    private let partCount: Int
    /// The file, if it is on another machine, which must live as long as the C code may ask for it.
    private let fetched: Fetched?

    /// Makes a log of a file of `size` bytes.
    convenience init(size: Int) throws { try self.init(size, nil) }

    /// Fetches the parts of a file that are read.
    convenience init(fetching file: any FarFile) throws { try self.init(0, Fetched(file)) }

    private init(_ size: Int, _ fetched: Fetched?) throws {
        let context = fetched.map { Unmanaged.passUnretained($0).toOpaque() }
        guard let handle = cc_read_log_create(UInt64(size), context.map { _ in Fetched.fetch }, context)
        else {
            throw Failure(.systemLimit, "there is not enough memory for a log of what is read")
        }
        self.handle = handle
        self.fetched = fetched
        partCount = (size + FileReads.partSize - 1) / FileReads.partSize
    }

    deinit { cc_read_log_destroy(handle) }

    /// The parts that were at least partly read, in ascending order.
    var parts: [Int] { (0..<partCount).filter { cc_read_log_has(handle, $0) } }

    /// Why something could not be fetched; nil if nothing failed.
    var failure: Failure? { fetched?.failure.withLock { $0 } }

    /// A file whose parts the C code asks for.
    private final class Fetched: Sendable {
        let file: any FarFile
        let failure = Mutex<Failure?>(nil)

        init(_ file: any FarFile) { self.file = file }

        /// Blocks are fetched before they are decoded. All else that libtiff reads is directories and tables,
        /// a few bytes at a time, from places near each other: the bytes around them are fetched with them.
        /// The largest piece has the tables of some 5000 blocks. In a small file, pieces are small: a few hundredths
        /// of it may be pieces that hold blocks that are not needed.
        private var piece: Int { min(max(file.size / 256, 1 << 13), 1 << 16) }

        static let fetch: cc_fetch = { context, offset, count in
            guard let context, let start = Int(exactly: offset), let count = Int(exactly: count) else {
                return false
            }
            let own = Unmanaged<Fetched>.fromOpaque(context).takeUnretainedValue()
            do throws(Failure) {
                if start < own.file.size {
                    try own.file.fetch(
                        [start..<min(start + count, own.file.size)], inPiecesOf: own.piece)
                }
                return true
            } catch {
                own.failure.withLock { $0 = error }
                return false
            }
        }
    }
}
