import Platform
import Synchronization
import Tilesets

/// A run that publishes: it puts and removes objects in an order such that no document names an object that
/// is not there, and keeps the list of what is there.
///
/// 1. The list is put with all that the run will put or remove marked as uncertain: whatever happens next, a
///    later run knows which objects may be there.
/// 2. Tiles are put, then documents, each after those that it names. At intervals, the list is put with what
///    is done.
/// 3. Objects that are no longer in OUTPUT are removed, documents before the tiles that they name.
/// 4. The list is put without a mark.
///
/// The list has the mark of the run. Before it removes anything, and before each later list, a run checks that
/// the mark is its own. If it is not, another run publishes at the same place: then both fail, and what
/// either has put is uncertain, so that the next run puts it again.
final class PublishingRun: Sendable {
    private struct State {
        var objects: [PublishedObject]
        var isRemoved: [Bool]
        var done = 0
        var changedSinceList = false
    }

    private let local: LocalObjects
    private let plan: PublishingPlan
    private let store: any ObjectStore
    private let list: String
    private let threads: Int
    private let mark: ContentHash
    private let state: Mutex<State>

    /// The least time between two lists. If they are large, a list comes after twenty times the time that the
    /// last one took.
    private let interval: Duration
    /// The fields of the list.
    private static let headers = ObjectHeaders(contentType: MediaType.bytes, cacheControl: "no-store")

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - list: the key of the list.
    ///   - threads: the number of requests at a time.
    ///   - interval: the least time between two lists.
    init(
        _ local: LocalObjects, _ plan: PublishingPlan, to store: any ObjectStore, list: String, threads: Int,
        interval: Duration
    ) {
        (self.local, self.plan, self.store, self.list, self.threads) = (local, plan, store, list, threads)
        self.interval = interval
        var random = SystemRandomNumberGenerator()
        mark = ContentHash(of: "\(random.next())\(random.next())")
        state = Mutex(
            State(objects: plan.objects, isRemoved: [Bool](repeating: false, count: plan.objects.count)))
    }

    /// Publishes.
    ///
    /// - Parameter progress: receives the number of objects that are put or removed.
    func run(progress: (Int) -> Void) throws {
        // What a stopped run has left may be complete but for its mark.
        if !plan.puts.isEmpty || !plan.removals.isEmpty { try change(progress) }
        try putList(isLast: true)
    }

    private func change(_ progress: (Int) -> Void) throws {
        try putList(isLast: false)
        do {
            for (place, group) in plan.puts.enumerated() {
                // Another run may have removed tiles that the documents name.
                if place == 1 { try checkMark() }
                try forEach(group, progress) { run, index in
                    guard case .put(let entry) = run.plan.tasks[index] else { return }
                    try run.local.put(Int(entry), to: run.store)
                    run.note { $0.objects[index].isCertain = true }
                }
                try local.checkIsUnchanged()
            }
            let removals = plan.removals
            if !removals.isEmpty { try checkMark() }
            for group in removals {
                try forEach(group, progress) { run, index in
                    try run.store.remove(run.plan.objects[index].path)
                    run.note { $0.isRemoved[index] = true }
                }
            }
        } catch let failure as Failure where ![.inputOutput, .outputRefused].contains(failure.kind) {
            // The store answers, so what is done need not be done again.
            if failure.kind != .busy || (try? isMarked()) == true { try? putList(isLast: false) }
            throw failure
        }
        try checkMark()
    }

    private func forEach(
        _ group: [Int], _ progress: (Int) -> Void,
        _ body: @escaping @Sendable (PublishingRun, Int) throws -> Void
    ) throws {
        if group.isEmpty { return }
        var last = ContinuousClock.now
        var pause = interval
        try Workers.run(
            group.count, threads: threads,
            tick: {
                progress(state.withLock { $0.done })
                if last.duration(to: .now) < pause || !state.withLock({ $0.changedSinceList }) { return }
                let start = ContinuousClock.now
                try checkMark()
                try putList(isLast: false)
                last = .now
                pause = max(interval, start.duration(to: last) * 20)
            }, { try body(self, group[$0]) })
        progress(state.withLock { $0.done })
    }

    private func note(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            state.done += 1
            state.changedSinceList = true
        }
    }

    private func putList(isLast: Bool) throws {
        let state = state.withLock { state in
            state.changedSinceList = false
            return state
        }
        let objects = zip(state.objects, state.isRemoved).filter { !$0.1 }.map(\.0)
        try put(PublishedList(run: isLast ? nil : mark, kinds: plan.kinds, objects: objects))
    }

    private func put(_ new: PublishedList) throws {
        let bytes = try new.encoded()
        if bytes.count > PublishedList.largest {
            throw Failure(
                .usage, cannot: "publish '\(local.output)'", "it has too many files for one list",
                remedy: "publish its parts to several places")
        }
        try store.put(bytes, at: list, Self.headers)
    }

    private func isMarked() throws -> Bool {
        try store.head(of: list, count: PublishedList.headSize).map(PublishedList.run) == mark
    }

    /// Fails if another run publishes at the same place.
    ///
    /// - Throws: `.busy`.
    private func checkMark() throws {
        if try isMarked() { return }
        // The other run's list does not know what this one has done.
        let found = try store.bytes(of: list, atMost: PublishedList.largest)
        var other = found.flatMap { try? PublishedList(decoding: $0) } ?? PublishedList()
        other.run = mark
        try put(other.joined(with: state.withLock(\.objects), plan))
        throw Failure(
            .busy, "another run publishes to '\(store.title(of: list).parentDirectory)'",
            remedy: "when it has ended, run the same command again")
    }
}

extension PublishedList {
    /// This list with all objects that a run may have changed, as uncertain ones.
    fileprivate func joined(with objects: [PublishedObject], _ plan: PublishingPlan) -> PublishedList {
        var joined = self
        var kinds = kinds
        func number(_ kind: ObjectKind) -> UInt8 {
            if let index = kinds.firstIndex(of: kind) { return UInt8(index) }
            kinds.append(kind)
            return UInt8(kinds.count - 1)
        }
        let changed = zip(objects, plan.tasks).filter { $0.1 != .keep && ($0.1 != .remove || plan.deletes) }
            .map { object, _ in
                var object = object
                object.kind = number(plan.kinds[Int(object.kind)])
                object.isCertain = false
                return object
            }
        joined.kinds = kinds
        var (ours, theirs) = (changed[...], self.objects[...])
        joined.objects = []
        while let next = ours.first {
            joined.objects += theirs.prefix { ObjectPath.precedes($0.path, next.path) }
            theirs = theirs.drop { ObjectPath.precedes($0.path, next.path) }
            if theirs.first.map({ ObjectPath.areSame($0.path, next.path) }) == true {
                theirs = theirs.dropFirst()
            }
            joined.objects.append(next)
            ours = ours.dropFirst()
        }
        joined.objects += theirs
        return joined
    }
}
