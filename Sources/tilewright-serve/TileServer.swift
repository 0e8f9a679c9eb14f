import CommandSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import Platform
import Synchronization
import WebRequests

/// A listening server.
struct TileServer: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    private let table: ConnectionTable
    private let host: String
    /// The port, also if the system chose it.
    let port: Int

    /// Listens on an address.
    ///
    /// - Throws: `.outputRefused` if it is not available.
    static func listen(on address: ListenAddress) async throws -> TileServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        let table = ConnectionTable()
        do {
            let channel = try await bootstrap(group, table)
                .bind(host: address.host, port: address.authority.port ?? 0).get()
            return TileServer(
                group: group, channel: channel, table: table, host: address.authority.host,
                port: channel.localAddress?.port ?? 0)
        } catch {
            let reason =
                (error as? IOError).map { SystemError(code: $0.errnoCode).text }
                ?? "the system does not know the address"
            throw Failure(
                .outputRefused, "cannot listen on \(address.authority): \(reason)",
                remedy: "give another address with --listen HOST:PORT; port 0 chooses a free port")
        }
    }

    /// The addresses to open in a browser. If the server listens on all addresses, those of this machine.
    var addresses: [String] {
        let isEverywhere = ["0.0.0.0", "[::]"].contains(host)
        let hosts = isEverywhere ? Self.ownHosts : []
        return (hosts.isEmpty ? [host] : hosts).map { "http://\(Authority(host: $0, port: port))" }
    }

    /// The machine's IPv4 addresses, which are short enough to type on a phone.
    private static var ownHosts: [String] {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap { device in
            guard case .v4(let address)? = device.address else { return nil }
            return address.host.isEmpty ? device.address?.ipAddress : address.host
        }
    }

    /// The rule for the names of this server.
    func hostRule(allowed: [Authority]) -> HostRule {
        HostRule(listeningOn: host, port: port, allowed: allowed)
    }

    /// Serves until the task is cancelled, then completes current responses.
    ///
    /// - Throws: `CancellationError`.
    func run(_ responder: any Responding) async throws {
        table.set(responder)
        try await channel.setOption(.autoRead, value: true).get()
        channel.read()
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        await end()
        throw CancellationError()
    }

    private func end() async {
        table.end()
        await wait(ServerLimits.lastAnswers)
        table.giveUp()
        await wait(ServerLimits.lastRefusals)
        table.closeAll()
    }

    /// Waits until all connections have ended, at most for the given time.
    private func wait(_ time: Duration) async {
        let clock = ContinuousClock()
        let end = clock.now + time
        // The cancelled task itself could not sleep.
        await Task.detached { [table] in
            while !table.isEmpty, clock.now < end { try? await Task.sleep(for: .milliseconds(5)) }
        }.value
    }

    private static func bootstrap(
        _ group: MultiThreadedEventLoopGroup, _ table: ConnectionTable
    ) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 511)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Connections are accepted only when everything is ready.
            .serverChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: ServerLimits.received)
            )
            .childChannelInitializer { channel in
                guard table.add(channel), let responder = table.responder else {
                    return channel.close()
                }
                return channel.eventLoop.makeCompletedFuture {
                    let decoder = HTTPRequestDecoder(
                        leftOverBytesStrategy: .dropBytes, limitConfiguration: ServerLimits.head)
                    try channel.pipeline.syncOperations.addHandlers(
                        HTTPResponseEncoder(), ByteToMessageHandler(decoder),
                        ConnectionHandler(responder, table: table))
                }
            }
    }
}

/// The open connections. Their number is limited; they get a message when the server ends.
final class ConnectionTable: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        var responder: (any Responding)?
    }

    private let state = Mutex(State())
    private let ending = Atomic(false)

    /// Whether the server ends, so that each response is the last one of its connection.
    var isEnding: Bool { ending.load(ordering: .relaxed) }

    /// The responder; nil at first, because responses depend on the port on which the server listens.
    var responder: (any Responding)? { state.withLock { $0.responder } }

    /// Sets the responder.
    func set(_ responder: any Responding) { state.withLock { $0.responder = responder } }

    /// Adds a connection.
    ///
    /// - Returns: false if there are too many connections, or the server ends.
    func add(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard !isEnding, state.open.count < ServerLimits.connections else { return false }
            state.open[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    /// Removes a closed connection.
    func remove(_ channel: any Channel) {
        state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Ends each connection after its current response; idle connections end at once.
    func end() {
        ending.store(true, ordering: .relaxed)
        tell(.finish)
    }

    /// Refuses requests whose responses are not ready yet.
    func giveUp() { tell(.giveUp) }

    private func tell(_ event: ServerEnds) {
        for channel in state.withLock({ Array($0.open.values) }) {
            channel.pipeline.fireUserInboundEventTriggered(event)
        }
    }

    /// Closes all connections that are still open.
    func closeAll() {
        for channel in state.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
    }

    /// Whether no connection is open.
    var isEmpty: Bool { state.withLock { $0.open.isEmpty } }
}

/// The messages to connections when the server ends.
enum ServerEnds: Sendable {
    /// The connection ends after its current response.
    case finish
    /// Requests whose responses are not ready are refused.
    case giveUp
}

/// The limits of a client.
enum ServerLimits {
    /// Simultaneous connections, within the system's limit of open files; nginx has 512 or 768 by default.
    static let connections = min(1024, max(16, openFiles - ownFiles))
    /// Open files for everything else: databases, images, directories, and one per client with a response.
    private static let ownFiles = 100
    /// The timeout of the first request of a connection.
    static let firstRequest = TimeAmount.seconds(15)
    /// The timeout of the next request. Browsers keep connections for minutes.
    static let nextRequest = TimeAmount.seconds(60)
    /// The timeout of a client that reads no bytes.
    static let stalledAnswer = TimeAmount.seconds(30)
    /// The timeout of responses that are only read from files.
    static let promptAnswer = TimeAmount.seconds(10)
    /// The period of checks for timeouts.
    static let watch = TimeAmount.seconds(5)
    /// Requests of a connection that wait while an earlier request is answered.
    static let pipelined = 16
    /// Bytes that are read from a client at a time.
    static let received = 4 << 10
    /// Bytes of an archive that are read at a time, for one client.
    static let slice = 64 << 10
    /// After a signal, the time for current responses. The rest is then refused.
    static let lastAnswers = Duration.milliseconds(400)
    /// The time for refusals after that.
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

    /// The limits of a request's line and fields. Browsers send about one KiB.
    static let head: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 8 << 10
        limits.maxHeaderListSize = 32 << 10
        limits.maxHeaderFieldCount = 100
        return limits
    }()
}
