import CStorage
package import Platform

/// Compresses the deep pixels of a tile: four `Int16` each, see `CKernels.h`.
///
/// Each channel is a separate plane of differences from the pixel before, zigzag-encoded so that small
/// differences of either sign are small numbers. The low bytes of all channels come first, then the high
/// bytes, which are equal over wide areas. Zstandard compresses the planes. The result depends only on the
/// pixels and on the version of Zstandard.
package final class PackedPixels {
    /// The fastest level of Zstandard that compresses photographs to two fifths; the next levels are not
    /// better.
    private static let level: Int32 = 1
    private static let channels = 4

    /// The library that compresses the planes.
    package static var library: LibraryVersion {
        LibraryVersion("Zstandard", String(cString: ZSTD_versionString()))
    }

    private let compressor: OpaquePointer
    private var planes: [UInt8] = []

    /// Makes a packer, for one task.
    package init() throws {
        guard let compressor = ZSTD_createCCtx() else { throw CompressedBytes.noMemory }
        self.compressor = compressor
    }

    deinit { ZSTD_freeCCtx(compressor) }

    /// Packs pixels.
    package func pack(_ pixels: UnsafeBufferPointer<Int16>) throws -> [UInt8] {
        if planes.count != 2 * pixels.count { planes = [UInt8](repeating: 0, count: 2 * pixels.count) }
        planes.withUnsafeMutableBufferPointer { Self.split(pixels, into: $0) }
        let bound = ZSTD_compressBound(planes.count)
        let packed = [UInt8](unsafeUninitializedCapacity: bound) { buffer, size in
            let result = ZSTD_compressCCtx(
                compressor, buffer.baseAddress, buffer.count, planes, planes.count, Self.level)
            size = ZSTD_isError(result) == 0 ? result : 0
        }
        // The buffer is large enough for any result, so this is the only possible error.
        if packed.isEmpty { throw CompressedBytes.noMemory }
        return packed
    }

    /// Unpacks pixels.
    ///
    /// - Returns: whether the bytes have the expected number of pixels.
    package static func unpack(
        _ bytes: [UInt8], into result: UnsafeMutableBufferPointer<Int16>
    ) throws -> Bool {
        guard let planes = try CompressedBytes.decompress(bytes[...], size: 2 * result.count) else {
            return false
        }
        planes.withUnsafeBufferPointer { join($0, into: result) }
        return true
    }

    private static func split(
        _ pixels: UnsafeBufferPointer<Int16>, into planes: UnsafeMutableBufferPointer<UInt8>
    ) {
        let count = pixels.count / channels
        for channel in 0..<channels {
            let (low, high) = (channel * count, (channels + channel) * count)
            var before: Int16 = 0
            for index in 0..<count {
                let value = pixels[channels * index + channel]
                let change = value &- before
                before = value
                let folded = UInt16(bitPattern: change << 1 ^ change >> 15)
                planes[low + index] = UInt8(truncatingIfNeeded: folded)
                planes[high + index] = UInt8(truncatingIfNeeded: folded >> 8)
            }
        }
    }

    private static func join(
        _ planes: UnsafeBufferPointer<UInt8>, into pixels: UnsafeMutableBufferPointer<Int16>
    ) {
        let count = pixels.count / channels
        for channel in 0..<channels {
            let (low, high) = (channel * count, (channels + channel) * count)
            var value: Int16 = 0
            for index in 0..<count {
                let folded = UInt16(planes[low + index]) | UInt16(planes[high + index]) << 8
                value &+= Int16(bitPattern: folded >> 1) ^ -Int16(bitPattern: folded & 1)
                pixels[channels * index + channel] = value
            }
        }
    }
}
