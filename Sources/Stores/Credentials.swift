import Platform
import Synchronization

/// A key to buckets. It is in no message.
struct Credentials: Equatable {
    var key: String
    var secret: String
    var token: String?
    /// Seconds since 1970; nil if it lasts.
    var expiry: Int?

    /// Checks values that come from outside: they become lines of a request.
    ///
    /// - Throws: `.usage`: the message names only where they come from.
    static func checked(
        key: String, secret: String, token: String?, expiry: Int? = nil, from source: String
    ) throws -> Credentials {
        let isToken = { (text: String) in
            !text.isEmpty && text.utf8.count <= 16384 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        }
        let token = token == "" ? nil : token
        guard isToken(key), isToken(secret), !key.utf8.contains(UInt8(ascii: ":")), token.map(isToken) ?? true
        else {
            throw Failure(
                .usage, cannot: "use the credentials of \(source)",
                "a value is empty or has an invalid character")
        }
        return Credentials(key: key, secret: secret, token: token, expiry: expiry)
    }
}

/// What the environment says about credentials; a value that is empty counts as absent.
struct Environment: Sendable {
    private let value: @Sendable (String) -> String?

    /// The environment of the process.
    static let process = Environment { name in getenv(name).map { String(cString: $0) } }

    init(_ value: @escaping @Sendable (String) -> String?) { self.value = value }

    subscript(name: String) -> String? { value(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// The first of several variables that is set.
    func first(of names: [String]) -> String? { names.lazy.compactMap { self[$0] }.first }
}

/// The credentials of this process: found when they are first needed, and renewed before they expire.
final class CredentialSource: Sendable {
    private struct State {
        var isLoaded = false
        var current: Credentials?
    }

    /// Credentials are renewed when they last for less than this many seconds.
    private static let reserve = 300

    private let load: @Sendable () throws -> Credentials?
    private let now: @Sendable () -> Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - load: finds the credentials; nil if there are none.
    init(
        now: @escaping @Sendable () -> Int = { Platform.time(nil) },
        load: @escaping @Sendable () throws -> Credentials?
    ) {
        (self.now, self.load) = (now, load)
    }

    /// The credentials; nil without any. Other threads wait while they are loaded.
    func current() throws -> Credentials? {
        try state.withLock { state in
            let now = now()
            let rest = state.current?.expiry.map { $0 - now }
            if state.isLoaded, rest.map({ $0 > Self.reserve }) ?? true { return state.current }
            do { state.current = try load() } catch {
                // Those that still last do for now.
                if let rest, rest > 0 { return state.current }
                throw error
            }
            state.isLoaded = true
            return state.current
        }
    }
}

/// Finds credentials, in the order of Amazon's tools.
struct CredentialChain: Sendable {
    let environment: Environment
    let profile: Profile?
    let settings: BucketSettings
    let transfers: Transfers

    /// The first credentials that are there; nil without any.
    func load() throws -> Credentials? {
        if let key = environment["AWS_ACCESS_KEY_ID"] {
            guard let secret = environment["AWS_SECRET_ACCESS_KEY"] else {
                throw Failure(
                    .usage, cannot: "use AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY is not set", remedy: nil)
            }
            return try .checked(
                key: key, secret: secret, token: environment["AWS_SESSION_TOKEN"], from: "the environment")
        }
        if let found = try profile?.credentials { return found }
        if let file = environment["AWS_WEB_IDENTITY_TOKEN_FILE"] ?? profile?["web_identity_token_file"],
            let role = environment["AWS_ROLE_ARN"] ?? profile?["role_arn"]
        {
            return try webIdentity(tokenFile: file, role: role)
        }
        if let trouble = profile?.unsupported { throw trouble }
        return try container()
    }
}
