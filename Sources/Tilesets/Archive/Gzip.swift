import CDeflate
import Platform

/// Bytes in the format of gzip (RFC 1952), by libdeflate.
enum Gzip {
    /// Bytes that are there again and again in archives; more effort saves less than a hundredth.
    private static let level: Int32 = 9
    /// No stream of deflate grows more than this when it is inflated: 258 bytes of a code of 2 bits.
    private static let largestRatio = 1032

    /// Compresses; `libdeflate_gzip_compress`. The same bytes give the same result.
    static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let compressor = libdeflate_alloc_compressor(level) else { throw noMemory }
        defer { libdeflate_free_compressor(compressor) }
        let bound = libdeflate_gzip_compress_bound(compressor, bytes.count)
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = libdeflate_gzip_compress(
                compressor, bytes, bytes.count, buffer.baseAddress, buffer.count)
        }
    }

    /// Inflates a stream of one member; `libdeflate_gzip_decompress`.
    ///
    /// - Parameter limit: the most bytes that may come out; no more are allocated.
    /// - Returns: nil if the stream is damaged, or too long.
    static func decompress(_ bytes: [UInt8], limit: Int) throws -> [UInt8]? {
        // The last four bytes are the length, which is believed if it is possible.
        guard bytes.count >= 18 else { return nil }
        let length = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= min(limit, bytes.count * largestRatio) else { return nil }
        guard let decompressor = libdeflate_alloc_decompressor() else { throw noMemory }
        defer { libdeflate_free_decompressor(decompressor) }
        var result = LIBDEFLATE_BAD_DATA
        let content = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            result = libdeflate_gzip_decompress(
                decompressor, bytes, bytes.count, buffer.baseAddress, length, nil)
            count = result == LIBDEFLATE_SUCCESS ? length : 0
        }
        return result == LIBDEFLATE_SUCCESS ? content : nil
    }

    private static var noMemory: Failure {
        Failure(.systemLimit, "there is no memory to compress or inflate")
    }
}
