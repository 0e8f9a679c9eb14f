import ArgumentParser
package import Platform
package import WebRequests

/// The argument of `--listen`.
package struct ListenAddress: Hashable, Sendable {
    /// A host, and a port.
    package let authority: Authority

    /// The port that servers for trying things out have, on this machine alone.
    package static let standard = ListenAddress(authority: Authority(host: "127.0.0.1", port: 8080))

    private init(authority: Authority) { self.authority = authority }

    /// Reads `HOST:PORT`.
    ///
    /// - Throws: `.usage`.
    package init(_ text: String) throws(Failure) {
        guard let authority = Authority(text), authority.port != nil else {
            throw Failure(
                .usage, "it is not an address with a port",
                remedy: "write 127.0.0.1:8080, or 0.0.0.0:8080 to let other machines in")
        }
        self.init(authority: authority)
    }

    /// What the system looks up: without brackets.
    package var host: String { authority.host.trimmingBrackets }
}

/// What a server answers for a tile that does not exist.
package enum MissingTileAnswer: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// 404, not found.
    case notFound = "404"
    /// 204, no content: maps that enlarge the parent of a tile that is not found leave the place empty.
    case noContent = "204"
    /// A transparent tile.
    case transparent
}

/// The argument of `--allow-host`.
package struct AllowedHost: Hashable, Sendable {
    /// A host; without a port, under any.
    package let authority: Authority

    /// Reads it.
    ///
    /// - Throws: `.usage`.
    package init(_ text: String) throws(Failure) {
        guard let authority = Authority(text) else {
            throw Failure(
                .usage, "it is not the name of a host",
                remedy: "write a name, as plans.example.org, or with a port, as plans.example.org:8080")
        }
        self.authority = authority
    }
}

/// The argument of `--origin`.
package struct PageOrigin: Hashable, Sendable {
    /// As the browser says it: a scheme and a host, without a path; or `*`.
    package let text: String

    /// Reads it.
    ///
    /// - Throws: `.usage`.
    package init(_ text: String) throws(Failure) {
        let parts = text.split(separator: "://", maxSplits: 1).map(String.init)
        let isOrigin = parts.count == 2 && ["http", "https"].contains(parts[0]) && Authority(parts[1]) != nil
        guard text == "*" || isOrigin else {
            throw Failure(
                .usage, "it is not the origin of a page",
                remedy: "write it as https://www.example.org, without a path, or '*' for all")
        }
        self.text = text
    }
}

extension String {
    /// An address of IPv6 without its brackets.
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
