import Platform
import Tilesets

/// What a run has to do: the list of objects with all that it will put and remove.
struct PublishingPlan: Sendable {
    /// What becomes of an object.
    enum Task: Hashable, Sendable {
        /// It is as it should be.
        case keep
        /// It is put; the number is that in `LocalObjects.entries`.
        case put(Int32)
        /// It is no longer in OUTPUT.
        case remove
    }

    /// The kinds of all objects.
    private(set) var kinds: [ObjectKind]
    /// All objects, published or not, sorted. Those to put have their new contents, and are not certain.
    private(set) var objects: [PublishedObject] = []
    /// What becomes of each object.
    private(set) var tasks: [Task] = []
    /// Whether objects that are no longer in OUTPUT are removed; otherwise, they stay and stay listed.
    let deletes: Bool
    /// Whether the objects to put are listed: others are new.
    private(set) var known: [Bool] = []
    /// Whether a run that was stopped left the list.
    let isInterrupted: Bool
    /// Whether there is nothing to do.
    var isEmpty: Bool { !isInterrupted && tasks.allSatisfy { $0 == .keep || $0 == .remove && !deletes } }

    /// Compares an output with the list of what is published.
    init(_ local: LocalObjects, with list: PublishedList, deletes: Bool) {
        (self.deletes, isInterrupted) = (deletes, list.run != nil)
        kinds = local.kinds
        var numbers: [UInt8] = []
        for kind in list.kinds {
            let index = kinds.firstIndex(of: kind) ?? kinds.count
            if index == kinds.count { kinds.append(kind) }
            numbers.append(UInt8(clamping: index))
        }
        objects.reserveCapacity(max(local.entries.count, list.objects.count))
        var (index, other) = (0, 0)
        while index < local.entries.count || other < list.objects.count {
            var wanted = index < local.entries.count ? local.entries[index].object : nil
            var listed = other < list.objects.count ? list.objects[other] : nil
            if let number = listed.map({ numbers[Int($0.kind)] }) { listed?.kind = number }
            if let one = wanted, let two = listed, !ObjectPath.areSame(one.path, two.path) {
                if ObjectPath.precedes(one.path, two.path) { listed = nil } else { wanted = nil }
            }
            switch (wanted, listed) {
            case (let object?, let found?):
                add(object, object == found ? .keep : .put(Int32(index)), true)
                (index, other) = (index + 1, other + 1)
            case (let object?, nil):
                add(object, .put(Int32(index)), false)
                index += 1
            case (nil, let found?):
                add(found, .remove, true)
                other += 1
            case (nil, nil): return
            }
        }
    }

    private mutating func add(_ object: PublishedObject, _ task: Task, _ isKnown: Bool) {
        var object = object
        if task != .keep, task != .remove || deletes { object.isCertain = false }
        objects.append(object)
        tasks.append(task)
        known.append(isKnown)
    }

    /// The role of an object.
    func role(_ index: Int) -> ObjectRole { kinds[Int(objects[index].kind)].role }

    /// The objects to put, in groups: those of a group are put together, after those of the groups before.
    var puts: [[Int]] {
        groups { if case .put = $0 { true } else { false } }
    }

    /// The objects to remove, likewise.
    var removals: [[Int]] { deletes ? groups { $0 == .remove }.reversed() : [] }

    private func groups(_ isMeant: (Task) -> Bool) -> [[Int]] {
        Dictionary(grouping: tasks.indices.filter { isMeant(tasks[$0]) }, by: role)
            .sorted { $0.key < $1.key }.map(\.value)
    }
}

/// What a run does, or would do.
public struct PublishingSummary: Hashable, Sendable {
    /// The number of tiles that are put.
    public var tiles = 0
    /// The number of other objects that are put: documents, pages and archives.
    public var documents = 0
    /// The bytes of all of these.
    public var bytes = 0
    /// The number of tiles that are published already.
    public var unchangedTiles = 0
    /// The number of other objects that are published already.
    public var unchangedDocuments = 0
    /// The number of objects that are removed.
    public var removed = 0
    /// The number of objects that are no longer in the output, but stay.
    public var left = 0

    /// Whether everything is as it should be.
    public var isEmpty: Bool { tiles + documents + removed == 0 }
    /// The number of objects that are put or removed.
    public var changes: Int { tiles + documents + removed }

    /// Counts what a plan does.
    init(_ plan: PublishingPlan) {
        for (index, task) in plan.tasks.enumerated() {
            let isTile = plan.role(index) == .tile
            switch task {
            case .keep: if isTile { unchangedTiles += 1 } else { unchangedDocuments += 1 }
            case .put:
                if isTile { tiles += 1 } else { documents += 1 }
                bytes = bytes.addingSaturated(plan.objects[index].size)
            case .remove: if plan.deletes { removed += 1 } else { left += 1 }
            }
        }
    }
}
