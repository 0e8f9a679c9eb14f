import Raster
import Rendering
import TestSupport
import Testing
import Tiling

/// Builds in a row whose tiles go to one sink.
struct BuildSequenceTests {
    /// Notes tiles in the order in which they come.
    private struct ListSink: TileSink {
        let staged: Set<TileCoordinate> = []
        var tiles: [EncodedTile] = []

        mutating func write(_ tile: EncodedTile) { tiles.append(tile) }
    }

    /// A build of one zoom, of an image that is read from the top by one task.
    private static func build(_ zoom: Int, width: Int, height: Int, jobs: Int) throws -> PyramidBuilder {
        let matrix = TileMatrix(zoom: zoom, tileSize: 256)
        let edge = Double(256 << zoom)
        let (x, y) = (edge / 3, edge / 4)
        let image = TestImage.noise(width: width, height: height)
        let mapping = try Placement.pixels(
            matrix, x: x...x + Double(width), y: y...y + Double(height), width: width, height: height)
        let plan = try TestBuild(mapping, image, zooms: zoom...zoom, resampling: .bilinear).plan()
        let resources = PyramidResources(jobs: jobs, memory: 1 << 30, scratchDirectory: "/nonexistent")
        return PyramidBuilder(.images { _ in image.source() }, plan: plan, resources: resources)
    }

    /// What builds write, and how many encoders there are when the first tiles are written.
    private static func run(
        _ builds: [PyramidBuilder]
    ) async throws -> (tiles: [EncodedTile], done: Int, encodersAtFirst: Int) {
        var (sink, encoders, encodersAtFirst, done) = (ListSink(), 0, 0, 0)
        let summary = try await BuildSequence(builds).build(
            to: &sink,
            makeEncoder: {
                encoders += 1
                return RawEncoder()
            },
            progress: {
                #expect($0 >= done)
                done = $0
                if encodersAtFirst == 0 { encodersAtFirst = encoders }
            })
        #expect(summary.tiles == sink.tiles.count)
        return (sink.tiles, done, encodersAtFirst)
    }

    @Test("tiles are those of each build alone, in the order of the builds", .long, arguments: [1, 2, 5])
    func order(jobs: Int) async throws {
        let places = [(18, 900), (17, 500), (16, 300), (15, 10), (14, 700)]
        var alone: [EncodedTile] = []
        for (zoom, size) in places {
            alone += try await Self.run([Self.build(zoom, width: size, height: size, jobs: 1)]).tiles
        }
        let builds = try places.map { try Self.build($0, width: $1, height: $1, jobs: jobs) }
        let together = try await Self.run(builds)
        #expect(together.tiles.map(\.coordinate) == alone.map(\.coordinate))
        #expect(together.tiles.map(\.bytes) == alone.map(\.bytes))
        #expect(together.done == alone.count)
    }

    @Test(
        "a build begins while the one before has too little work, if it fits into the largest build's memory",
        .long)
    func overlap() async throws {
        // An image that is read from the top keeps one of four jobs busy at first.
        func begun(_ widths: [Int], jobs: Int = 4) async throws -> Int {
            let builds = try widths.enumerated().map {
                try Self.build(18 - $0, width: $1, height: 700, jobs: jobs)
            }
            return try await Self.run(builds).encodersAtFirst / jobs
        }
        #expect(try await begun([300, 300, 9000]) == 2)
        #expect(try await begun([9000, 300, 300]) == 1)
        #expect(try await begun([300, 9000]) == 1)
        #expect(try await begun([300, 300, 9000], jobs: 1) == 1)
    }

    @Test("an empty sequence builds nothing")
    func nothing() async throws {
        #expect(try await Self.run([]).tiles.isEmpty)
    }
}
