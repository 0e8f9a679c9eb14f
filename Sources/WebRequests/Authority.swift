#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The server of a request: a host and an optional port, as in a URL (RFC 3986).
package struct Authority: Hashable, Sendable, CustomStringConvertible {
    /// The length of the longest DNS name, with a port.
    private static let longest = 262

    /// A name in lower case, or an IP address; IPv6 addresses are in brackets.
    package let host: String
    /// The port; nil for the default port of the scheme.
    package let port: Int?

    /// Makes an authority from its parts.
    package init(host: String, port: Int?) { (self.host, self.port) = (host.lowercased(), port) }

    /// Parses the `Host` field.
    ///
    /// - Returns: nil if it is invalid, or contains a user name.
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

    /// Whether the host is an IP address, which DNS cannot redirect.
    package var isAddress: Bool { host.hasPrefix("[") || IPAddress.isVersion4(host.utf8) }

    /// The authority as in `Host`.
    package var description: String { host + (port.map { ":\($0)" } ?? "") }

    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
                return letters ~= byte | 0x20 || byte.isDigit || "-._".utf8.contains(byte)
            }
    }

    /// The port after a colon, if there is a colon; nil if the port is invalid.
    private static func port(_ bytes: ArraySlice<UInt8>) -> (number: Int?, Void)? {
        guard let colon = bytes.first else { return (nil, ()) }
        let digits = bytes.dropFirst()
        guard colon == UInt8(ascii: ":"), 1...5 ~= digits.count,
            digits.allSatisfy(\.isDigit), let number = Int(String(decoding: digits, as: UTF8.self)),
            number <= 65_535
        else { return nil }
        return (number, ())
    }
}

extension UInt8 {
    /// Whether it is a decimal digit in ASCII.
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

/// The hosts for which a server accepts requests.
///
/// A malicious page can resolve its own host name to any address, even that of this machine, and send
/// requests to it (DNS rebinding). The browser then treats the responses as the page's own.
package struct HostRule: Sendable {
    private let port: Int
    /// Hosts that are valid with the server's port.
    private let own: Set<String>
    /// Whether any IP address is valid.
    private let takesAddresses: Bool
    private let allowed: [Authority]

    /// Makes the rule of a server.
    ///
    /// - Parameters:
    ///   - host: the address or name on which the server listens.
    ///   - port: its port.
    ///   - allowed: its other names; names without a port are valid with any port.
    package init(listeningOn host: String, port: Int, allowed: [Authority]) {
        self.port = port
        self.allowed = allowed
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        takesAddresses = ["0.0.0.0", "[::]"].contains(host)
        let isLoopback = host.hasPrefix("127.") || host == "[::1]" || host.lowercased() == "localhost"
        own = Set([host.lowercased()] + (isLoopback || takesAddresses ? Self.loopback : []))
    }

    private static let loopback = ["localhost", "127.0.0.1", "[::1]"]

    /// Whether a request for a host is accepted.
    package func admits(_ authority: Authority) -> Bool {
        let isOwn = own.contains(authority.host) || takesAddresses && authority.isAddress
        if isOwn, authority.port ?? 80 == port { return true }
        return allowed.contains { one in
            one.host == authority.host && (one.port == nil || one.port == authority.port)
        }
    }
}

/// Distinguishes IP addresses from names, with inet_pton(3).
enum IPAddress {
    /// Whether it is an IPv4 address: four numbers separated by dots.
    static func isVersion4(_ text: some Collection<UInt8>) -> Bool { reads(text, as: AF_INET) }

    /// Whether it is an IPv6 address, without brackets and zone.
    static func isVersion6(_ text: some Collection<UInt8>) -> Bool { reads(text, as: AF_INET6) }

    private static func reads(_ text: some Collection<UInt8>, as family: Int32) -> Bool {
        // Large enough for an address of either version.
        var address = in6_addr()
        // A zero would end the text early.
        return !text.contains(0)
            && inet_pton(family, text.map { CChar(bitPattern: $0) } + [0], &address) == 1
    }
}
