import Platform
import RenderProtocol
import Synchronization
import Tiling

/// The renderers of one page. Safe to share.
///
/// Each begins with an equal share of the memory. If that does not suffice for the page, the next ones get twice as much,
/// until one renderer at a time has all of it: so what can be drawn does not depend on the number of jobs.
final class PageRenderers: Sendable {
    private let file: DrawingFile
    private let program: CompanionProgram
    private let limits: RendererLimits
    /// The document's file as it was before it was read first.
    private let stamp: FileStamp?
    private let owner = DrawingNumber()
    /// What the next renderer gets, in bytes.
    private let memory: Atomic<Int>

    /// Starts nothing yet.
    init(_ file: DrawingFile, by program: CompanionProgram, limits: RendererLimits) {
        (self.file, self.program, self.limits) = (file, program, limits)
        stamp = FileStamp(file.path)
        memory = Atomic(limits.share)
    }

    deinit { Renderers.shared.end(of: owner) }

    /// Starts a renderer that has the page open.
    ///
    /// - Throws: a `Failure` that names the document, or `CancellationError`.
    func open() throws -> (process: RendererProcess, page: PageDescription) {
        try trying("read") { bytes in
            switch try take(nil, bytes: bytes) {
            case .renderer: preconditionFailure("a page that is not open yet has no renderers")
            case .memory(let memory): return try start(memory)
            }
        }
    }

    /// Draws a window by a renderer that is idle, or by a new one.
    ///
    /// - Parameter page: what a new renderer has to say of the page.
    /// - Throws: a `Failure` that names the document, or `CancellationError`.
    func draw(_ request: DrawRequest, of page: PageDescription) throws -> PagePixels {
        try trying("draw") { bytes in
            let process: RendererProcess
            switch try take(request.recording, bytes: bytes) {
            case .renderer(let idle):
                process = idle
                bytes = idle.memory.bytes
            case .memory(let memory):
                let new = try start(memory)
                guard new.page == page else { throw changed }
                process = new.process
            }
            process.recording = request.recording
            let count = request.window.width * request.window.height
            let pixels = try process.ask(request.frame, for: .pixels) {
                PagePixels($0.payload, pixels: count)
            }.get()
            put(process)
            return pixels
        }
    }

    /// Keeps a renderer for the next window.
    func put(_ process: RendererProcess) { Renderers.shared.put(process, of: owner) }

    private func take(_ recording: DrawRequest.Recording?, bytes: Int) throws -> Renderers.Taken {
        try Renderers.shared.take(of: owner, with: recording, memory: bytes, limit: limits.most)
    }

    /// Starts a renderer, and lets it open the page.
    ///
    /// - Throws: a `RendererEnd`, a `RendererFailure`, or a `Failure` if there is no such file or program.
    private func start(_ memory: GrantedMemory) throws -> (process: RendererProcess, page: PageDescription) {
        let request = OpenRequest(
            file.type, page: file.page, layers: file.layers, password: file.password, memory: memory.bytes,
            seconds: limits.seconds)
        guard stamp == FileStamp(file.path) else { throw changed }
        let document = try descriptor()
        do {
            let process = try RendererProcess(program, document: document, memory: memory, limits: limits)
            let answer = try process.ask(Frame(.open, describing: request), for: .page) {
                PageDescription($0)
            }
            return (process, try answer.get())
        } catch let error as SystemError {
            throw Failure(.systemLimit, cannot: "start '\(program.path)'", error.text)
        }
    }

    /// Tries again what may succeed with another renderer: if somebody killed the first one, and, with more memory, if
    /// that did not suffice. Libraries do not always say that this is why they crash.
    ///
    /// - Parameter body: gets the bytes that a renderer may take, and says how many it did get.
    private func trying<Result>(
        _ verb: String, _ body: (_ bytes: inout Int) throws -> Result
    ) throws -> Result {
        var wasKilled = false
        while true {
            var bytes = memory.load(ordering: .relaxed)
            do { return try body(&bytes) } catch let failure as RendererFailure {
                guard failure.cause == .memory, grow(beyond: bytes) else {
                    throw file.failure(failure, to: verb)
                }
            } catch let end as RendererEnd {
                switch end.cause {
                case .crashed where grow(beyond: bytes): break
                case .killed where !wasKilled: wasKilled = true
                default: throw end.error("\(verb) \(file.title)")
                }
            }
        }
    }

    /// Lets the next renderer have more than one that failed; false if there is not more.
    private func grow(beyond bytes: Int) -> Bool {
        guard bytes < limits.most else { return false }
        memory.max(min(limits.most, 2 * bytes), ordering: .relaxed)
        return true
    }

    private var changed: Failure { InputFile.changed("draw \(file.title)") }

    private func descriptor() throws -> FileDescriptor {
        do throws(SystemError) { return try FileDescriptor(reading: file.copy?.path ?? file.path) } catch {
            throw InputFile.unreadable(file.path, error.code)
        }
    }
}

extension PageDescription {
    /// What the bytes of a frame say; nil if they do not describe a page.
    fileprivate init?(_ frame: Frame) {
        guard let page: PageDescription = try? frame.decoded(), page.isPlausible else { return nil }
        self = page
    }

    /// Whether the numbers are those of a page.
    fileprivate var isPlausible: Bool {
        let sizes = [width, height]
        return pageCount > 0 && sizes.allSatisfy(\.isFinite)
            && pointsFromUnits.count == 6 && pointsFromUnits.allSatisfy(\.isFinite)
    }
}
