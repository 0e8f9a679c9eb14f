import ArgumentParser
import Codecs
import Diagnostics
import Tilesets
import Tiling
import Verification

/// `tilewright verify`: a finished tileset against what it claims.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks a finished tileset, every tile of it, against what it claims.")

    @Argument(
        help: ArgumentHelp("A folder of tiles, or an archive.", valueName: "OUTPUT"),
        completion: .file())
    var tileset: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The floor to check. (default: all of them)", valueName: "NAME"))
    var floor: String?

    @OptionGroup var reports: ProgressOptions

    func run() async throws {
        try await SignalWatch.run { try verify() }
    }

    private func verify() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let tilesets = try open()
        let faults = FaultList()
        let chosen = tilesets.filter { floor == nil || $0.tree?.floor == floor }
        let sums = try chosen.map { try check($0, faults) }
        try TreeReader.checkForeignFiles(among: try trees(of: tilesets), faults.add)
        try faults.finish()
        let (tiles, bytes) = sums.reduce((0, 0)) { ($0.0 + $1.tiles, $0.1 + $1.bytes) }
        guard faults.count == 0 else {
            throw Failure(
                .checkFailed,
                "'\(tileset)' has \(faults.count.counted("fault")) (\(tiles.counted("tile")))")
        }
        if reports.quiet { return }
        Console.say(
            "\(tiles.counted("tile")), \(bytes.byteText), nothing is wrong, "
                + "\((clock.now - start).seconds.text(decimals: 1)) s")
    }

    /// Opens the tileset, or all of a folder: a file of one is not foreign to another.
    private func open() throws -> [StoredTileset] {
        var floors = [floor]
        if Container(existing: tileset) == .directory {
            let all = try TreeReader.floors(of: tileset)
            if floor.map(all.contains) ?? !all.isEmpty { floors = all }
        }
        let tilesets = try floors.map { try StoredTileset(checking: tileset, floor: $0) }
        for tileset in tilesets { try tileset.tree?.checkNobodyWrites() }
        return tilesets
    }

    /// The trees of a folder that this program made, where it can say of each file whose it is.
    private func trees(of tilesets: [StoredTileset]) throws -> [TreeReader] {
        let areOurs = try tilesets.allSatisfy { try verification(of: $0).isOfThisProgram }
        return areOurs ? tilesets.compactMap(\.tree) : []
    }

    private func verification(of tileset: StoredTileset) throws -> TilesetVerification {
        let inspector = TileInspector(tileset.metadata) { try TileInspection.inspect($0) }
        return try TilesetVerification(
            of: tileset.reader, floor: tileset.tree?.floor, inspector: inspector)
    }

    private func check(
        _ tileset: StoredTileset, _ faults: FaultList
    ) throws -> TilesetVerification.Summary {
        let progress = ProgressReporter(
            style: reports.style, total: tileset.metadata.estimatedTileCount)
        defer { progress.finish() }
        return try verification(of: tileset).run(progress: progress.report, report: faults.add)
    }
}

extension TilesetMetadata {
    /// How many tiles there are as far as that is known without counting.
    var estimatedTileCount: Int {
        let area = limits.reduce(0.0) { $0 + Double($1.columns.count) * Double($1.rows.count) }
        // What a file claims may be beyond all measure.
        return contents?.tileCount ?? Int(min(area, 1e15))
    }
}
