import Diagnostics
import Files
import Tilesets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension ShardJob.Source {
    /// Files up to this size are hashed by each worker: that takes hundredths of a second, and damage anywhere is
    /// found. Of larger ones samples are: else the hashes of many workers would cost as much as the tiles.
    private static let largestWhole = 64 << 20
    private static let samples = 64
    private static let sampleSize = 1 << 16

    /// Looks at a file as it was split: hashes it, and samples if it is large.
    init(_ path: String) throws {
        try self.init(path, isSampled: nil)
    }

    /// Looks at a file as a worker does: hashes what the job has hashed of it.
    init(_ path: String, isSampled: Bool) throws {
        try self.init(path, isSampled: Optional(isSampled))
    }

    private init(_ path: String, isSampled: Bool?) throws {
        let file: FileDescriptor
        do throws(SystemError) { file = try FileDescriptor(opening: path, flags: O_RDONLY) } catch {
            throw InputFile.unreadable(path, error.code)
        }
        let size: Int
        var sample: String?
        do throws(SystemError) {
            size = try file.status().size
            if isSampled ?? (size > Self.largestWhole) {
                sample = ContentHash(of: try Self.samples(of: file, size: size)).hex
            }
        } catch {
            throw error.failure("read '\(path)'")
        }
        let digest = isSampled == true ? "" : try ContentHash(ofFile: path).hex
        self.init(path: path, size: size, digest: digest, sample: sample)
    }

    /// Pieces of a file, spread evenly from its beginning to its end.
    private static func samples(of file: borrowing FileDescriptor, size: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in 0..<samples {
            let offset = max(0, size - sampleSize) / (samples - 1) * index
            bytes += try file.readBytes(
                at: index == samples - 1 ? max(0, size - sampleSize) : offset, count: sampleSize)
        }
        return bytes
    }
}
