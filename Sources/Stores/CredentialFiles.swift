import Platform

/// A section of the files in which Amazon's tools keep settings.
struct Profile: Equatable, Sendable {
    let name: String
    private let values: [String: String]

    init(name: String, values: [String: String]) { (self.name, self.values) = (name, values) }

    /// Reads the profile that the environment names, or `default`.
    ///
    /// - Returns: nil if none is named and there is no `default`.
    /// - Throws: `.usage` if one is named that no file has; `.missingInput` if a file that the environment names cannot
    ///   be read.
    init?(_ environment: Environment) throws {
        let named = environment["AWS_PROFILE"] ?? environment["AWS_DEFAULT_PROFILE"]
        let name = named ?? "default"
        let keys = try Self.text("AWS_SHARED_CREDENTIALS_FILE", or: ".aws/credentials", environment)
        let config = try Self.text("AWS_CONFIG_FILE", or: ".aws/config", environment)
        let sections = [
            config.map { Self.sections(of: $0)["profile \(name)"] } ?? nil,
            name == "default" ? config.flatMap { Self.sections(of: $0)["default"] } : nil,
            keys.flatMap { Self.sections(of: $0)[name] },
        ].compactMap(\.self)
        if sections.isEmpty {
            guard let named else { return nil }
            throw Failure(
                .usage, cannot: "use AWS_PROFILE=\(named.excerpt())", "no such profile",
                remedy: "look at its name in ~/.aws/credentials and ~/.aws/config")
        }
        self.init(name: name, values: sections.reduce(into: [:]) { $0.merge($1) { $1 } })
    }

    /// A file that the environment names, or else one in the home folder, if it is there.
    private static func text(
        _ variable: String, or name: String, _ environment: Environment
    ) throws -> String? {
        guard let path = environment[variable] ?? environment["HOME"].map({ "\($0)/\(name)" }) else {
            return nil
        }
        if environment[variable] == nil, access(path, R_OK) != 0 { return nil }
        return String(decoding: try InputFile.bytes(of: path, atMost: 1 << 20), as: UTF8.self)
    }

    /// The settings of each section. Lines that are indented belong to a setting with parts, of which none is needed.
    static func sections(of text: String) -> [String: [String: String]] {
        var sections: [String: [String: String]] = [:]
        var name: String?
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let first = line.first, !"#; \t".utf8.contains(first) else { continue }
            if first == UInt8(ascii: "[") {
                let end = line.firstIndex(of: UInt8(ascii: "]"))
                let words = end.map {
                    line[line.index(after: line.startIndex)..<$0].text.split(separator: " ")
                }
                name = words.map { $0.joined(separator: " ") }
                if let name { sections[name, default: [:]] = sections[name] ?? [:] }
            } else if let name, let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                let key = trimmed(line[..<equals]).lowercased()
                sections[name, default: [:]][key] = trimmed(line[line.index(after: equals)...])
            }
        }
        return sections
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        var rest = text
        while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
        return rest.text
    }

    /// A setting; nil if it is absent or empty.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The keys that the profile has itself.
    var credentials: Credentials? {
        get throws {
            guard let key = self["aws_access_key_id"], let secret = self["aws_secret_access_key"] else {
                return nil
            }
            return try .checked(
                key: key, secret: secret, token: self["aws_session_token"],
                from: "the profile '\(name.excerpt())'")
        }
    }

    /// The failure if the profile gets its keys in a way that only Amazon's tools know.
    var unsupported: Failure? {
        let ways = ["credential_process", "sso_session", "sso_start_url", "role_arn", "login_session"]
        guard let way = ways.first(where: { self[$0] != nil }) else { return nil }
        return Failure(
            .usage, cannot: "use the profile '\(name.excerpt())'",
            "it gets its keys by \(way), which is not supported",
            remedy:
                "let Amazon's tool write them: eval \"$(aws configure export-credentials --format env"
                + " --profile \(ShellWord.quoted(name.excerpt())))\"")
    }
}

extension BucketSettings {
    /// The region and the endpoint of the environment, or else of the profile.
    ///
    /// - Throws: `.usage` if one of them is not valid.
    init(_ environment: Environment, _ profile: Profile?) throws {
        let region =
            environment.first(of: ["AWS_REGION", "AWS_DEFAULT_REGION"]) ?? profile?["region"] ?? "us-east-1"
        guard Self.isRegion(region) else {
            throw Failure(
                .usage, cannot: "use the region '\(region.excerpt())'", "it is not a valid name",
                remedy: "set AWS_REGION, such as eu-central-1")
        }
        let endpoint =
            environment.first(of: ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]) ?? profile?["endpoint_url"]
        self.init(
            region: region, endpoint: try endpoint.map { try Self.endpoint($0, of: "AWS_ENDPOINT_URL") })
    }

    /// The address of a service.
    static func endpoint(_ text: String, of variable: String) throws -> StoreAddress {
        guard let address = StoreAddress(text), !address.isBucket, !address.hasQuery else {
            throw Failure(
                .usage, cannot: "use \(variable)", "it is not an address such as https://HOST", remedy: nil)
        }
        do { try address.check() } catch let failure as Failure { throw failure.inAttempt("use \(variable)") }
        return address
    }
}
