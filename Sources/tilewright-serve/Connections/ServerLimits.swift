import NIOCore
import NIOHTTP1
import Platform

/// What a client may take of the server.
enum ServerLimits {
    /// Connections at a time, as far as the system grants files for them; nginx has 512 or 768 by default.
    static let connections = min(1024, max(16, openFiles - ownFiles))
    /// Open files for all else: databases, images, directories, one for each client that is answered.
    private static let ownFiles = 100
    /// A first request is there so soon after a client has connected.
    static let firstRequest = TimeAmount.seconds(15)
    /// The next one so soon after an answer. Browsers keep connections for minutes.
    static let nextRequest = TimeAmount.seconds(60)
    /// A client that takes no bytes for so long is gone.
    static let stalledAnswer = TimeAmount.seconds(30)
    /// What is only to be read from files is there so soon, or the files are out of reach.
    static let promptAnswer = TimeAmount.seconds(10)
    /// How often these are looked at.
    static let watch = TimeAmount.seconds(5)
    /// Requests that wait behind one that is not answered yet.
    static let pipelined = 16
    /// Bytes that are taken from a client at a time: two pages of requests.
    static let received = 4 << 10
    /// Bytes of an archive that are read at a time, for one client.
    static let slice = 64 << 10
    /// After a signal, answers that are on their way may take so long; others are refused then.
    static let lastAnswers = Duration.milliseconds(400)
    /// And refusals may take so long.
    static let lastRefusals = Duration.milliseconds(200)

    private static let openFiles: Int = {
        var limit = rlimit()
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        guard getrlimit(kind, &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }()

    /// Of the line and the fields of a request. Browsers send about one KiB.
    static let head: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 8 << 10
        limits.maxHeaderListSize = 32 << 10
        limits.maxHeaderFieldCount = 100
        return limits
    }()
}
