import Platform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Credentials of a role, which last for some hours.
extension CredentialChain {
    private static let mostBytes = 1 << 18

    /// The credentials for a token that another service has signed (AWS STS, AssumeRoleWithWebIdentity).
    func webIdentity(tokenFile: String, role: String) throws -> Credentials {
        let bytes = try InputFile.bytes(of: tokenFile, atMost: 1 << 16)
        let token = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined()
        let session = environment["AWS_ROLE_SESSION_NAME"] ?? profile?["role_session_name"] ?? "tilewright"
        let named = environment.first(of: ["AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL"])
        let endpoint = try BucketSettings.endpoint(
            named ?? "https://sts.\(BucketSettings.domain(of: settings.region))", of: "AWS_ENDPOINT_URL_STS")
        let fields = [
            ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
            ("RoleSessionName", session), ("WebIdentityToken", token),
        ]
        let form = fields.map { "\($0)=\(PercentCoding.encoded($1, keeping: PercentCoding.unreserved))" }
        let exchange = Exchange(
            method: "POST", url: endpoint.appending("").url, isLocal: endpoint.scheme == .http,
            headers: ["Content-Type: application/x-www-form-urlencoded"],
            body: .bytes(Array(form.joined(separator: "&").utf8)))
        let text = String(decoding: try answer(to: exchange, "the web identity's role"), as: UTF8.self)
        let part = { (name: String) in text.components(between: "<\(name)>", and: "</\(name)>") }
        return try Self.credentials(
            key: part("AccessKeyId"), secret: part("SecretAccessKey"), token: part("SessionToken"),
            expiry: part("Expiration"), from: "the web identity's role")
    }

    /// The credentials that a container's host hands out; nil outside of such a container.
    func container() throws -> Credentials? {
        let relative = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"]
        guard
            let text = relative.map({
                "http://169.254.170.2/\($0.utf8.drop { $0 == UInt8(ascii: "/") }.text)"
            })
                ?? environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"]
        else { return nil }
        guard let address = StoreAddress(text), let host = Host(address.authority), !address.isBucket,
            !text.hasControls,
            address.scheme == .https || host.isLoopback
                || ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"].contains(host.name)
        else {
            throw Failure(
                .usage, cannot: "use AWS_CONTAINER_CREDENTIALS_FULL_URI",
                "it is neither https:// nor on this machine or a container's host")
        }
        var exchange = Exchange(url: address.url, isLocal: address.scheme == .http)
        exchange.headers = try containerToken().map { ["Authorization: \($0)"] } ?? []
        struct Document: Decodable {
            var AccessKeyId: String?
            var SecretAccessKey: String?
            var Token: String?
            var Expiration: String?
        }
        let bytes = try answer(to: exchange, "the container's role")
        let document = try? JSONDecoder().decode(Document.self, from: Data(bytes))
        return try Self.credentials(
            key: document?.AccessKeyId, secret: document?.SecretAccessKey, token: document?.Token,
            expiry: document?.Expiration, from: "the container's role")
    }

    private func containerToken() throws -> String? {
        var token = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"]
        if let file = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] {
            let bytes = try InputFile.bytes(of: file, atMost: 1 << 16)
            token = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).joined()
        }
        if token?.hasControls == true {
            throw Failure(
                .usage, cannot: "use the container's authorization token", "it has a control character")
        }
        return token
    }

    private static func credentials(
        key: String?, secret: String?, token: String?, expiry: String?, from source: String
    ) throws -> Credentials {
        guard let key, let secret, let expiry = expiry.map(seconds) ?? 0 else {
            throw Failure(.badInput, cannot: "get the credentials of \(source)", "the answer has no keys")
        }
        return try .checked(
            key: key, secret: secret, token: token, expiry: expiry == 0 ? nil : expiry, from: source)
    }

    /// Sends a request until it is answered.
    private func answer(to exchange: Exchange, _ source: String) throws -> [UInt8] {
        try Retries.repeating("get the credentials of \(source)") {
            let sink = MemorySink(atMost: Self.mostBytes)
            let reply = try transfers.perform(exchange, into: sink)
            if reply.answer.status == 200 { return try sink.finished() }
            throw Trouble(
                status: reply.answer.status, code: reply.element("Code"), isBucket: true, isWriting: false,
                hasCredentials: true, retryAfter: reply.answer.retryAfter)
        }
    }

    /// The seconds since 1970 of a time such as `2026-11-29T12:00:00Z` (RFC 3339); nil if it is not valid.
    static func seconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T") else {
            return nil
        }
        let number = { (first: Int, count: Int) in
            Answer.count(String(decoding: bytes[first..<first + count], as: UTF8.self)).map { Int32($0) }
        }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2),
            let minute = number(14, 2), let second = number(17, 2), (1...12).contains(month),
            (1...31).contains(day)
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        return timegm(&parts)
    }
}
