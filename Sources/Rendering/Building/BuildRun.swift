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
        case rendered(WorkUnit, [UnitTile], RenderWorker, any UnitOutput)
    }

    /// The results written so far.
    private(set) var summary = PyramidSummary()
    /// Bytes of tiles that wait for earlier tiles to be written.
    private(set) var waitingBytes = 0

    private let stages: [Stage]
    private var progress: BuildProgress
    private let readers: [LayerReader]
    private var idle: [RenderWorker]
    private let makeOutput: () -> any UnitOutput
    /// The outputs of units of the finest level whose row of tiles is not complete, by the unit's index; and
    /// those that are free.
    private var outputs: [Int: any UnitOutput] = [:]
    private var freeOutputs: [any UnitOutput] = []
    /// Results that wait for earlier results, by stage and unit.
    private var waiting: [Place: [UnitTile]] = [:]
    private var nextToWrite = Place(stage: 0, unit: 0)

    private struct Place: Hashable {
        var stage: Int
        var unit: Int
    }

    /// - Parameter workers: one for each unit that may be rendered at a time.
    init(
        stages: [Stage], progress: BuildProgress, readers: [LayerReader], workers: [RenderWorker],
        makeOutput: @escaping () -> any UnitOutput
    ) {
        self.makeOutput = makeOutput
        self.stages = stages
        self.progress = progress
        self.readers = readers
        idle = workers
    }

    /// Whether nothing is left to start or to take.
    var isComplete: Bool { progress.isComplete }

    /// The units of work of all stages.
    var unitCount: Int { stages.indices.reduce(0) { $0 + progress.unitCount(ofStage: $1) } }

    /// The next work that can start, if any: decoding first, because everything waits for it. The caller runs
    /// it on a free job and returns the outcome.
    mutating func start() -> Work? {
        if let rows = progress.startDecoding() {
            let reader = readers[rows.layer]
            return {
                try reader.decode(rows.rows)
                return .decoded(rows)
            }
        }
        guard !idle.isEmpty, let unit = progress.startUnit() else { return nil }
        let worker = idle.removeLast()
        let stage = stages[unit.stage]
        let begun = stage.level == 0 ? outputs.removeValue(forKey: unit.index) : nil
        let output = begun ?? freeOutputs.popLast() ?? makeOutput()
        return { .rendered(unit, try worker.run(unit, of: stage, to: output), worker, output) }
    }

    /// Takes the outcome of a job.
    mutating func take(_ outcome: Outcome) {
        switch outcome {
        case .decoded(let rows):
            progress.finishDecoding(rows)
        case .rendered(let unit, let tiles, let worker, let output):
            progress.finish(unit)
            if stages[unit.stage].endsTiles {
                freeOutputs.append(output)
            } else {
                outputs[unit.index] = output
            }
            idle.append(worker)
            waiting[Place(stage: unit.stage, unit: unit.index)] = tiles
            waitingBytes += tiles.reduce(0) { $0 + $1.byteCount }
            summary.units += 1
        }
        for layer in progress.closeLayers() { readers[layer].close() }
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
