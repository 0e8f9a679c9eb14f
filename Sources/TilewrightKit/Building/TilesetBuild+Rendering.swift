import Palettes
import Platform
import Raster
import Rendering
import Tilesets
import Tiling

extension TilesetBuild {
    /// The colours that pixels are rounded to, or nil if they stay as they are. Renders all tiles to count
    /// them.
    private func palette(_ report: BuildEventHandler) async throws -> Palette? {
        guard let size = request.pyramid.encoding.palette else { return nil }
        report(.began(.colors, tileCount: plan.tileCount))
        defer { report(.ended) }
        var sink = CensusSink()
        var parts = CensusParts()
        _ = try await plan.builder.build(
            to: &sink,
            makeEncoder: { parts.make() }, semaphore: semaphore,
            progress: { report(.progressed(tilesDone: $0)) })
        return try parts.sum().palette(size: size)
    }

    /// Renders all tiles into the tileset, once other builds leave enough memory, or copies those that other
    /// machines have made.
    ///
    /// - Returns: the tileset. If it throws, the tileset is discarded or suspended.
    func render(
        into tileset: any TilesetWriter, _ report: BuildEventHandler
    ) async throws -> any TilesetWriter {
        var tileset = tileset
        do {
            if memory != nil { try plan.builder.checkMemory() }
            let summary = try await memory.with(plan.builder.residentBytes) {
                if let warning = try await space(for: tileset).warning() {
                    report(.warning(Warning("disk-space", warning)))
                }
                let palette = try await shards == nil ? palette(report) : nil
                report(.began(.tiles, tileCount: plan.tileCount))
                defer { report(.ended) }
                let progress = { report(.progressed(tilesDone: $0)) }
                if let shards {
                    return try await shards.write(
                        to: &tileset, plan: plan, semaphore: semaphore, progress: progress)
                }
                return try await plan.builder.build(
                    to: &tileset, makeEncoder: { request.pyramid.encoding.makeEncoder(palette: palette) },
                    semaphore: semaphore, progress: progress)
            }
            guard summary.tiles > 0 else {
                throw Failure(
                    .badInput,
                    "cannot build tiles of \(plan.images[0].request.title): every pixel is transparent",
                    remedy: "check --nodata and --crop, or add --empty write")
            }
            if let change = change() { throw change }
        } catch {
            try end(tileset, after: error)
        }
        return tileset
    }

    /// Checks whether there is room for the tiles. If room is short, some tiles are tried first, unless other
    /// machines have made the tiles already.
    private func space(for tileset: any TilesetWriter) async throws -> SpaceCheck {
        let (output, staged) = (request.output.path, tileset.staged.count)
        let rough = try SpaceCheck(plan, output: output, staged: staged)
        guard rough.isTight, shards == nil else { return rough }
        return try SpaceCheck(
            plan, output: output, staged: staged, estimate: await plan.sampledEstimate())
    }

    /// Discards all tiles if an input is at fault, and otherwise keeps them for the next run.
    ///
    /// - Throws: the error; or that an input changed meanwhile.
    func end(_ tileset: any TilesetWriter, after error: any Error) throws {
        let change = change()
        let isOfInput = (error as? Failure).map { [.badInput, .usage].contains($0.kind) } ?? false
        if change != nil || isOfInput { try tileset.discard() } else { try tileset.suspend() }
        if error is Failure, let change { throw change }
        throw error
    }
}

/// Whether there is room for what a build will write.
struct SpaceCheck {
    /// A rough guess of the bytes, or the number of tiles, is seldom this many times too high. Transparent
    /// tiles take neither bytes nor a file.
    private static let largestError = 3
    /// A rough guess is seldom this many times too low.
    private static let largestShortage = 4

    /// The space that a build needs below one directory.
    struct Need {
        /// The directory, or OUTPUT, for messages.
        var path: String
        /// The name of the files, for messages.
        var what: String
        /// The maximum number of files and directories.
        var files: Int
        /// The likely bytes.
        var guess: Int
        /// The fewest bytes.
        var least: Int
        /// Further bytes, which are known exactly.
        var bytes = 0

        /// Bytes in all.
        var total: Int { guess + bytes }
    }

    /// The needs on each file system, that of OUTPUT first.
    let needs: [(need: Need, free: FreeSpace)]

    /// Whether there is so little room that a better guess is worth its time.
    var isTight: Bool {
        needs.contains { $0.need.guess * Self.largestShortage + $0.need.bytes > $0.free.bytes }
    }

    /// Refuses a build for which there is no room.
    ///
    /// - Returns: a warning if there may be none.
    /// - Throws: `.inputOutput`.
    func warning() throws -> String? {
        try needs.compactMap(Self.warning).first
    }

    private static func warning(of need: Need, _ free: FreeSpace) throws -> String? {
        let files = free.files ?? .max
        if need.files / largestError > files {
            throw Failure(
                .inputOutput,
                "cannot write \(need.what) to '\(need.path)': up to \(need.files) files and "
                    + "folders are needed, but there is room for \(files)",
                remedy: "make room, or write one file: an OUTPUT that ends in .pmtiles or .mbtiles")
        }
        let comparison =
            "about \(need.total.byteText) are needed, but \(free.bytes.byteText) are free"
        if need.least + need.bytes > free.bytes {
            throw Failure(
                .inputOutput, "cannot write \(need.what) to '\(need.path)': \(comparison)",
                remedy: "make room, give another OUTPUT or --tmpdir, or ask for a lower --zoom")
        }
        if need.files > files {
            return "there may be no room for \(need.what) in '\(need.path)': up to "
                + "\(need.files) files and folders are needed, but only \(files) can be made"
        }
        return need.total > free.bytes
            ? "there may be no room for \(need.what) in '\(need.path)': \(comparison)" : nil
    }
}

extension SpaceCheck {
    /// Looks at a build, some of whose tiles may exist already.
    ///
    /// The tiles of an archive are first in a scratch file, which is at most a tenth larger than the tiles.
    ///
    /// - Parameters:
    ///   - staged: tiles that an earlier run left.
    ///   - estimate: the bytes of the tiles, if some were tried.
    init(_ plan: TilesetPlan, output: String, staged: Int, estimate: BuildEstimate? = nil) throws {
        let container = TilesetContainer(path: output)
        let count = plan.tileCount
        let missing = max(0, count - staged)
        let share = Double(missing) / Double(max(1, count))
        let likely = Int(Double((estimate ?? plan.roughEstimate).bytes) * share)
        let least = estimate.map { Int(Double($0.spread[0]) * share) } ?? likely / Self.largestError
        let files = container.isArchive ? 1 : missing + (staged == 0 ? plan.pyramid.folderCount : 0)
        var scratch = Need(
            path: plan.scratchDirectory, what: "scratch files", files: 1, guess: 0, least: 0,
            bytes: try plan.builder.scratchBytes)
        if container.isArchive { (scratch.guess, scratch.least) = (likely / 10 * 11, least / 10 * 11) }
        self.init([
            Need(path: output, what: "\(missing) tiles", files: files, guess: likely, least: least), scratch,
        ])
    }

    /// Looks up the free space. Needs on one file system are added up, under the first name.
    private init(_ needs: [Need]) {
        var found: [(need: Need, free: FreeSpace)] = []
        for need in needs where need.total > 0 {
            guard let free = FreeSpace(at: need.path) else { continue }
            if let index = found.firstIndex(where: { $0.free.device == free.device }) {
                found[index].need.files += need.files
                found[index].need.guess += need.guess
                found[index].need.least += need.least
                found[index].need.bytes += need.bytes
            } else {
                found.append((need, free))
            }
        }
        self.needs = found
    }
}
