#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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

/// Which hosts a server answers to.
///
/// A page of somebody else can lead a name of its own to any address, that of this machine among them, and
/// ask under that name (DNS rebinding): the browser then takes the answers for the page's own.
package struct HostRule: Sendable {
    private let port: Int
    /// Hosts that need the port on which the server listens.
    private let own: Set<String>
    /// Whether any address is one of this machine.
    private let takesAddresses: Bool
    private let allowed: [Authority]

    /// Makes the rule of a server.
    ///
    /// - Parameters:
    ///   - host: what it listens on: an address, or a name.
    ///   - port: the port that it got.
    ///   - allowed: what else it is called; without a port, under any.
    package init(listeningOn host: String, port: Int, allowed: [Authority]) {
        self.port = port
        self.allowed = allowed
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        takesAddresses = ["0.0.0.0", "[::]"].contains(host)
        let isLoopback = host.hasPrefix("127.") || host == "[::1]" || host.lowercased() == "localhost"
        own = Set([host.lowercased()] + (isLoopback || takesAddresses ? Self.loopback : []))
    }

    private static let loopback = ["localhost", "127.0.0.1", "[::1]"]

    /// Whether a request for a host is answered.
    package func admits(_ authority: Authority) -> Bool {
        let isOwn = own.contains(authority.host) || takesAddresses && authority.isAddress
        if isOwn, authority.port ?? 80 == port { return true }
        return allowed.contains { one in
            one.host == authority.host && (one.port == nil || one.port == authority.port)
        }
    }
}

/// Tells addresses from names, as inet_pton(3) reads them.
enum IPAddress {
    /// Whether it is four numbers with dots between them.
    static func isVersion4(_ text: some Collection<UInt8>) -> Bool {
        var address = in_addr()
        return text.reading { inet_pton(AF_INET, $0, &address) } == 1
    }

    /// Whether it is an address of IPv6, without brackets and without a zone.
    static func isVersion6(_ text: some Collection<UInt8>) -> Bool {
        var address = in6_addr()
        return text.reading { inet_pton(AF_INET6, $0, &address) } == 1
    }
}

extension Collection<UInt8> {
    /// What a function of C says of the bytes; 0 if a zero among them would end the text.
    fileprivate func reading(_ body: ([CChar]) -> Int32) -> Int32 {
        contains(0) ? 0 : body(map { CChar(bitPattern: $0) } + [0])
    }
}
