import Platform
import RenderProtocol
import Synchronization

/// The renderers of this process: those that are idle, and the memory that all of them may take together.
///
/// A building has many drawings, and each renderer takes some tens of megabytes: idle ones end when others need the
/// memory, and a request for more than is free waits.
final class Renderers: Sendable {
    /// Those of this process.
    static let shared = Renderers()

    /// Renderers that are kept for drawings which are not at work: as many as a building has floors, mostly.
    private static let kept = 4
    /// Microseconds between two looks at what is free.
    private static let pause: UInt32 = 5000

    /// A renderer that is handed from task to task.
    fileprivate struct Entry: @unchecked Sendable {
        // Unchecked, since the compiler cannot see that one task has it at a time.
        let owner: DrawingNumber
        let process: RendererProcess
    }

    fileprivate struct State {
        /// The one that was used last is the last one.
        var idle: [Entry] = []
        /// Bytes of memory of all renderers, those at work and the idle ones.
        var granted = 0
        /// The requests that wait, the oldest first: a large one is not overtaken by small ones for ever.
        var waiting: [Int] = []
        var lastRequest = 0
    }

    /// What a request gets.
    enum Taken {
        /// An idle renderer of the same drawing.
        case renderer(RendererProcess)
        /// Memory for another one.
        case memory(GrantedMemory)
    }

    fileprivate enum Step: Sendable {
        case idle(Entry)
        case granted
        case ended(Entry)
        case wait
    }

    private let state = Mutex(State())

    /// Takes a renderer of a drawing that is idle, or memory to start one; waits until one or the other is there.
    ///
    /// - Parameters:
    ///   - recording: what a renderer should best have kept of the page; or else the one comes that was idle for longest.
    ///   - memory: the bytes that it may take at least.
    ///   - limit: the bytes of all renderers together.
    /// - Throws: `CancellationError`.
    func take(
        of owner: DrawingNumber, with recording: DrawRequest.Recording?, memory: Int, limit: Int
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
            // It ends here, outside of the lock, and gives its memory back.
            case .ended: break
            case .wait: usleep(Self.pause)
            }
        }
    }

    /// Puts a renderer of a drawing back. If there are too many, the oldest of another drawing ends.
    func put(_ process: RendererProcess, of owner: DrawingNumber) {
        let entry = Entry(owner: owner, process: process)
        // It ends when nothing holds it any more: outside of the lock.
        _ = state.withLock { state -> Entry? in
            state.idle.append(entry)
            let others = state.idle.indices.filter { state.idle[$0].owner != owner }
            return others.count > Self.kept ? state.idle.remove(at: others[0]) : nil
        }
    }

    /// Ends the renderers of a drawing.
    func end(of owner: DrawingNumber) {
        _ = state.withLock { state -> [Entry] in
            let ended = state.idle.filter { $0.owner == owner }
            state.idle.removeAll { $0.owner == owner }
            return ended
        }
    }

    fileprivate func giveBack(_ bytes: Int) { state.withLock { $0.granted -= bytes } }
}

extension Renderers.State {
    /// What is done for the request whose turn it is.
    fileprivate mutating func step(
        of owner: DrawingNumber, with recording: DrawRequest.Recording?, memory: Int, limit: Int
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

/// Memory that a renderer may take. It is given back with this object.
final class GrantedMemory: Sendable {
    /// How much it is.
    let bytes: Int

    fileprivate init(_ bytes: Int) { self.bytes = bytes }

    deinit { Renderers.shared.giveBack(bytes) }
}

/// Tells a drawing from the others of this process.
struct DrawingNumber: Hashable, Sendable {
    private static let last = Atomic<Int>(0)

    private let number = Self.last.add(1, ordering: .relaxed).newValue
}
