import NIOCore
import NIOHTTP1

/// A connection: it answers requests in order, one at a time.
///
/// While a client does not read a response, its requests are not read: so it costs one response at most.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    private let responder: any Responding
    private let table: ConnectionTable
    private var arrivals = CircularBuffer<Arrival>()
    private var assembler = RequestAssembler()
    /// Whether a response is being made or sent.
    private var isAnswering = false
    /// The task that makes the response, the request, and whether the response should be fast.
    private var work: (task: Task<Void, Never>, request: Request, isPrompt: Bool)?
    /// A number that distinguishes current work from cancelled work.
    private var workNumber = 0
    /// Whether reading has ended: after a fault or the last response, or when the client has closed its side.
    private var isDeaf = false
    private var wantsRead = false
    private var hasWritten = false
    /// The time of the next timeout.
    private var deadline = NIODeadline.distantFuture
    private var clock: Scheduled<Void>?

    init(_ responder: any Responding, table: ConnectionTable) {
        (self.responder, self.table) = (responder, table)
    }

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

    /// Checks for timeouts periodically, because a timer for each request would cost more than the request.
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
            // A half-closed connection looks like a disconnected one, so slow work is cancelled.
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
                "the line or a field of the request is too long, or there are too many fields")
        case .invalidVersion: .text(.httpVersionNotSupported, "this server supports HTTP/1.1")
        default: .text(.badRequest, "this is not an HTTP/1.1 request")
        }
    }

    // Requests

    /// Stops reading while too many requests wait.
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

    /// Answers the requests that have arrived, as long as the client reads.
    private func goOn(_ context: ChannelHandlerContext) {
        while !isAnswering, context.channel.isWritable, let arrival = arrivals.popFirst() {
            switch arrival {
            case .fault(let response): send(response, to: nil, context)
            case .request(let request):
                switch responder.answer(request) {
                case .ready(let response): send(response, to: request, context)
                case .later(let answer): start(answer, to: request, context)
                }
            }
        }
        if assembler.waitsToBeAsked, !isAnswering, arrivals.isEmpty {
            assembler.waitsToBeAsked = false
            hasWritten = true
            context.write(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
        if wantsRead, arrivals.count < ServerLimits.pipelined, !isDeaf {
            wantsRead = false
            context.read()
        }
    }

    private func start(_ answer: LaterAnswer, to request: Request, _ context: ChannelHandlerContext) {
        isAnswering = true
        // Rendering has no timeout.
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

    private func finish(_ number: Int, _ response: Response, _ context: ChannelHandlerContext) {
        guard let work, number == workNumber else { return }
        self.work = nil
        guard context.channel.isActive else { return }
        send(response, to: work.request, context)
        goOn(context)
        flush(context)
    }

    /// Refuses a request whose response is not ready. The task is cancelled, but not awaited, because it may
    /// hang.
    private func giveUp(_ context: ChannelHandlerContext) {
        guard let work else { return }
        work.task.cancel()
        finish(workNumber, Responder.notReady, context)
    }

    /// - Parameter request: nil if the connection ends with the response.
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

    /// Sends the rest of a body, slice by slice as the client reads them.
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

    /// Sends some bytes of a body, and then the rest.
    private func send(
        _ slice: ByteBuffer?, at start: Int, of body: Response.Body, isLast: Bool,
        _ context: ChannelHandlerContext
    ) {
        // The client knows the length, and notices that the body is incomplete.
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
            // In a separate turn of the loop: otherwise each slice for a fast client would send the next one
            // recursively, and other clients would wait.
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
