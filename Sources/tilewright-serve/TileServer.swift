import CommandSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import Platform
import Synchronization
import WebRequests

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A server that listens.
struct TileServer: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    private let table: ConnectionTable
    private let host: String
    private let port: Int

    /// Listens on an address.
    ///
    /// - Throws: `.outputRefused` if that cannot be had.
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
            throw Failure(
                .outputRefused, "cannot listen on \(address.authority): \(Self.reason(error))",
                remedy: "give another address with --listen HOST:PORT; port 0 takes a free one")
        }
    }

    /// The addresses, as browsers take them; those of this machine if the server listens on all.
    var addresses: [String] {
        let isEverywhere = ["0.0.0.0", "[::]"].contains(host)
        let hosts = isEverywhere ? Self.ownHosts : []
        return (hosts.isEmpty ? [host] : hosts).map { "http://\(Authority(host: $0, port: port))" }
    }

    /// The machine's addresses of IPv4, which are short enough to be typed on a phone.
    private static var ownHosts: [String] {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap { device in
            guard case .v4(let address)? = device.address else { return nil }
            return address.host.isEmpty ? device.address?.ipAddress : address.host
        }
    }

    /// Which hosts are this server.
    func hostRule(allowed: [Authority]) -> HostRule {
        HostRule(listeningOn: host, port: port, allowed: allowed)
    }

    /// Serves until the task is cancelled; then ends with the answers that are on their way.
    ///
    /// - Throws: `CancellationError`.
    func run(_ responder: Responder) async throws {
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

    /// Waits until all connections have ended, but no longer than a while.
    private func wait(_ time: Duration) async {
        let clock = ContinuousClock()
        let end = clock.now + time
        // The task is cancelled, and would not sleep.
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
            // No connection is accepted before everything is ready.
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

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? IOError else { return "the system does not know the address" }
        return SystemError(code: error.errnoCode).text
    }
}

/// The open connections, a limited number. They get a message when the server ends.
final class ConnectionTable: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        var responder: Responder?
    }

    private let state = Mutex(State())
    private let ending = Atomic(false)

    /// Whether answers are the last ones of their connections.
    var isEnding: Bool { ending.load(ordering: .relaxed) }

    /// Answers requests; nil at first, since answers depend on the port on which the server listens.
    var responder: Responder? { state.withLock { $0.responder } }

    /// Sets what answers requests.
    func set(_ responder: Responder) { state.withLock { $0.responder = responder } }

    /// Adds a connection.
    ///
    /// - Returns: false if there are too many, or the server ends.
    func add(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard !isEnding, state.open.count < ServerLimits.connections else { return false }
            state.open[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    /// Forgets a connection that is closed.
    func remove(_ channel: any Channel) {
        state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Lets connections end with the current answer, and those without one at once.
    func end() {
        ending.store(true, ordering: .relaxed)
        tell(.finish)
    }

    /// Refuses answers that are not ready yet.
    func giveUp() { tell(.giveUp) }

    private func tell(_ event: ServerEnds) {
        for channel in state.withLock({ Array($0.open.values) }) {
            channel.pipeline.fireUserInboundEventTriggered(event)
        }
    }

    /// Ends what is still open.
    func closeAll() {
        for channel in state.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
    }

    /// Whether nothing is open any more.
    var isEmpty: Bool { state.withLock { $0.open.isEmpty } }
}

/// The messages to connections when the server ends.
enum ServerEnds: Sendable {
    /// They end with the answer that is on its way.
    case finish
    /// Answers that are not ready are refused.
    case giveUp
}

/// The limits of a client.
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
