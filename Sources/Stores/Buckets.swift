import Platform
import Synchronization

/// How requests to buckets are addressed and signed.
final class Buckets: Sendable {
    private let settings: BucketSettings
    private let credentials: CredentialSource
    /// Regions that answers named, by bucket.
    private let regions = Mutex<[String: String]>([:])

    init(settings: BucketSettings, credentials: CredentialSource) {
        (self.settings, self.credentials) = (settings, credentials)
    }

    /// Whether requests are signed.
    func hasCredentials() throws -> Bool { try credentials.current() != nil }

    /// A request for an object.
    func exchange(
        _ method: String, _ address: StoreAddress, headers: [String], body: Exchange.Body = .none
    ) throws -> Exchange {
        let region = region(of: address)
        let target = settings.url(of: address, region: region)
        var exchange = Exchange(
            method: method, url: target.url, isLocal: target.isLocal, headers: headers, body: body)
        guard let found = try credentials.current() else { return exchange }
        exchange.signature = Exchange.Signature(
            scheme: "aws:amz:\(region):s3", userPassword: "\(found.key):\(found.secret)")
        if let token = found.token { exchange.headers.append("x-amz-security-token: \(token)") }
        exchange.headers.append("x-amz-content-sha256: \(exchange.contentHash)")
        return exchange
    }

    private func region(of address: StoreAddress) -> String {
        regions.withLock { $0[address.authority] } ?? settings.region
    }

    /// Notes the region that an answer names if it is another one than was used.
    ///
    /// - Returns: whether the request should be sent again.
    func corrects(_ reply: Reply, of address: StoreAddress) -> Bool {
        guard [301, 307, 400, 403].contains(reply.answer.status),
            let named = reply.answer.hint("x-amz-bucket-region") ?? reply.element("Region"),
            BucketSettings.isRegion(named), named != region(of: address)
        else { return false }
        regions.withLock { $0[address.authority] = named }
        return true
    }
}

extension Exchange {
    /// What the signature covers of the body. The hash of nothing is that of SHA-256 (FIPS 180-4); a body is protected by
    /// TLS, and over http: it does not leave this machine.
    fileprivate var contentHash: String {
        if case .none = body { return "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" }
        return "UNSIGNED-PAYLOAD"
    }
}

extension Reply {
    /// The text of an element in an answer in XML; nil if there is none, or it has other characters than a word.
    func element(_ name: String) -> String? {
        let parts = errorText.components(between: "<\(name)>", and: "</\(name)>")
        guard let parts, parts.utf8.count <= 64 else { return nil }
        return parts.utf8.allSatisfy { PercentCoding.unreserved.contains($0) } ? parts : nil
    }
}

extension String {
    /// The first text between two others.
    func components(between start: String, and end: String) -> String? {
        guard let first = firstRange(of: start), let last = self[first.upperBound...].firstRange(of: end)
        else {
            return nil
        }
        return String(self[first.upperBound..<last.lowerBound])
    }
}

/// Where buckets are.
struct BucketSettings: Equatable {
    var region: String
    /// A server other than Amazon's.
    var endpoint: StoreAddress?

    /// Whether a text may be the name of a region: it becomes a part of a host's name.
    static func isRegion(_ text: String) -> Bool {
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        let bytes = Array(text.utf8)
        guard let first = bytes.first, let last = bytes.last, bytes.count <= 32 else { return false }
        return letters.contains(first) && letters.contains(last)
            && bytes.allSatisfy { letters.contains($0) || $0 == UInt8(ascii: "-") }
    }

    /// The address of an object for a request, and whether it is on this machine.
    func url(of address: StoreAddress, region: String) -> (url: String, isLocal: Bool) {
        let (bucket, key) = (address.authority, address.encodedPath)
        if let endpoint {
            let base = endpoint.appending("").url.utf8.dropLast().text
            return ("\(base)/\(bucket)/\(key)", endpoint.scheme == .http)
        }
        let host = "s3.\(Self.domain(of: region))"
        // The certificate of Amazon covers one label before `.s3`.
        if bucket.contains(".") { return ("https://\(host)/\(bucket)/\(key)", false) }
        return ("https://\(bucket).\(host)/\(key)", false)
    }

    /// The end of the names of Amazon's hosts in a region.
    static func domain(of region: String) -> String {
        "\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    }
}
