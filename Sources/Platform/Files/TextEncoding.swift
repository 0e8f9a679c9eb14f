/// How the text of a file is encoded: in UTF-8, or as its byte order mark says (The Unicode Standard, section 23.8).
/// Spreadsheets and notepads write UTF-16.
package enum TextEncoding {
    /// The bytes of a file as UTF-8, without a byte order mark. What is not UTF-16 that makes sense has replacement
    /// characters there.
    package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf8(bytes, low: 0, high: 1) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf8(bytes, low: 1, high: 0) }
        return bytes
    }

    /// - Parameters:
    ///   - low: where in a pair of bytes the low one is.
    ///   - high: where the high one is.
    private static func utf8(_ bytes: [UInt8], low: Int, high: Int) -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + low])
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
