import CDocuments
import RenderProtocol

/// A renderer's side of a conversation: a document is opened, and windows of its page are drawn.
struct Conversation: ~Copyable {
    private let channel: FrameChannel
    private var page: OpenPage?

    /// Speaks through a channel.
    init(channel: consuming FrameChannel) { self.channel = channel }

    /// Answers requests until the other side is gone.
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
        try page?.draw(request) { form, bytes throws(Refusal) in
            try answer { channel throws(FrameChannel.Trouble) in
                try channel.send(.pixels, DrawnPixels.header(form), bytes)
            }
        }
    }

    private func answer(
        _ body: (borrowing FrameChannel) throws(FrameChannel.Trouble) -> Void
    ) throws(Refusal) {
        do throws(FrameChannel.Trouble) { try body(channel) } catch { throw .trouble(error) }
    }

    private func send(_ kind: Frame.Kind, _ value: some Encodable) throws(FrameChannel.Trouble) {
        try channel.send(.describing(kind, value))
    }
}

/// Why a request has no other answer.
enum Refusal: Error {
    /// The other side is told so.
    case failure(RendererFailure)
    /// There is nobody to tell.
    case trouble(FrameChannel.Trouble)
}

extension Frame {
    /// A frame whose bytes are JSON.
    static func describing(_ kind: Kind, _ value: some Encodable) throws(FrameChannel.Trouble) -> Frame {
        // Numbers that are not finite are the only values that have no JSON.
        do { return try Frame(kind, describing: value) } catch { throw .strange }
    }
}
