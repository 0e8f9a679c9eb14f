import Platform
import Pyramid
import Tilesets

/// Whether there is room for what a build will write.
struct SpaceCheck {
    /// A rough guess at the bytes, and the number of tiles, is seldom this many times too high; transparent
    /// tiles take neither bytes nor a file.
    private static let largestError = 3
    /// A rough guess is seldom this many times too low.
    private static let largestShortage = 4

    /// What a build writes below one directory.
    struct Need {
        /// The directory, or OUTPUT, for messages.
        var path: String
        /// What is written there, for messages.
        var what: String
        /// Files and directories, at most.
        var files: Int
        /// Bytes that are likely.
        var guess: Int
        /// Bytes that there are at least.
        var least: Int
        /// Bytes that are certain.
        var bytes = 0

        /// Bytes in all.
        var total: Int { guess + bytes }
    }

    /// What is written to one file system, that of OUTPUT first.
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
                    + "folders are needed, and there is room for \(files)",
                remedy: "make room, or write one file: an OUTPUT that ends in .pmtiles or .mbtiles")
        }
        let comparison =
            "about \(need.total.byteText) are needed, and \(free.bytes.byteText) are free"
        if need.least + need.bytes > free.bytes {
            throw Failure(
                .inputOutput, "cannot write \(need.what) to '\(need.path)': \(comparison)",
                remedy: "make room, give another OUTPUT or --tmpdir, or ask for a lower --zoom")
        }
        if need.files > files {
            return "there may be no room for \(need.what) in '\(need.path)': up to "
                + "\(need.files) files and folders are needed, and \(files) can be made"
        }
        return need.total > free.bytes
            ? "there may be no room for \(need.what) in '\(need.path)': \(comparison)" : nil
    }
}

extension SpaceCheck {
    /// Looks at a build, some of whose tiles are there already.
    ///
    /// Tiles that an archive sorts wait in a scratch file, too, which has at most a tenth more: they are
    /// sorted only in the archive.
    ///
    /// - Parameters:
    ///   - staged: tiles that an earlier run left.
    ///   - estimate: what the tiles take, if some were tried.
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
        if container.sortsTiles { (scratch.guess, scratch.least) = (likely / 10 * 11, least / 10 * 11) }
        self.init([
            Need(path: output, what: "\(missing) tiles", files: files, guess: likely, least: least), scratch,
        ])
    }

    /// Looks at what is free; needs of one file system become one, under the first name.
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
