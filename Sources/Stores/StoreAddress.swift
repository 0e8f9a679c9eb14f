import Platform

/// The address of a file on a web server, or of an object in a bucket: `https://host/plan.tif`,
/// `s3://bucket/plan.tif`.
package struct StoreAddress: Sendable {
    enum Scheme: String, Sendable { case https, http, s3 }

    let scheme: Scheme
    /// The host, with its port if the address names one; or the bucket.
    let authority: String
    /// As it is written; on the web with its first slash; in a bucket the key.
    let path: String
    /// The part between `?` and `#`.
    let query: String?
    /// A name or a password before the host, which `check` refuses.
    private let hasUser: Bool
    private let hasFragment: Bool

    /// Recognises an address by its scheme; nil if the text does not begin with https://, http:// or s3://.
    /// It may still be refused by `check`.
    package init?(_ text: String) {
        let all = text.utf8
        guard let colon = all.firstIndex(of: UInt8(ascii: ":")), all[colon...].starts(with: "://".utf8),
            let scheme = Scheme(rawValue: all[..<colon].text.lowercased())
        else { return nil }
        var rest = all[all.index(colon, offsetBy: 3)...]
        let fragment = rest.firstIndex(of: UInt8(ascii: "#"))
        if let fragment { rest = rest[..<fragment] }
        let question = rest.firstIndex(of: UInt8(ascii: "?"))
        let query = question.map { rest[rest.index(after: $0)...].text }
        if let question { rest = rest[..<question] }
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let authority = rest[..<slash]
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] }
        let name = (host ?? authority).text
        let path = rest[slash...].text
        self.init(
            scheme: scheme, authority: scheme == .s3 ? name : name.lowercased(),
            path: scheme == .s3 ? String(path.unicodeScalars.dropFirst()) : path.isEmpty ? "/" : path,
            query: query, hasUser: host != nil, hasFragment: fragment != nil)
    }

    private init(
        scheme: Scheme, authority: String, path: String, query: String? = nil, hasUser: Bool = false,
        hasFragment: Bool = false
    ) {
        (self.scheme, self.authority, self.path, self.query) = (scheme, authority, path, query)
        (self.hasUser, self.hasFragment) = (hasUser, hasFragment)
    }

    /// The address without its query, in which signed addresses have secrets: for messages, files and
    /// fingerprints.
    package var title: String {
        let folder = isBucket && !path.isEmpty ? "/" : ""
        return "\(scheme.rawValue)://\(authority)\(folder)\(path)"
    }

    /// Whether it has a query, such as that of a signed address.
    package var hasQuery: Bool { query != nil }

    /// Whether it is in a bucket: `s3://`.
    package var isBucket: Bool { scheme == .s3 }

    /// The last component of the path, as it is written: empty if the address ends with a slash.
    package var fileName: String { path.utf8[path.utf8.startIndex...].afterLastSlash.text }

    /// The address of a file in the same folder, without a query.
    ///
    /// - Parameter name: its name as an address has it: of a web address, `%20` is a space.
    package func sibling(named name: String) -> StoreAddress {
        let folder = path.utf8.dropLast(fileName.utf8.count).text
        return StoreAddress(scheme: scheme, authority: authority, path: folder + name)
    }

    /// The address of a file below this one, which is a prefix or a folder. A query is left out.
    package func appending(_ name: String) -> StoreAddress {
        var folder = path.utf8[path.utf8.startIndex...]
        while folder.last == UInt8(ascii: "/") { folder.removeLast() }
        let below = name.utf8.drop { $0 == UInt8(ascii: "/") }.text
        let isRoot = isBucket && folder.isEmpty
        return StoreAddress(
            scheme: scheme, authority: authority, path: isRoot ? below : "\(folder.text)/\(below)")
    }

    /// The address to ask a web server for.
    var url: String {
        let query = query.map { "?" + PercentCoding.encoded($0, keeping: PercentCoding.query) } ?? ""
        return "\(scheme.rawValue)://\(authority)\(encodedPath)\(query)"
    }

    /// The path or key in ASCII.
    var encodedPath: String {
        PercentCoding.encoded(path, keeping: isBucket ? PercentCoding.key : PercentCoding.path)
    }

    /// A web address without what belongs to a file: the folder, with its slash.
    func replacing(path: String, query: String?) -> StoreAddress {
        StoreAddress(scheme: scheme, authority: authority, path: path, query: query)
    }

    /// Checks that requests may be sent to it.
    ///
    /// - Throws: `.usage`: the message says what is wrong, without parts that may be secret.
    package func check() throws {
        guard let fault else { return }
        throw Failure(
            .usage, cannot: "use \(quotedTitle)", fault.reason, remedy: fault.remedy)
    }

    /// The title in quotes, on one line.
    var quotedTitle: String { "'\(title.excerpt(300))'" }

    private typealias Fault = (reason: String, remedy: String?)

    private var fault: Fault? {
        if (authority + path + (query ?? "")).hasControls {
            return ("the address has a control character", nil)
        }
        if title.utf8.count + (query?.utf8.count ?? 0) > 8192 { return ("the address is too long", nil) }
        if hasUser {
            return (
                "the address has a user name or password",
                isBucket
                    ? "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, instead"
                    : "use a signed address, or download the file first"
            )
        }
        if hasFragment { return ("the address has a '#'", isBucket ? nil : "leave out '#' and what follows") }
        return isBucket ? bucketFault : webFault
    }

    private var webFault: Fault? {
        if authority.isEmpty { return ("the address has no host", nil) }
        guard let host = Host(authority) else { return ("the host is not valid", nil) }
        if scheme == .http, !host.isLoopback {
            return ("http:// is only for this machine: it can be read and changed on the way", "use https://")
        }
        return nil
    }

    private var bucketFault: Fault? {
        if authority.isEmpty { return ("the address has no bucket", "write s3://BUCKET/KEY") }
        let name = Array(authority.utf8)
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        let isValid =
            (3...63).contains(name.count)
            && name.allSatisfy { letters.contains($0) || "-.".utf8.contains($0) }
            && letters.contains(name[0]) && letters.contains(name[name.count - 1])
            && !authority.contains("..")
        if !isValid {
            return (
                "the name of the bucket is not valid",
                "buckets have 3 to 63 lower-case letters, digits, hyphens and dots"
            )
        }
        if query != nil { return ("the address has a '?'", "name the object alone: s3://BUCKET/KEY") }
        if path.utf8.count > 1024 { return ("the key has more than 1024 bytes", nil) }
        var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(
            \.text)
        if parts.last == "" { parts.removeLast() }
        if parts.contains(where: { ["", ".", ".."].contains($0) }) {
            return ("the key has an empty part, or '.' or '..' between slashes", nil)
        }
        return nil
    }
}

// Compared by their bytes: texts that look alike may be two keys.
extension StoreAddress: Hashable {
    package static func == (left: StoreAddress, right: StoreAddress) -> Bool {
        left.identity == right.identity
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    private var identity: [String] { [scheme.rawValue, authority, encodedPath, query ?? "#"] }
}

/// The host of a web address, and its port.
struct Host {
    let name: String
    let port: Int?

    /// Nil if it has other characters than names and numbers of hosts have: two programs may read such an
    /// address differently.
    init?(_ authority: String) {
        let bytes = Array(authority.utf8)
        let end =
            bytes.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? bytes.firstIndex(of: UInt8(ascii: ":"))
        let host = bytes[..<(end ?? bytes.count)]
        let rest = bytes[(end ?? bytes.count)...]
        let isNumbered = host.first == UInt8(ascii: "[")
        let allowed =
            isNumbered ? "0123456789abcdef:." : "abcdefghijklmnopqrstuvwxyz0123456789-._"
        let inner = isNumbered ? host.dropFirst().dropLast() : host
        guard !inner.isEmpty, host.count <= 253, inner.allSatisfy(Set(allowed.utf8).contains),
            isNumbered == (host.last == UInt8(ascii: "]")), inner.first != UInt8(ascii: ".")
        else { return nil }
        name = String(decoding: host, as: UTF8.self)
        if rest.isEmpty {
            port = nil
        } else {
            let digits = rest.dropFirst()
            guard rest.first == UInt8(ascii: ":"), (1...5).contains(digits.count),
                digits.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(number)
            else { return nil }
            port = number
        }
    }

    /// Whether it is this machine: RFC 6761 (localhost), RFC 1122 (127.0.0.0/8), RFC 4291 (::1).
    var isLoopback: Bool { name == "localhost" || name == "[::1]" || (numbers?.first == 127) }

    /// The four numbers of an address of IPv4.
    var numbers: [Int]? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.count <= 3 && (part == "0" || part.first != "0") ? UInt8(part).map { Int($0) } : nil
        }
        return parts.count == 4 && numbers.count == 4 ? numbers : nil
    }
}

extension Substring.UTF8View {
    /// What follows the last slash.
    fileprivate var afterLastSlash: Substring.UTF8View {
        lastIndex(of: UInt8(ascii: "/")).map { self[index(after: $0)...] } ?? self
    }
}
