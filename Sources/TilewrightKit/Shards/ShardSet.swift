import Palettes
import Platform
import Rendering
import Tilesets
import Tiling

/// All shards of a job. One shard is open at a time: a process may not be able to open all of them, and their
/// lists may exceed the memory.
struct ShardSet: Sendable {
    /// The fingerprint of the tiles, as for a build on one machine.
    let fingerprint: ContentHash

    private let identities: [ShardIdentity]
    private let directory: Directory
    private let round: ShardIdentity.Round
    private let palette: JobPalette?
    private let job: ShardJob
    private let folder: String
    private let budget: ReadingBudget

    /// Reads the lists of all shards.
    ///
    /// - Parameters:
    ///   - budget: the maximum number of tiles of a shard.
    ///   - round: the content of the shards.
    /// - Throws: a `Failure` that lists those that are missing, damaged or of another job.
    init(
        _ job: ShardJob, in folder: String, _ budget: ReadingBudget, _ round: ShardIdentity.Round = .shard
    ) throws {
        guard let fingerprint = ContentHash(hex: job.fingerprint) else {
            throw Failure(.badInput, cannot: "read the job in '\(folder)'", "it is damaged")
        }
        self.fingerprint = fingerprint
        self.folder = folder
        self.round = round
        (self.job, self.budget) = (job, budget)
        let palette = try round == .shard && job.needsSurvey ? JobPalette(of: job, in: folder) : nil
        self.palette = palette
        guard let directory = try Directory.open(folder.path(of: ShardJob.shardFolder)) else {
            let all = FaultyShards(job.shards.indices.map { ($0, .missing) })
            throw all.failure(folder, round).unwrapped("a job has shards")
        }
        self.directory = directory
        identities = try job.shards.indices.map { try job.identity($0, round, palette: palette) }
        try check { _, _ in }
    }

    /// The paths of the files.
    var paths: [String] {
        identities.map { directory.path(of: $0.fileName) }
            + (palette == nil ? [] : [folder.path(of: JobPalette.fileName)])
    }

    /// Writes the tiles of the shards, and the tiles of the zooms below the cut.
    func write(
        to sink: inout some TileSink, plan: TilesetPlan, semaphore: FairSemaphore?,
        progress: (_ tilesDone: Int) -> Void
    ) async throws -> PyramidSummary {
        do {
            let pixels = try ShardPixels(in: plan.scratchDirectory)
            var summary = try copy(to: &sink, keeping: pixels, most: plan.tileCount, progress: progress)
            let done = summary.tiles
            if let below = try builder(below: plan, pixels) {
                let part = try await below.build(
                    to: &sink, makeEncoder: { plan.request.encoding.makeEncoder(palette: palette?.palette) },
                    semaphore: semaphore, progress: { progress(done + $0) })
                summary.add(part)
            }
            return summary
        } catch is ShardReader.Fault { throw try damage() }
    }

    /// Chooses the palette of all tiles from the surveys of the shards.
    func palette(of plan: TilesetPlan, progress: (_ tilesDone: Int) -> Void) async throws -> Palette? {
        guard let size = plan.request.encoding.palette else { return nil }
        do {
            var parts = CensusParts()
            let counted = parts.make()
            let pixels = try ShardPixels(in: plan.scratchDirectory)
            try forEachPiece { piece, bytes in
                switch piece.kind {
                case .pixels: try pixels.add(bytes(), of: piece.coordinate)
                case .colors where try counted.merge(bytes()): break
                case .colors, .tile: throw ShardReader.Fault.damaged
                }
            }
            if let below = try builder(below: plan, pixels) {
                var sink = CensusSink()
                _ = try await below.build(
                    to: &sink, makeEncoder: { parts.make() }, progress: progress)
            }
            return try parts.sum().palette(size: size)
        } catch is ShardReader.Fault { throw try damage() }
    }

    /// Writes the tiles of the shards, and adds the pixels that they kept.
    ///
    /// - Parameter most: the largest possible number of tiles.
    /// - Returns: the number of tiles.
    private func copy(
        to sink: inout some TileSink, keeping pixels: ShardPixels, most: Int, progress: (Int) -> Void
    ) throws -> PyramidSummary {
        var summary = PyramidSummary()
        let staged = sink.staged
        try forEachPiece { piece, bytes in
            switch piece.kind {
            case .colors: throw ShardReader.Fault.damaged
            case .pixels: try pixels.add(bytes(), of: piece.coordinate)
            case .tile:
                summary.tiles += 1
                if summary.tiles > most { throw ShardReader.Fault.damaged }
                if summary.tiles % 256 == 0 { progress(summary.tiles) }
                if staged.contains(piece.coordinate) { return }
                try sink.write(EncodedTile(coordinate: piece.coordinate, bytes: bytes()))
            }
        }
        progress(summary.tiles)
        return summary
    }

    /// Calls `body` with the pieces of all shards, and with a function that reads the bytes of each.
    private func forEachPiece(_ body: (ShardPiece, () throws -> [UInt8]) throws -> Void) throws {
        for (index, identity) in identities.enumerated() {
            let reader = try ShardReader(identity, in: directory, budget: budget)
            try job.check(reader.pieces, of: index, round)
            for piece in reader.pieces {
                try Task.checkCancellation()
                try body(piece) { try reader.bytes(of: piece) }
            }
        }
    }

    /// The builder of the zooms below the cut, from the pixels that shards kept; nil if there are no such
    /// zooms, or if they are drawn.
    private func builder(below plan: TilesetPlan, _ pixels: ShardPixels) throws -> BuildSequence? {
        guard !plan.onDemand.isRedrawn, let below = plan.pyramid.below(job.cut) else { return nil }
        return BuildSequence([try plan.onDemand.builder(of: .kept(pixels), plan: below)])
    }

    /// The failure that names all damaged shards.
    private func damage() throws -> Failure {
        try check { index, reader in
            try job.check(reader.pieces, of: index, round)
            for piece in reader.pieces { _ = try reader.bytes(of: piece) }
        }
        return Failure(.badInput, cannot: "merge '\(folder)'", "its shards changed in the meantime")
    }

    /// Opens and checks all shards.
    ///
    /// - Throws: a `Failure` that lists the faulty shards.
    private func check(_ look: (Int, ShardReader) throws -> Void) throws {
        var faults = FaultyShards()
        for (index, identity) in identities.enumerated() {
            do { try look(index, ShardReader(identity, in: directory, budget: budget)) } catch let fault
                as ShardReader.Fault
            { faults.add(index, fault) }
        }
        if let failure = faults.failure(folder, round) { throw failure }
    }
}

/// Shards that cannot be used, by their faults.
private struct FaultyShards {
    private var indices: [ShardReader.Fault: [Int]] = [:]

    init(_ faults: [(Int, ShardReader.Fault)] = []) { for (index, fault) in faults { add(index, fault) } }

    mutating func add(_ index: Int, _ fault: ShardReader.Fault) { indices[fault, default: []].append(index) }

    /// The failure; nil if there are no faulty shards.
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
                ? "run tilewright shard \(ShellWord.quoted(folder)) \(all[0])\(round == .survey ? " --survey" : "")"
                : "run tilewright shard \(ShellWord.quoted(folder)) INDEX"
                    + "\(round == .survey ? " --survey" : "") for each; a job array takes them as "
                    + "--array=\(Self.list(all))"
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

extension PackedPixels: KeptPixels.Packer {}

/// The pixels that shards kept, in a scratch file, since they are read only after all shards.
///
/// Unchecked: all pixels are added before any are read, and reading changes nothing.
final class ShardPixels: KeptPixels.Source, @unchecked Sendable {
    private let scratch: FileDescriptor
    private let directory: String
    private var places: [TileCoordinate: Range<Int>] = [:]
    private var end = 0

    /// Makes the scratch file.
    init(in directory: String) throws {
        self.directory = directory
        scratch = try trying(
            "make a scratch file in '\(directory)'", FileDescriptor(scratchFileIn: directory))
    }

    /// Adds the pixels of a tile, packed.
    func add(_ bytes: [UInt8], of tile: TileCoordinate) throws {
        try trying("write to a scratch file in '\(directory)'", scratch.write(bytes))
        places[tile] = end..<end + bytes.count
        end += bytes.count
    }

    func unpack(_ tile: TileCoordinate, into result: UnsafeMutableBufferPointer<Int16>) throws -> Bool {
        guard let place = places[tile] else { return false }
        let bytes = try trying(
            "read a scratch file in '\(directory)'",
            scratch.readBytes(at: place.lowerBound, count: place.count))
        guard try PackedPixels.unpack(bytes, into: result) else { throw ShardReader.Fault.damaged }
        return true
    }
}
