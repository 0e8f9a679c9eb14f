import CommandSupport
import Platform
import NIOCore
import NIOHTTP1
import NIOPosix
import WebRequests

/// A server that listens.
struct TileServer: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    private let table: ConnectionTable
    private let responder: ResponderBox
    private let host: String
    private let port: Int

    /// Listens on an address.
    ///
    /// - Throws: `.outputRefused` if that cannot be had.
    static func listen(on address: ListenAddress) async throws -> TileServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        let (table, responder) = (ConnectionTable(), ResponderBox())
        do {
            let channel = try await bootstrap(group, table, responder)
                .bind(host: address.host, port: address.authority.port ?? 0).get()
            return TileServer(group: group, channel: channel, table: table, responder: responder, address)
        } catch {
            throw Failure(
                .outputRefused, "cannot listen on \(address.authority): \(Self.reason(error))",
                remedy: "give another address with --listen HOST:PORT; port 0 takes a free one")
        }
    }

    private init(
        group: MultiThreadedEventLoopGroup, channel: any Channel, table: ConnectionTable,
        responder: ResponderBox, _ address: ListenAddress
    ) {
        (self.group, self.channel, self.table, self.responder) = (group, channel, table, responder)
        host = address.authority.host
        port = channel.localAddress?.port ?? 0
    }

    /// The addresses, as browsers take them: of a server on all addresses, those of this machine.
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
        self.responder.set(responder)
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
        _ group: MultiThreadedEventLoopGroup, _ table: ConnectionTable, _ responder: ResponderBox
    ) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 511)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Nobody is let in before everything is ready.
            .serverChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: ServerLimits.received)
            )
            .childChannelInitializer { channel in
                guard table.add(channel), let responder = responder.value else {
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
