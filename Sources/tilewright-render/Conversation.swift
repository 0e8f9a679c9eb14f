import CDocuments
import RenderProtocol

/// The renderer's side of the protocol: it opens a document, and draws windows of its page.
struct Conversation: ~Copyable {
    private let channel: FrameChannel
    /// The file descriptor of the channel's pipe, for the last message before the process ends.
    private let output: Int32
    private var page: OpenPage?
    /// The limit of CPU time for each response, in seconds.
    private var seconds = 0

    /// Uses a channel, whose output is the given file descriptor.
    init(channel: consuming FrameChannel, output: Int32) {
        self.channel = channel
        self.output = output
    }

    /// Answers requests until the connection ends or fails; then throws.
    mutating func run() throws(FrameChannel.Trouble) {
        try send(
            .greeting, RendererGreeting(version: Frame.version, libraries: String(cString: cd_libraries())))
        while true {
            let request = try channel.receive(.open, .draw)
            do throws(Refusal) {
                if request.kind == .open { try open(request) } else { try draw(request) }
            } catch {
                switch error {
                case .failure(let failure): try send(.failure, failure)
                case .trouble(let trouble): throw trouble
                }
            }
        }
    }

    private mutating func open(_ frame: Frame) throws(Refusal) {
        guard let request = try? frame.decoded(as: OpenRequest.self) else {
            throw .failure(RendererFailure(.request, "the request to open a page is not understood"))
        }
        guard page == nil else { throw .failure(RendererFailure(.request, "a page is open already")) }
        guard 1...Self.mostSeconds ~= request.seconds, request.memory > 0 else {
            throw .failure(RendererFailure(.request, "the limits of memory and time are out of range"))
        }
        seconds = request.seconds
        boundMemory(request.memory)
        cd_bound_seconds(Int64(seconds))
        let opened = try OpenPage(request)
        let description = opened.description
        page = consume opened
        try answer { channel throws(FrameChannel.Trouble) in
            try channel.send(.describing(.page, description))
        }
    }

    private func draw(_ frame: Frame) throws(Refusal) {
        guard let request = DrawRequest(frame.payload) else {
            throw .failure(RendererFailure(.request, "the request for pixels is not understood"))
        }
        guard page != nil else { throw .failure(RendererFailure(.request, "no page is open")) }
        cd_bound_seconds(Int64(seconds))
        try page?.draw(request) { form, bytes throws(Refusal) in
            try answer { channel throws(FrameChannel.Trouble) in
                try channel.send(.pixels, PagePixels.header(form), bytes)
            }
        }
    }

    /// Sets the limit of memory, and the frame that is sent if a library fails because of it.
    private func boundMemory(_ bytes: Int) {
        let megabytes = max(1, bytes >> 20)
        let failure = RendererFailure(.memory, "it takes more than \(megabytes) MB of memory")
        guard let words = try? Frame(.failure, describing: failure).bytes else { return }
        // These bytes are never freed, because they are read when the process ends.
        let kept = UnsafeMutableRawBufferPointer.allocate(byteCount: words.count, alignment: 1)
        kept.copyBytes(from: words)
        cd_bound_memory(Int64(bytes), output, kept.baseAddress, kept.count)
    }

    private func answer(
        _ body: (borrowing FrameChannel) throws(FrameChannel.Trouble) -> Void
    ) throws(Refusal) {
        do throws(FrameChannel.Trouble) { try body(channel) } catch { throw .trouble(error) }
    }

    /// A day.
    private static let mostSeconds = 86400

    private func send(_ kind: Frame.Kind, _ value: some Encodable) throws(FrameChannel.Trouble) {
        try channel.send(.describing(kind, value))
    }
}

/// The reason why a request fails.
enum Refusal: Error {
    /// An error that is sent to the other side.
    case failure(RendererFailure)
    /// The connection ended or failed.
    case trouble(FrameChannel.Trouble)
}

extension Frame {
    /// A frame with JSON.
    static func describing(_ kind: Kind, _ value: some Encodable) throws(FrameChannel.Trouble) -> Frame {
        // Writing JSON fails only for numbers that are not finite.
        do { return try Frame(kind, describing: value) } catch { throw .strange }
    }
}
