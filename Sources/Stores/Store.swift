import CTransfer
package import Platform
import Synchronization

/// Reads files on web servers and objects in buckets, and writes objects. Its functions block; any number of threads
/// may call them at once. They repeat requests that fail by accident.
package final class Store: Sendable {
    let transfers: Transfers
    private let redirects = Redirects()
    private let environment: Environment
    private let pauses: Double
    /// Made at the first use of a bucket.
    private let found = Mutex<Buckets?>(nil)

    private static let common = Mutex<Store?>(nil)

    /// The store of this process, which reads the environment. Loads libcurl at the first call.
    ///
    /// - Throws: `.systemLimit` without libcurl; `.usage` if TILEWRIGHT_TIMEOUT is not valid.
    package static func shared() throws -> Store {
        try common.withLock { common in
            if let common { return common }
            let store = try Store(.process)
            common = store
            return store
        }
    }

    /// libcurl, which is loaded to learn its version.
    package static var libraryVersion: LibraryVersion {
        LibraryVersion("libcurl", ct_version().map { String(cString: $0) })
    }

    /// - Parameters:
    ///   - environment: has the settings.
    ///   - pauses: a factor for the pauses before repeats; 1, except in tests.
    init(_ environment: Environment, pauses: Double = 1) throws {
        guard ct_version() != nil else {
            throw Failure(
                .systemLimit, cannot: "use addresses on the web", "libcurl is not installed",
                remedy: "apt install libcurl4")
        }
        var seconds: Int?
        if let text = environment["TILEWRIGHT_TIMEOUT"] {
            seconds = Answer.count(text)
            guard let seconds, (1...86400).contains(seconds) else {
                throw Failure(
                    .usage, cannot: "use TILEWRIGHT_TIMEOUT", "it is not a number of seconds from 1 to 86400")
            }
        }
        (self.environment, self.pauses) = (environment, pauses)
        transfers = Transfers(certificates: environment["SSL_CERT_FILE"], seconds: seconds)
    }

    func buckets() throws -> Buckets {
        try found.withLock { found in
            if let found { return found }
            let profile = try Profile(environment)
            let settings = try BucketSettings(environment, profile)
            let chain = CredentialChain(
                environment: environment, profile: profile, settings: settings, transfers: transfers)
            let buckets = Buckets(settings: settings, credentials: CredentialSource { try chain.load() })
            found = buckets
            return buckets
        }
    }

    /// Calls `body` until it succeeds, as often as troubles are temporary.
    ///
    /// - Parameters:
    ///   - verb: what is tried: `read`, `write`.
    ///   - progress: a count that grows when something has come: after each MiB, repeats count from 0.
    func attempt<Result>(
        _ verb: String, _ address: StoreAddress, progress: () -> Int = { 0 }, _ body: () throws -> Result
    ) throws -> Result {
        try Retries.repeating(
            "\(verb) \(address.quotedTitle)", scale: pauses, progress: progress, body)
    }

    /// Sends a request once; follows redirects and corrections of the region.
    ///
    /// - Returns: the reply, which may say an error.
    func get(_ address: StoreAddress, headers: [String], into sink: any BodySink) throws -> Reply {
        if address.isBucket {
            return try request("GET", address, headers: headers, into: sink)
        }
        if let target = redirects.target(of: address) {
            do {
                let reply = try follow(target, headers: headers, into: sink).reply
                if ![401, 403, 404, 410].contains(reply.answer.status) { return reply }
                redirects.forget(address)
            } catch {
                redirects.forget(address)
                throw error
            }
        }
        let (reply, end) = try follow(address, headers: headers, into: sink)
        if end != address, (200..<300).contains(reply.answer.status) { redirects.note(end, of: address) }
        return reply
    }

    private func follow(
        _ address: StoreAddress, headers: [String], into sink: any BodySink
    ) throws -> (reply: Reply, end: StoreAddress) {
        var current = address
        for _ in 0...Redirects.most {
            let exchange = Exchange(url: current.url, isLocal: current.scheme == .http, headers: headers)
            let reply = try transfers.perform(exchange, into: sink)
            if ![301, 302, 303, 307, 308].contains(reply.answer.status) { return (reply, current) }
            current = try current.redirected(by: reply.answer)
        }
        throw Trouble.refusal("the server redirects more than \(Redirects.most) times")
    }

    /// Sends a request for an object once, or twice if the region was wrong.
    func request(
        _ method: String, _ address: StoreAddress, headers: [String] = [], body: Exchange.Body = .none,
        into sink: any BodySink
    ) throws -> Reply {
        let buckets = try buckets()
        let send = {
            try self.transfers.perform(
                try buckets.exchange(method, address, headers: headers, body: body), into: sink)
        }
        let reply = try send()
        return buckets.corrects(reply, of: address) ? try send() : reply
    }

    /// The trouble of a reply that is not a success.
    func trouble(_ reply: Reply, of address: StoreAddress, isWriting: Bool = false) throws -> Trouble {
        let hasCredentials = address.isBucket ? try buckets().hasCredentials() : false
        return Trouble(
            status: reply.answer.status, code: reply.element("Code"), isBucket: address.isBucket,
            isWriting: isWriting, hasCredentials: hasCredentials, retryAfter: reply.answer.retryAfter)
    }

    /// Checks an address of a file.
    func check(_ address: StoreAddress) throws {
        try address.check()
        if address.isBucket, address.path.isEmpty || address.fileName.isEmpty {
            throw Failure(
                .usage, cannot: "use \(address.quotedTitle)", "it names no object",
                remedy: "write s3://BUCKET/KEY")
        }
    }
}
