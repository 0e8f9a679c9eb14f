/// Percent-encoding of bytes in addresses (RFC 3986, 2.1).
enum PercentCoding {
    static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    /// What the path of an address on the web may have. What is encoded already stays as it is.
    static let path = unreserved.union("!$&'()*+,;=:@/%".utf8)
    /// What a query may have.
    static let query = path.union("?".utf8)
    /// What S3 leaves as it is in a key ("Create a signed AWS API request", UriEncode).
    static let key = unreserved.union("/".utf8)

    /// The text in ASCII, with `%2F` in capitals for each byte that is not kept.
    static func encoded(_ text: String, keeping kept: Set<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if kept.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// Whether it has a control character. They are looked for in bytes: two scalars may be one character.
    var hasControls: Bool { utf8.contains { $0 < 0x20 || $0 == 0x7F } }
}

extension Substring.UTF8View {
    var text: String { String(decoding: self, as: UTF8.self) }
}
