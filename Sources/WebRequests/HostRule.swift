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
