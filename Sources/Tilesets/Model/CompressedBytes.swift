import CStorage
import Platform

/// Bytes compressed with Zstandard, as one frame that states its length.
package enum CompressedBytes {
    /// The fastest level: most of what is compressed here are hashes, which no level makes smaller.
    private static let level: Int32 = 1

    /// Compresses bytes.
    ///
    /// - Throws: `.systemLimit` if there is not enough memory.
    package static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
        let packed = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { buffer, size in
            let result = ZSTD_compress(buffer.baseAddress, buffer.count, bytes, bytes.count, level)
            size = ZSTD_isError(result) == 0 ? result : 0
        }
        if packed.isEmpty { throw noMemory }
        return packed
    }

    /// Decompresses received bytes.
    ///
    /// - Parameter size: the expected number of bytes; no more memory is used.
    /// - Returns: nil if they do not have this number, or are damaged.
    /// - Throws: `.systemLimit` if there is not enough memory.
    package static func decompress(_ bytes: ArraySlice<UInt8>, size: Int) throws -> [UInt8]? {
        // Made here: an error of ZSTD_decompress does not tell damaged bytes from too little memory.
        guard let decompressor = ZSTD_createDCtx() else { throw noMemory }
        defer { ZSTD_freeDCtx(decompressor) }
        return bytes.withUnsafeBytes { packed in
            guard ZSTD_getFrameContentSize(packed.baseAddress, packed.count) == UInt64(size) else {
                return nil
            }
            let result = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = ZSTD_decompressDCtx(
                    decompressor, buffer.baseAddress, size, packed.baseAddress, packed.count)
                if ZSTD_isError(count) != 0 { count = 0 }
            }
            return result.count == size ? result : nil
        }
    }

    /// The failure of a call that needs no more than memory.
    static var noMemory: Failure {
        Failure(.systemLimit, "there is not enough memory to compress or decompress")
    }
}
