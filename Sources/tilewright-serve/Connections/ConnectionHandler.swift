import NIOCore
import NIOHTTP1

/// A connection: requests in, answers out, in their order and one at a time.
///
/// A client that does not take its answers is not read from any more, and so costs one answer at most.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    private let responder: Responder
    private let table: ConnectionTable
    private var arrivals = CircularBuffer<Arrival>()
    private var assembler = RequestAssembler()
    /// An answer is on its way.
    private var isAnswering = false
    /// What makes the answer that is on its way.
    private var work: Task<Void, Never>?
    /// Nothing more is taken: after a fault, or when the client has said its last.
    private var isDeaf = false
    private var wantsRead = false
    private var hasWritten = false
    /// Until when something has to happen.
    private var deadline = NIODeadline.distantFuture
    private var clock: Scheduled<Void>?

    init(_ responder: Responder, table: ConnectionTable) { (self.responder, self.table) = (responder, table) }

    // The connection

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = .now() + ServerLimits.firstRequest
        watch(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        clock?.cancel()
        work?.cancel()
        arrivals.removeAll()
        table.remove(context.channel)
        context.fireChannelInactive()
    }

    /// Looks at the clock now and then: a timer for each request would cost more than the request.
    private func watch(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        clock = context.eventLoop.scheduleTask(in: ServerLimits.watch) {
            let (handler, context) = bound.value
            if NIODeadline.now() > handler.deadline {
                context.close(promise: nil)
            } else {
                handler.watch(context)
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ServerEnds: closeIfIdle(context)
        case ChannelEvent.inputClosed:
            isDeaf = true
            // Who has gone looks like who has asked for everything: what takes long is given up.
            if work != nil { context.close(promise: nil) } else { closeIfIdle(context) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func closeIfIdle(_ context: ChannelHandlerContext) {
        if !isAnswering, arrivals.isEmpty { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let fault = error as? HTTPParserError else {
            context.close(promise: nil)
            return
        }
        guard !isDeaf else { return }
        arrive(.fault(Self.answer(to: fault)))
        goOn(context)
    }

    private static func answer(to fault: HTTPParserError) -> Response {
        switch fault {
        case .headerOverflow:
            .text(
                .requestHeaderFieldsTooLarge,
                "the line or a field of the request is too long, or there are too many")
        case .invalidVersion: .text(.httpVersionNotSupported, "this server speaks HTTP/1.1")
        default: .text(.badRequest, "this is not a request of HTTP/1.1")
        }
    }

    // Requests

    /// Reads no further while requests wait.
    func read(context: ChannelHandlerContext) {
        if arrivals.count < ServerLimits.pipelined, !isDeaf {
            context.read()
        } else {
            wantsRead = true
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDeaf { return }
        let arrival = assembler.take(unwrapInboundIn(data)) { responder.longestBody(of: $0) }
        if let arrival { arrive(arrival) }
        goOn(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush(context)
        context.fireChannelReadComplete()
    }

    private func arrive(_ arrival: Arrival) {
        if case .fault = arrival { isDeaf = true }
        arrivals.append(arrival)
    }

    // Answers

    /// Answers what has arrived, as far as the client takes it.
    private func goOn(_ context: ChannelHandlerContext) {
        while !isAnswering, context.channel.isWritable, let arrival = arrivals.popFirst() {
            switch arrival {
            case .fault(let response): send(response, to: nil, context)
            case .request(let request): answer(request, context)
            }
        }
        if wantsRead, arrivals.count < ServerLimits.pipelined, !isDeaf {
            wantsRead = false
            context.read()
        }
    }

    private func answer(_ request: Request, _ context: ChannelHandlerContext) {
        switch responder.answer(request) {
        case .ready(let response): send(response, to: request, context)
        case .later(let work):
            isAnswering = true
            // It takes what it takes.
            deadline = .distantFuture
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            let loop = context.eventLoop
            self.work = Task {
                let response = await work()
                loop.execute {
                    let (handler, context) = bound.value
                    handler.finish(response, to: request, context)
                }
            }
        }
    }

    private func finish(_ response: Response, to request: Request, _ context: ChannelHandlerContext) {
        work = nil
        guard context.channel.isActive else { return }
        send(response, to: request, context)
        goOn(context)
        flush(context)
    }

    /// - Parameter request: nil if the connection ends with the answer.
    private func send(_ response: Response, to request: Request?, _ context: ChannelHandlerContext) {
        let isLast = !(request?.head.isKeepAlive ?? false) || table.isEnding || isDeaf && arrivals.isEmpty
        let head = ResponseHead.head(of: response, closes: isLast, to: request?.head)
        deadline = .now() + ServerLimits.stalledAnswer
        isAnswering = true
        hasWritten = true
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let hasBody = ResponseHead.hasBody(response, to: request?.head)
        send(hasBody ? response.body : .bytes([]), from: 0, isLast: isLast, context)
    }

    /// Sends what is left of a body, a slice after the other as the client takes them.
    private func send(_ body: Response.Body, from start: Int, isLast: Bool, _ context: ChannelHandlerContext)
    {
        let end = min(start + ServerLimits.slice, body.count)
        guard start < end else { return self.end(isLast: isLast, context) }
        guard let slice = body.slice(start..<end, in: context.channel.allocator) else {
            // Its length was said: the client sees that it is not whole.
            return context.close(promise: nil)
        }
        let part = wrapOutboundOut(.body(.byteBuffer(slice)))
        hasWritten = true
        guard end < body.count else {
            context.write(part, promise: nil)
            return self.end(isLast: isLast, context)
        }
        deadline = .now() + ServerLimits.stalledAnswer
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        context.writeAndFlush(part).whenSuccess {
            // In a turn of its own: a client that takes all at once would have each slice send the next one
            // on the same stack, and others wait.
            loop.execute {
                let (handler, context) = bound.value
                guard context.channel.isActive else { return }
                handler.send(body, from: end, isLast: isLast, context)
                handler.goOn(context)
                handler.flush(context)
            }
        }
    }

    private func end(isLast: Bool, _ context: ChannelHandlerContext) {
        guard isLast else {
            context.write(wrapOutboundOut(.end(nil)), promise: nil)
            isAnswering = false
            deadline = .now() + ServerLimits.nextRequest
            return
        }
        isDeaf = true
        arrivals.removeAll()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }

    private func flush(_ context: ChannelHandlerContext) {
        guard hasWritten else { return }
        hasWritten = false
        context.flush()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            goOn(context)
            flush(context)
        }
        context.fireChannelWritabilityChanged()
    }
}
