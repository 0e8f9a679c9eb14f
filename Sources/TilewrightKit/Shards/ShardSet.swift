import Diagnostics
import Files
import Palettes
import Pyramid
import Shards
import Tilesets
import Tiling

/// All shards of a job.
struct ShardSet: Sendable {
    /// What decides the tiles, as for a build on one machine.
    let fingerprint: ContentHash

    private let readers: [ShardReader]
    private let palette: JobPalette?
    private let cut: Int
    private let folder: String

    /// Opens all shards.
    ///
    /// - Parameter round: what they hold.
    /// - Throws: a `Failure` that lists those that are missing, damaged or of another job.
    init(_ job: ShardJob, in folder: String, _ round: ShardIdentity.Round = .shard) throws {
        guard let fingerprint = ContentHash(hex: job.fingerprint) else {
            throw Failure(.badInput, cannot: "read the job in '\(folder)'", "it is damaged")
        }
        self.fingerprint = fingerprint
        self.folder = folder
        cut = job.cut
        palette = try round == .shard && job.needsSurvey ? JobPalette(of: job, in: folder) : nil
        let directory = try Directory.open(folder.path(of: ShardJob.shardFolder))
        var faults = FaultyShards()
        var readers: [ShardReader] = []
        for index in job.shards.indices {
            do {
                guard let directory else { throw ShardReader.Fault.missing }
                readers.append(try ShardReader(job.identity(index, round, palette: palette), in: directory))
            } catch let fault as ShardReader.Fault {
                faults.add(index, fault)
            }
        }
        if let failure = faults.failure(folder, round) { throw failure }
        self.readers = readers
    }

    /// Writes the tiles of the shards, and those below the cut.
    func write(
        to sink: inout some TileSink, plan: TilesetPlan, permits: Permits?,
        progress: (_ tilesDone: Int) -> Void
    ) async throws -> PyramidSummary {
        do {
            var (summary, pixels) = try copy(to: &sink, progress: progress)
            let done = summary.tiles
            if let below = try builder(below: plan, pixels) {
                let part = try await below.build(
                    from: { _ in preconditionFailure("nothing is read of images") }, to: &sink,
                    makeEncoder: { plan.request.encoding.makeEncoder(palette: palette?.palette) },
                    permits: permits,
                    progress: { progress(done + $0) })
                summary.add(part)
            }
            return summary
        } catch is ShardReader.Fault { throw try damage(.shard) }
    }

    /// Chooses the palette of all tiles by the surveys of the shards.
    func palette(of plan: TilesetPlan, progress: (_ tilesDone: Int) -> Void) async throws -> Palette? {
        guard let size = plan.request.encoding.palette else { return nil }
        do {
            var parts = CensusParts()
            let counted = parts.make()
            var places: [TileCoordinate: ShardPixels.Place] = [:]
            for (index, reader) in readers.enumerated() {
                try Task.checkCancellation()
                for piece in reader.pieces {
                    switch piece.kind {
                    case .pixels: places[piece.coordinate] = ShardPixels.Place(shard: index, piece: piece)
                    case .colors where try counted.merge(reader.bytes(of: piece)): break
                    case .colors, .tile: throw ShardReader.Fault.damaged
                    }
                }
            }
            if let below = try builder(below: plan, ShardPixels(readers: readers, places: places)) {
                var sink = CensusSink()
                _ = try await below.build(
                    from: { _ in preconditionFailure("nothing is read of images") }, to: &sink,
                    makeEncoder: { parts.make() }, progress: progress)
            }
            return try parts.sum().palette(size: size)
        } catch is ShardReader.Fault { throw try damage(.survey) }
    }

    /// Writes the tiles of the shards.
    ///
    /// - Returns: how many, and the pixels that shards kept.
    private func copy(
        to sink: inout some TileSink, progress: (Int) -> Void
    ) throws -> (PyramidSummary, ShardPixels) {
        var summary = PyramidSummary()
        var places: [TileCoordinate: ShardPixels.Place] = [:]
        let staged = sink.staged
        for (index, reader) in readers.enumerated() {
            try Task.checkCancellation()
            for piece in reader.pieces {
                switch piece.kind {
                case .colors: throw ShardReader.Fault.damaged
                case .pixels: places[piece.coordinate] = ShardPixels.Place(shard: index, piece: piece)
                case .tile:
                    summary.tiles += 1
                    if staged.contains(piece.coordinate) { continue }
                    let bytes = try reader.bytes(of: piece)
                    try sink.write(EncodedTile(coordinate: piece.coordinate, bytes: bytes))
                }
            }
            progress(summary.tiles)
        }
        return (summary, ShardPixels(readers: readers, places: places))
    }

    /// What renders the zooms below the cut of the pixels that shards kept; nil if there are none, or if they are drawn.
    private func builder(below plan: TilesetPlan, _ pixels: ShardPixels) throws -> PyramidBuilder? {
        guard !plan.onDemand.isRedrawn, let below = plan.pyramid.below(cut) else { return nil }
        return try plan.onDemand.builder(of: below, kept: pixels)
    }

    /// What is damaged, when something was found to be.
    private func damage(_ round: ShardIdentity.Round) throws -> Failure {
        var faults = FaultyShards()
        for (index, reader) in readers.enumerated() {
            do { for piece in reader.pieces { _ = try reader.bytes(of: piece) } } catch let fault
                as ShardReader.Fault
            {
                faults.add(index, fault)
            }
        }
        return faults.failure(folder, round)
            ?? Failure(.badInput, cannot: "merge '\(folder)'", "its shards changed meanwhile")
    }
}

/// Shards that cannot be used, by what is wrong with them.
private struct FaultyShards {
    private var indices: [ShardReader.Fault: [Int]] = [:]

    mutating func add(_ index: Int, _ fault: ShardReader.Fault) { indices[fault, default: []].append(index) }

    /// What is said of them; nil if there are none.
    func failure(_ folder: String, _ round: ShardIdentity.Round) -> Failure? {
        let words: [(ShardReader.Fault, String)] = [
            (.missing, "missing"), (.damaged, "damaged"), (.foreign, "of another job"),
        ]
        let parts = words.compactMap { fault, word in
            indices[fault].map {
                ($0.count == 1
                    ? "\(round.rawValue) \($0[0]) is " : "\(round.rawValue)s \(Self.list($0)) are ") + word
            }
        }
        if parts.isEmpty { return nil }
        let all = indices.values.flatMap(\.self).sorted()
        let isMissing = indices.keys.allSatisfy { $0 == .missing }
        return Failure(
            isMissing ? .missingInput : .badInput, cannot: "merge '\(folder)'", parts.joined(separator: ", "),
            remedy: all.count == 1
                ? "run 'tilewright shard \(folder) \(all[0])\(round == .survey ? " --survey" : "")'"
                : "run 'tilewright shard\(round == .survey ? " --survey" : "")' for these; an array takes them as --array=\(Self.list(all))"
        )
    }

    /// `3,17,20-25`, as job arrays take it.
    private static func list(_ indices: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for index in indices {
            if let last = runs.last, last.upperBound + 1 == index {
                runs[runs.count - 1] = last.lowerBound...index
            } else {
                runs.append(index...index)
            }
        }
        return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }
}
