import CCodec
import Platform

/// Which parts of a file were read: `cc_read_log`.
///
/// Unchecked: the marks are atomic.
final class ReadLog: @unchecked Sendable {
    let handle: OpaquePointer
    private let partCount: Int

    /// Makes a log of a file of so many bytes.
    init(size: Int) throws {
        guard let handle = cc_read_log_create(UInt64(size)) else {
            throw Failure(.systemLimit, "there is no memory for a log of what is read")
        }
        self.handle = handle
        partCount = (size + FileReads.partSize - 1) / FileReads.partSize
    }

    deinit { cc_read_log_destroy(handle) }

    /// The parts of which anything was read, in ascending order.
    var parts: [Int] { (0..<partCount).filter { cc_read_log_has(handle, $0) } }
}
