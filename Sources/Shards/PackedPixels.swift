import CDeflate
import Diagnostics

/// Deep pixels of a tile as few bytes: four `Int16` each, see `CKernels.h`.
///
/// Each value is the difference from the pixel before it, and the low bytes stand apart from the high ones, which are
/// alike over wide areas; then libdeflate compresses both. The bytes depend on the pixels and on its version.
package final class PackedPixels {
    /// Of libdeflate: the fastest, since a shard is written once and read once.
    private static let level: Int32 = 1
    private static let channels = 4

    private let compressor: OpaquePointer
    private var planes: [UInt8] = []

    /// Makes a packer, for one task.
    package init() throws {
        guard let compressor = libdeflate_alloc_compressor(Self.level) else { throw Self.noMemory }
        self.compressor = compressor
    }

    deinit { libdeflate_free_compressor(compressor) }

    /// Packs pixels.
    package func pack(_ pixels: UnsafeBufferPointer<Int16>) -> [UInt8] {
        let count = pixels.count
        if planes.count != 2 * count { planes = [UInt8](repeating: 0, count: 2 * count) }
        planes.withUnsafeMutableBufferPointer { planes in
            for index in 0..<count {
                let before = index < Self.channels ? 0 : pixels[index - Self.channels]
                let change = UInt16(bitPattern: pixels[index] &- before)
                planes[index] = UInt8(truncatingIfNeeded: change)
                planes[count + index] = UInt8(truncatingIfNeeded: change >> 8)
            }
        }
        let bound = libdeflate_deflate_compress_bound(compressor, planes.count)
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, size in
            size = libdeflate_deflate_compress(
                compressor, planes, planes.count, buffer.baseAddress, buffer.count)
        }
    }

    /// Unpacks pixels.
    ///
    /// - Returns: whether the bytes were those of so many pixels.
    package static func unpack(
        _ bytes: [UInt8], into result: UnsafeMutableBufferPointer<Int16>
    ) throws -> Bool {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw noMemory }
        defer { libdeflate_free_decompressor(decompressor) }
        let count = result.count
        var planes = [UInt8](repeating: 0, count: 2 * count)
        let size = planes.count
        let status = libdeflate_deflate_decompress(
            decompressor, bytes, bytes.count, &planes, size, nil)
        guard status == LIBDEFLATE_SUCCESS else { return false }
        for index in 0..<count {
            let before = index < channels ? 0 : result[index - channels]
            let change = UInt16(planes[index]) | UInt16(planes[count + index]) << 8
            result[index] = before &+ Int16(bitPattern: change)
        }
        return true
    }

    private static var noMemory: Failure {
        Failure(.systemLimit, "there is no memory to compress or inflate")
    }
}
