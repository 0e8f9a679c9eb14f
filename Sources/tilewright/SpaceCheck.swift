import Diagnostics
import Pyramid
import Tilesets

/// Whether there is room for what a build will write.
struct SpaceCheck {
    /// A guess at the bytes is seldom this many times too high.
    private static let largestError = 3

    /// What is free where the tiles go.
    let free: FreeSpace
    /// Tiles that are still to be written, at most.
    let tiles: Int
    /// Files that they take.
    let files: Int
    /// Bytes of them, roughly.
    let bytes: Int
    /// OUTPUT, for messages.
    let path: String

    /// Refuses a build that could not end.
    ///
    /// - Returns: a warning where it perhaps could not.
    /// - Throws: `.inputOutput`.
    func warning() throws -> String? {
        let need = "about \(bytes.byteText) are needed, and \(free.bytes.byteText) are free"
        if let most = free.files, files > most {
            throw Failure(
                .inputOutput,
                "cannot write \(tiles) tiles to '\(path)': its file system has room for \(most) files",
                remedy: "make room, or write one file: an OUTPUT that ends in .pmtiles or .mbtiles")
        }
        if bytes / Self.largestError > free.bytes {
            throw Failure(
                .inputOutput, "cannot write \(tiles) tiles to '\(path)': \(need)",
                remedy: "make room, give another OUTPUT, or ask for a lower --zoom")
        }
        return bytes > free.bytes ? "there may be no room for the tiles in '\(path)': \(need)" : nil
    }
}

extension SpaceCheck {
    /// Looks at a build, some of whose tiles are there already; nil where the system does not say what
    /// is free.
    init?(_ plan: TilesetPlan, tiles: TileOptions, output: String, staged: Int) {
        guard let free = FreeSpace(at: output) else { return nil }
        let count = max(1, plan.pyramid.tileCount)
        let missing = max(0, count - staged)
        let share = Double(missing) / Double(count)
        let bytes = Double(Estimator.bytes(plan, tiles: tiles)) * share
        let isArchive = Container(path: output).isArchive
        self.init(
            free: free, tiles: missing, files: isArchive ? 1 : missing, bytes: Int(bytes),
            path: output)
    }
}
