import RenderProtocol
import Synchronization

/// The renderers that nobody uses at the moment, of all drawings: a building has many, and each renderer some tens of
/// megabytes.
final class IdleRenderers: Sendable {
    /// Those of this process.
    static let shared = IdleRenderers()

    /// Renderers that are kept for drawings which are not at work: as many as a building has floors, mostly.
    private static let kept = 4

    /// A renderer that is handed from task to task.
    private struct Entry: @unchecked Sendable {
        // Unchecked, since the compiler cannot see that one task has it at a time.
        let owner: ObjectIdentifier
        let process: RendererProcess
    }

    /// The one that was used last stands last.
    private let entries = Mutex<[Entry]>([])

    /// Takes a renderer of a drawing out, best the one that keeps a recording, or else the one that has been idle for
    /// longest; nil if there is none.
    func take(of drawing: Drawing, with recording: DrawRequest.Recording) -> RendererProcess? {
        let owner = ObjectIdentifier(drawing)
        return entries.withLock { entries in
            let own = entries.indices.filter { entries[$0].owner == owner }
            let best = own.last { entries[$0].process.recording == recording } ?? own.first
            return best.map { entries.remove(at: $0) }
        }?.process
    }

    /// Puts a renderer of a drawing back. If there are too many, the oldest of another drawing ends.
    func put(_ process: RendererProcess, of drawing: Drawing) {
        let entry = Entry(owner: ObjectIdentifier(drawing), process: process)
        // It ends when nothing holds it any more: behind the lock.
        _ = entries.withLock { entries -> Entry? in
            entries.append(entry)
            let others = entries.indices.filter { entries[$0].owner != entry.owner }
            return others.count > Self.kept ? entries.remove(at: others[0]) : nil
        }
    }

    /// Ends the renderers of a drawing.
    func end(of owner: ObjectIdentifier) {
        _ = entries.withLock { entries -> [Entry] in
            let ended = entries.filter { $0.owner == owner }
            entries.removeAll { $0.owner == owner }
            return ended
        }
    }
}
