/// Whom a request is for: a host, and perhaps a port, as RFC 3986 writes them in an address.
package struct Authority: Hashable, Sendable {
    /// As long as a name in the DNS gets, with a port.
    private static let longest = 262

    /// A name in small letters, or an address; one of IPv6 is in brackets.
    package let host: String
    /// The port; nil for that of the scheme.
    package let port: Int?

    /// Makes one of its parts.
    package init(host: String, port: Int?) { (self.host, self.port) = (host.lowercased(), port) }

    /// Reads what stands in `Host`.
    ///
    /// - Returns: nil if it is none, also with a user's name.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard 1...Self.longest ~= bytes.count else { return nil }
        let end: Int
        if bytes[0] == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")),
                IPAddress.isVersion6(bytes[1..<bracket])
            else { return nil }
            end = bracket + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            guard Self.isName(bytes[..<end]) else { return nil }
        }
        guard let port = Self.port(bytes[end...]) else { return nil }
        self.init(host: String(decoding: bytes[..<end], as: UTF8.self), port: port.number)
    }

    /// Whether the host is an address, which no name server can lead elsewhere.
    package var isAddress: Bool { host.hasPrefix("[") || IPAddress.isVersion4(host.utf8) }

    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
                }
            }
    }

    /// The number behind a colon, if there is one; nil if what is there is no port.
    private static func port(_ bytes: ArraySlice<UInt8>) -> (number: Int?, Void)? {
        guard let colon = bytes.first else { return (nil, ()) }
        let digits = bytes.dropFirst()
        guard colon == UInt8(ascii: ":"), 1...5 ~= digits.count,
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let number = Int(String(decoding: digits, as: UTF8.self)), number <= 65_535
        else { return nil }
        return (number, ())
    }
}

extension Authority: CustomStringConvertible {
    /// As `Host` has it.
    package var description: String { host + (port.map { ":\($0)" } ?? "") }
}
