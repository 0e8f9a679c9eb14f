import Raster
import Tiling

/// A running build: it says what can start, takes results, and writes them in the fixed order. It starts
/// nothing itself.
struct BuildRun {
    /// Work that any task can do.
    typealias Work = @Sendable () throws -> Outcome

    /// The result of some work.
    enum Outcome: Sendable {
        case decoded(LayerRows)
        case rendered(WorkUnit, [UnitTile], RenderWorker)
        case touched
        case freed
    }

    /// The results written so far.
    private(set) var summary = PyramidSummary()
    /// Bytes of tiles that wait for earlier tiles to be written.
    private(set) var waitingBytes = 0

    private let stages: [Stage]
    private var progress: BuildProgress
    private let readers: [LayerReader]
    private var memory: RingMemory
    private var idle: [RenderWorker]
    /// Results that wait for earlier results, by stage and unit.
    private var waiting: [Place: [UnitTile]] = [:]
    private var nextToWrite = Place(stage: 0, unit: 0)

    private struct Place: Hashable {
        var stage: Int
        var unit: Int
    }

    /// - Parameter workers: one for each unit that may be rendered at a time.
    init(
        stages: [Stage], progress: BuildProgress, readers: [LayerReader], memory: RingMemory,
        workers: [RenderWorker]
    ) {
        self.stages = stages
        self.progress = progress
        self.readers = readers
        self.memory = memory
        idle = workers
    }

    /// Whether nothing is left to start or to take.
    var isComplete: Bool { progress.isComplete && !memory.isFreeing }

    /// The units of work of all stages.
    var unitCount: Int { stages.indices.reduce(0) { $0 + progress.unitCount(ofStage: $1) } }

    /// The next work that can start, if any. Freeing memory comes first, then decoding, because everything
    /// waits for it. The caller runs it on a free job and returns the outcome.
    mutating func start() -> Work? {
        if let free = memory.startFreeing() { return work(free, .freed) }
        if let rows = progress.startDecoding() {
            let reader = readers[rows.layer]
            return {
                try reader.decode(rows.rows)
                return .decoded(rows)
            }
        }
        guard !idle.isEmpty, !memory.isTouching, let unit = progress.startUnit() else {
            return memory.startTouching().map { work($0, .touched) }
        }
        memory.beginRendering()
        let worker = idle.removeLast()
        let stage = stages[unit.stage]
        return { .rendered(unit, try worker.run(unit, of: stage), worker) }
    }

    private func work(_ body: @escaping RingMemory.Work, _ outcome: Outcome) -> Work {
        return {
            body()
            return outcome
        }
    }

    /// Takes the outcome of a job.
    mutating func take(_ outcome: Outcome) {
        switch outcome {
        case .decoded(let rows):
            progress.finishDecoding(rows)
        case .rendered(let unit, let tiles, let worker):
            progress.finish(unit)
            idle.append(worker)
            waiting[Place(stage: unit.stage, unit: unit.index)] = tiles
            waitingBytes += tiles.reduce(0) { $0 + $1.byteCount }
            summary.units += 1
        case .touched: memory.finishTouching()
        case .freed: memory.finishFreeing()
        }
        for layer in progress.closeLayers() { memory.close(readers[layer]) }
        for level in progress.closeLevels() { memory.close(level: level) }
    }

    /// Writes the available results in the fixed order.
    mutating func write(to sink: inout some TileSink) throws {
        while let tiles = waiting.removeValue(forKey: nextToWrite) {
            for tile in tiles {
                if case .encoded(let bytes) = tile.content {
                    try sink.write(EncodedTile(coordinate: tile.coordinate, bytes: bytes))
                }
                if let pixels = tile.pixels {
                    try sink.keep(EncodedTile(coordinate: tile.coordinate, bytes: pixels))
                }
                waitingBytes -= tile.byteCount
                summary.count(tile)
            }
            nextToWrite.unit += 1
            if nextToWrite.unit == progress.unitCount(ofStage: nextToWrite.stage) {
                nextToWrite = Place(stage: nextToWrite.stage + 1, unit: 0)
            }
        }
    }
}

extension UnitTile {
    /// Bytes of the file, and of packed pixels.
    fileprivate var byteCount: Int {
        let packed = pixels?.count ?? 0
        guard case .encoded(let bytes) = content else { return packed }
        return bytes.count + packed
    }
}

/// The memory of a build's rings and images. Some of it is touched before it is needed, and memory is freed
/// before the build ends. It only holds state and starts nothing itself.
///
/// Until the first rows of an image are decoded, nothing can be rendered and most jobs are idle. That is the
/// time to touch rings that will be filled from end to end: the system clears each page when it is first
/// touched, which takes 4 % of the CPU time of a build of JPEG tiles from photographs. Freeing memory takes a
/// quarter of that. Jobs do it, because the builder, which hands out all work, has no time to spare.
struct RingMemory {
    /// A job's work on memory.
    typealias Work = @Sendable () -> Void

    /// The bytes that are touched at a time: they take half a millisecond, which is how long the first rows
    /// may have to wait.
    private static let piece = 1 << 20

    /// Rings that are not yet written to.
    private var untouched: [MappedMemory]
    /// The number of touched bytes of the last of these rings.
    private var touched = 0
    private let ofLevels: [MappedMemory?]
    private var toFree: [Work] = []
    private var freeing = 0
    /// Whether a ring is being touched; then no ring may be written to.
    private(set) var isTouching = false

    /// - Parameters:
    ///   - levels: the ring of each level; nil for levels without one.
    ///   - touching: the rings that will be filled from end to end.
    init(ofLevels levels: [MappedMemory?], touching untouched: [MappedMemory]) {
        ofLevels = levels
        self.untouched = untouched.reversed()
    }

    /// Whether memory is being freed.
    var isFreeing: Bool { freeing > 0 }

    /// Stops touching, because rings are being filled.
    mutating func beginRendering() { untouched = [] }

    /// The next part to touch, if any; the caller reports when it is done. There is only one at a time, since
    /// the first rows wait for it.
    mutating func startTouching() -> Work? {
        guard !isTouching, let ring = untouched.last else { return nil }
        let part = touched..<min(ring.length, touched + Self.piece)
        touched = part.upperBound
        if touched == ring.length {
            untouched.removeLast()
            touched = 0
        }
        isTouching = true
        return { ring.touch(part) }
    }

    /// Notes that a part is touched.
    mutating func finishTouching() { isTouching = false }

    /// Frees the ring of a level that is no longer needed.
    mutating func close(level: Int) {
        if let ring = ofLevels[level] { toFree.append { ring.discard() } }
    }

    /// Closes an image that is no longer needed.
    mutating func close(_ reader: LayerReader) { toFree.append { reader.close() } }

    /// The next memory to free, if any; the caller reports when it is done.
    mutating func startFreeing() -> Work? {
        guard let work = toFree.popLast() else { return nil }
        freeing += 1
        return work
    }

    /// Notes that memory is freed.
    mutating func finishFreeing() { freeing -= 1 }
}
