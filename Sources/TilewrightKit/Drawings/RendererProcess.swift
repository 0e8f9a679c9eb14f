import Platform
import RenderProtocol
import Synchronization

/// A renderer at work: a process that draws one page of a document. It ends with this object.
///
/// Not safe to share: one request at a time.
final class RendererProcess {
    /// The renderer's first message.
    let greeting: RendererGreeting
    /// The recording of the page that the renderer keeps, if any.
    var recording: DrawRequest.Recording?

    /// The memory that the renderer may take.
    let memory: GrantedMemory

    private let number: pid_t
    private let channel: FrameChannel
    private let limits: RendererLimits
    /// The renderer's exit status, once it is known; wait(2).
    private var ending: Int32?

    /// Starts a renderer.
    ///
    /// - Parameters:
    ///   - document: the open document.
    ///   - memory: the renderer's share, which the request to open the page contains.
    /// - Throws: a `SystemError` if the process cannot be started, a `ProcessEnd` if the program is not
    ///   tilewright's renderer.
    init(
        _ program: CompanionProgram, document: borrowing FileDescriptor, memory: GrantedMemory,
        limits: RendererLimits
    ) throws {
        var number: pid_t = 0
        channel = try document.withNumber { document in
            try ProcessStart.turn.withLock { _ in
                let requests = try Pipe()
                let answers = try Pipe()
                number = try requests.reading.withNumber { input in
                    try answers.writing.withNumber { output in
                        try ProcessStart.spawn(
                            program.path, files: [0: input, 1: output, Frame.documentDescriptor: document])
                    }
                }
                return FrameChannel(input: answers.reading, output: requests.writing)
            }
        }
        self.number = number
        (self.memory, self.limits) = (memory, limits)
        do throws(FrameChannel.Trouble) {
            greeting = try channel.receive(.greeting, within: limits.wait).decoded()
            if greeting.version != Frame.version { throw .strange }
        } catch {
            let status = ProcessStart.end(number)
            ending = status
            throw error == .ended
                ? ProcessEnd(status: status, seconds: 0)
                : ProcessEnd(cause: error == .cancelled ? .cancelled : .strange, seconds: 0)
        }
    }

    deinit { if ending == nil { ProcessStart.end(number) } }

    /// Sends a request, and waits for the answer.
    ///
    /// - Parameter read: reads the answer; nil if it does not belong to this request.
    /// - Returns: the answer, or the renderer's failure.
    /// - Throws: the reason why the renderer ended or was killed.
    func ask<Answer>(
        _ request: Frame, for kind: Frame.Kind, _ read: (Frame) -> Answer?
    ) throws(ProcessEnd) -> Result<Answer, RendererFailure> {
        do throws(FrameChannel.Trouble) {
            try channel.send(request)
            let frame = try channel.receive(kind, .failure, within: limits.wait)
            if frame.kind == .failure { return .failure(try frame.decoded()) }
            guard let answer = read(frame) else { throw .strange }
            return .success(answer)
        } catch { throw end(after: error) }
    }

    private func end(after trouble: FrameChannel.Trouble) -> ProcessEnd {
        switch trouble {
        case .late: return ProcessEnd(cause: .late, seconds: limits.wait)
        case .cancelled: return ProcessEnd(cause: .cancelled, seconds: 0)
        case .strange: return ProcessEnd(cause: .strange, seconds: 0)
        case .ended, .system:
            // The renderer is about to exit. Its status tells the reason. If it only closed its pipes, it is
            // killed.
            let status = ending ?? ProcessStart.waitBriefly(number)
            ending = status
            return ProcessEnd(status: status, seconds: limits.seconds)
        }
    }
}

extension ProcessEnd {
    /// The error to report: a `Failure`, or a `CancellationError`.
    ///
    /// - Parameter attempt: the action that failed, such as `draw 'plan.pdf'`.
    func error(_ attempt: String) -> any Error {
        switch cause {
        case .cancelled: CancellationError()
        case .late, .used:
            Failure(
                .badInput, cannot: attempt, "the renderer timed out (limit: \(seconds) s)",
                remedy: "simplify the document, or raise TILEWRIGHT_RENDER_SECONDS in the environment")
        case .strange:
            Failure(
                .systemLimit, cannot: attempt,
                "'tilewright-render' uses another version of the protocol",
                remedy: "install both from the same release")
        case .killed:
            Failure(
                .systemLimit, cannot: attempt, "the renderer was killed",
                remedy: "run the same command again, with fewer --jobs if memory was short")
        case .crashed(let signal):
            Failure(
                .badInput, cannot: attempt, "the renderer crashed on it (signal \(signal))",
                remedy: "the document is most likely damaged: print it to a new PDF")
        case .left(let status):
            Failure(
                .systemLimit, cannot: attempt, "the renderer ended with status \(status)",
                remedy: "check whether 'tilewright-render --version' runs")
        }
    }
}
