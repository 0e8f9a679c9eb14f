import Platform
import RenderProtocol
import Synchronization
import Tiling

/// The renderers of one page. Safe to share.
///
/// Each renderer begins with an equal share of the memory. If the share does not suffice for the page, the
/// next renderers get twice as much, until one renderer at a time has all the memory. So the number of jobs
/// does not limit which pages can be drawn.
final class PageRenderers: Sendable {
    private let file: DrawingFile
    private let program: CompanionProgram
    private let limits: RendererLimits
    /// The document's file before it was first read.
    private let stamp: FileStamp?
    /// Bytes that the next renderer gets.
    private let memory: Atomic<Int>

    /// Starts nothing yet.
    init(_ file: DrawingFile, by program: CompanionProgram, limits: RendererLimits) {
        (self.file, self.program, self.limits) = (file, program, limits)
        stamp = FileStamp(file.path)
        memory = Atomic(limits.share)
    }

    deinit { Renderers.shared.end(of: ObjectIdentifier(self)) }

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
    /// - Parameter page: the page, which a new renderer must describe in the same way.
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
    func put(_ process: RendererProcess) { Renderers.shared.put(process, of: ObjectIdentifier(self)) }

    private func take(_ recording: DrawRequest.Recording?, bytes: Int) throws -> Renderers.Taken {
        try Renderers.shared.take(
            of: ObjectIdentifier(self), with: recording, memory: bytes, limit: limits.most)
    }

    /// Starts a renderer, and lets it open the page.
    ///
    /// - Throws: a `ProcessEnd`, a `RendererFailure`, or a `Failure` if there is no such file or program.
    private func start(_ memory: GrantedMemory) throws -> (process: RendererProcess, page: PageDescription) {
        var request = OpenRequest(
            file.type, page: file.page, layers: file.layers, password: file.password, memory: memory.bytes,
            seconds: limits.seconds)
        request.listsPages = file.listsPages ? true : nil
        guard stamp == FileStamp(file.path) else { throw changed }
        let path = try FarFiles.localPath(of: file.copy?.path ?? file.path)
        let document: FileDescriptor
        do throws(SystemError) { document = try FileDescriptor(reading: path) } catch {
            throw InputFile.unreadable(file.path, error)
        }
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

    /// Retries with another renderer if the first one was killed, and with more memory if memory may not have
    /// sufficed. Libraries do not always report a lack of memory before they crash.
    ///
    /// - Parameter body: gets the bytes that a renderer may take, and returns how many the renderer got.
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
            } catch let end as ProcessEnd {
                switch end.cause {
                case .crashed where grow(beyond: bytes): break
                case .killed where !wasKilled: wasKilled = true
                default: throw end.error("\(verb) \(file.title)")
                }
            }
        }
    }

    /// Raises the memory of the next renderer above that of the failed one; false if there is no more.
    private func grow(beyond bytes: Int) -> Bool {
        guard bytes < limits.most else { return false }
        memory.max(min(limits.most, 2 * bytes), ordering: .relaxed)
        return true
    }

    private var changed: Failure { InputFile.changed("draw \(file.title)") }
}

extension PageDescription {
    /// Reads the description of a page; nil if the frame has none.
    fileprivate init?(_ frame: Frame) {
        guard let page: PageDescription = try? frame.decoded(), page.pageCount > 0, page.width.isFinite,
            page.height.isFinite, page.pointsFromUnits.count == 6,
            page.pointsFromUnits.allSatisfy(\.isFinite)
        else { return nil }
        self = page
    }
}

/// The idle renderers of this process, and the memory that all renderers share.
///
/// A building has many drawings, and each renderer takes some tens of megabytes. Idle renderers end if others
/// need the memory. A request for more than the free memory waits.
final class Renderers: Sendable {
    /// The renderers of this process.
    static let shared = Renderers()

    /// Idle renderers that are kept for other drawings: about as many as a building has floors.
    private static let kept = 4
    /// Microseconds between two checks for free memory.
    private static let pause: UInt32 = 5000

    /// A renderer that is handed from task to task.
    fileprivate struct Entry: @unchecked Sendable {
        // Unchecked: only one task at a time has the renderer, but the compiler cannot see that.
        let owner: ObjectIdentifier
        let process: RendererProcess
    }

    fileprivate struct State {
        /// The idle renderers; the one that was used last is the last element.
        var idle: [Entry] = []
        /// Bytes of memory of all renderers, working and idle.
        var granted = 0
        /// The waiting requests, the oldest first, so that large requests keep their place in the queue.
        var waiting: [Int] = []
        var lastRequest = 0
    }

    /// The result of a request.
    enum Taken {
        /// An idle renderer of the same drawing.
        case renderer(RendererProcess)
        /// Memory for another renderer.
        case memory(GrantedMemory)
    }

    fileprivate enum Step: Sendable {
        case idle(Entry)
        case granted
        case ended(Entry)
        case wait
    }

    private let state = Mutex(State())

    /// Takes an idle renderer of a drawing, or memory to start one; waits until either is available.
    ///
    /// - Parameters:
    ///   - recording: the recording that the renderer should preferably have; if none has it, the renderer
    ///     that was idle longest is taken.
    ///   - memory: the fewest bytes that the renderer needs.
    ///   - limit: the bytes of all renderers together.
    /// - Throws: `CancellationError`.
    func take(
        of owner: ObjectIdentifier, with recording: DrawRequest.Recording?, memory: Int, limit: Int
    ) throws -> Taken {
        let request = state.withLock { state in
            state.lastRequest += 1
            state.waiting.append(state.lastRequest)
            return state.lastRequest
        }
        defer { state.withLock { state in state.waiting.removeAll { $0 == request } } }
        while true {
            try Task.checkCancellation()
            let step = state.withLock { state in
                state.waiting.first == request
                    ? state.step(of: owner, with: recording, memory: memory, limit: limit) : .wait
            }
            switch step {
            case .idle(let entry): return .renderer(entry.process)
            case .granted: return .memory(GrantedMemory(memory))
            // The renderer ends here, outside of the lock, and returns its memory.
            case .ended: break
            case .wait: usleep(Self.pause)
            }
        }
    }

    /// Puts a renderer of a drawing back. If there are too many, the oldest of another drawing ends.
    func put(_ process: RendererProcess, of owner: ObjectIdentifier) {
        let entry = Entry(owner: owner, process: process)
        // The renderer ends when the last reference to it is gone: outside of the lock.
        _ = state.withLock { state -> Entry? in
            state.idle.append(entry)
            let others = state.idle.indices.filter { state.idle[$0].owner != owner }
            return others.count > Self.kept ? state.idle.remove(at: others[0]) : nil
        }
    }

    /// Ends the renderers of a drawing.
    func end(of owner: ObjectIdentifier) {
        _ = state.withLock { state -> [Entry] in
            let ended = state.idle.filter { $0.owner == owner }
            state.idle.removeAll { $0.owner == owner }
            return ended
        }
    }

    fileprivate func giveBack(_ bytes: Int) { state.withLock { $0.granted -= bytes } }
}

extension Renderers.State {
    /// The next step for the first request in the queue.
    fileprivate mutating func step(
        of owner: ObjectIdentifier, with recording: DrawRequest.Recording?, memory: Int, limit: Int
    ) -> Renderers.Step {
        let own = idle.indices.filter { idle[$0].owner == owner && idle[$0].process.memory.bytes >= memory }
        if let best = own.last(where: { idle[$0].process.recording == recording }) ?? own.first {
            return .idle(idle.remove(at: best))
        }
        if granted + memory <= limit {
            granted += memory
            return .granted
        }
        return idle.isEmpty ? .wait : .ended(idle.removeFirst())
    }
}

/// Memory that a renderer may take. It is returned when this object ends.
final class GrantedMemory: Sendable {
    /// The number of bytes.
    let bytes: Int

    fileprivate init(_ bytes: Int) { self.bytes = bytes }

    deinit { Renderers.shared.giveBack(bytes) }
}
