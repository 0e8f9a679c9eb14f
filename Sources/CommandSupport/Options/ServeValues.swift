import ArgumentParser
package import Diagnostics
package import WebRequests

/// The argument of `--listen`.
package struct ListenAddress: ExpressibleByArgument {
    /// A host, and a port.
    package let authority: Authority

    /// Takes an authority that has a port.
    package init(_ authority: Authority) { self.authority = authority }

    /// Reads `HOST:PORT`.
    package init?(argument: String) {
        guard let authority = Authority(argument), authority.port != nil else { return nil }
        self.authority = authority
    }

    package var defaultValueDescription: String { authority.description }

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
                .usage, "--allow-host '\(text)' is not the name of a host",
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
                .usage, "--origin '\(text)' is not the origin of a page",
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
