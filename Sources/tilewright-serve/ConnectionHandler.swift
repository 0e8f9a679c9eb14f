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
    /// What makes the answer that is on its way, the request, and whether it takes little unless files hang.
    private var work: (task: Task<Void, Never>, request: Request, isPrompt: Bool)?
    /// Tells work from earlier work that was given up.
    private var workNumber = 0
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
        work?.task.cancel()
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
                guard handler.work != nil else { return context.close(promise: nil) }
                handler.giveUp(context)
            }
            handler.watch(context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ServerEnds.finish: closeIfIdle(context)
        case ServerEnds.giveUp: giveUp(context)
        case ChannelEvent.inputClosed:
            isDeaf = true
            // A half-closed connection looks like a disconnected one: what may take long is given up.
            if let work, !work.isPrompt {
                context.close(promise: nil)
            } else {
                closeIfIdle(context)
            }
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
        if let arrival = assembler.take(unwrapInboundIn(data), for: responder) { arrive(arrival) }
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
        if assembler.waitsToBeAsked, !isAnswering, arrivals.isEmpty { askForBody(context) }
        if wantsRead, arrivals.count < ServerLimits.pipelined, !isDeaf {
            wantsRead = false
            context.read()
        }
    }

    private func answer(_ request: Request, _ context: ChannelHandlerContext) {
        switch responder.answer(request) {
        case .ready(let response): send(response, to: request, context)
        case .later(let answer):
            isAnswering = true
            // What is rendered takes what it takes.
            deadline = answer.isPrompt ? .now() + ServerLimits.promptAnswer : .distantFuture
            workNumber += 1
            let number = workNumber
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            let loop = context.eventLoop
            let task = Task(executorPreference: answer.threads) {
                let response = await answer.make()
                loop.execute {
                    let (handler, context) = bound.value
                    handler.finish(number, response, context)
                }
            }
            work = (task, request, answer.isPrompt)
        }
    }

    private func finish(_ number: Int, _ response: Response, _ context: ChannelHandlerContext) {
        guard let work, number == workNumber else { return }
        self.work = nil
        guard context.channel.isActive else { return }
        send(response, to: work.request, context)
        goOn(context)
        flush(context)
    }

    /// Refuses what is not ready. What makes it is cancelled; it may hang, and is not waited for.
    private func giveUp(_ context: ChannelHandlerContext) {
        guard let work else { return }
        work.task.cancel()
        finish(workNumber, Responder.notReady, context)
    }

    /// Lets a client send the body that it has announced.
    private func askForBody(_ context: ChannelHandlerContext) {
        assembler.finishAsking()
        hasWritten = true
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }

    /// - Parameter request: nil if the connection ends with the answer.
    private func send(_ response: Response, to request: Request?, _ context: ChannelHandlerContext) {
        let isLast = !(request?.head.isKeepAlive ?? false) || table.isEnding || isDeaf && arrivals.isEmpty
        let head = response.head(closes: isLast, to: request?.head)
        deadline = .now() + ServerLimits.stalledAnswer
        isAnswering = true
        hasWritten = true
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let hasBody = response.hasBody(to: request?.head)
        send(hasBody ? response.body : .bytes([]), from: 0, isLast: isLast, context)
    }

    /// Sends what is left of a body, a slice after the other as the client takes them.
    private func send(_ body: Response.Body, from start: Int, isLast: Bool, _ context: ChannelHandlerContext)
    {
        let end = min(start + ServerLimits.slice, body.count)
        guard start < end else { return self.end(isLast: isLast, context) }
        let allocator = context.channel.allocator
        switch body {
        case .bytes(let bytes):
            send(allocator.buffer(bytes: bytes[start..<end]), at: start, of: body, isLast: isLast, context)
        case .file(let file, let whole, let threads):
            let range = whole.lowerBound + start..<whole.lowerBound + end
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            let loop = context.eventLoop
            Task(executorPreference: threads) {
                let buffer = file.bytes(range).map(allocator.buffer(bytes:))
                loop.execute {
                    let (handler, context) = bound.value
                    guard context.channel.isActive else { return }
                    handler.send(buffer, at: start, of: body, isLast: isLast, context)
                    handler.goOn(context)
                    handler.flush(context)
                }
            }
        }
    }

    /// Sends some bytes of a body, and then what is left of it.
    private func send(
        _ slice: ByteBuffer?, at start: Int, of body: Response.Body, isLast: Bool,
        _ context: ChannelHandlerContext
    ) {
        // Its length was said: the client sees that it is not whole.
        guard let slice else { return context.close(promise: nil) }
        let end = start + slice.readableBytes
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
