import FoundationEssentials
import Tilesets
import Tiling

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Measures the writing of a container, without making tiles.
struct ContainerBenchmark: Sendable {
    /// The name.
    let name: String
    /// Opens the container in a folder. The container may add an ending to its name.
    let make: @Sendable (_ folder: String, _ name: String) throws -> any TilesetWriter

    static let all = [
        ContainerBenchmark(name: "directory") { folder, name in
            let names = try TileNames(
                TileTemplate(TileTemplate.standard), fileExtension: "png", floor: nil,
                scheme: .xyz)
            return try TreeWriter(
                TilesetOptions(path: "\(folder)/\(name)"), names: names, job: ContentHash(of: name))
        },
        ContainerBenchmark(name: "mbtiles") { folder, name in
            try MBTilesWriter(
                TilesetOptions(
                    path: "\(folder)/\(name).mbtiles", origin: TilesetOrigin(job: ContentHash(of: name))),
                scratchDirectory: folder)
        },
        ContainerBenchmark(name: "pmtiles") { folder, name in
            try PMTilesWriter(
                TilesetOptions(
                    path: "\(folder)/\(name).pmtiles", origin: TilesetOrigin(job: ContentHash(of: name))),
                scratchDirectory: folder)
        },
    ]

    /// Numbers of tiles, the smallest first: on some systems peaks of memory only grow.
    static let counts = [10_000, 100_000, 1_000_000]

    /// The column headings of `run`.
    static let head = line(
        "container",
        ["tiles", "tiles/s", "CPU us/tile", "peak MiB", "B/tile", "MB", "MB besides", "again ms"])

    /// Writes synthetic tiles into a folder that has none yet, prints a line, and removes them.
    ///
    /// `again ms` is the time of a second run of the same job, which has nothing to do. `MB besides` is what
    /// was written in addition to the result: an upper limit for the disk space of temporary files.
    func run(tiles count: Int, in folder: String) throws {
        let stem = "container-benchmark"
        let tiles = SyntheticTiles(count: count)
        ProcessCounters.resetPeak()
        let before = ProcessCounters()
        let time = try ContinuousClock().measure {
            var tileset = try make(folder, stem)
            try tiles.forEach { try tileset.write($0) }
            _ = try tileset.finish(tiles.documents(tileset.contents))
        }
        let after = ProcessCounters()
        let again = try timeOfCompleteRun(in: folder, stem, tiles)
        let left = try Self.remove(stem, from: folder)
        let peak = after.peakMemory - before.peakMemory
        let besides = after.writtenBytes - before.writtenBytes - left
        let columns = [
            count, Int(Double(count) / (time / .seconds(1))),
            Int((after.cpuTime - before.cpuTime) / .microseconds(1)) / count,
            peak >> 20, peak / count, left / 1_000_000, max(0, besides) / 1_000_000,
        ]
        print(Self.line(name, (columns + [again]).map(String.init)))
    }

    /// Milliseconds.
    private func timeOfCompleteRun(
        in folder: String, _ stem: String, _ tiles: SyntheticTiles
    ) throws -> Int {
        let time = try ContinuousClock().measure {
            let tileset = try make(folder, stem)
            precondition(tileset.isComplete, "the container does not know its own job")
            _ = tileset.tiles
            _ = try tileset.finish(tiles.documents(tileset.contents))
        }
        return Int(time / .milliseconds(1))
    }

    private static func line(_ name: String, _ columns: [String]) -> String {
        func padding(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count))
        }
        return name + padding(name, 10) + columns.map { padding($0, 12) + $0 }.joined()
    }

    /// Removes all files whose names begin with a stem.  - Returns: the size of the files in bytes.
    private static func remove(_ stem: String, from folder: String) throws -> Int {
        let manager = FileManager.default
        var bytes = 0
        for name in try manager.contentsOfDirectory(atPath: folder) where name.hasPrefix(stem) {
            let path = "\(folder)/\(name)"
            let inner = (try? manager.subpathsOfDirectory(atPath: path)) ?? []
            bytes += ([path] + inner.map { "\(path)/\($0)" }).map(size).reduce(0, +)
            try manager.removeItem(atPath: path)
        }
        return bytes
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        return Int(status.st_size)
    }
}
