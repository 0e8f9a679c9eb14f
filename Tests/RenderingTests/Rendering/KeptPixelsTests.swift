import Rendering
import TestSupport
import Testing
import Tiling

/// Pyramids that are cut at a zoom: parts keep its pixels, from which the zooms below are made.
struct KeptPixelsTests {
    /// Keeps pixels as they are.
    private final class RawPacker: KeptPixels.Packer {
        func pack(_ pixels: UnsafeBufferPointer<Int16>) -> [UInt8] { Array(UnsafeRawBufferPointer(pixels)) }
    }

    private struct RawSource: KeptPixels.Source {
        let kept: [TileCoordinate: [UInt8]]

        func unpack(_ tile: TileCoordinate, into result: UnsafeMutableBufferPointer<Int16>) -> Bool {
            guard let bytes = kept[tile] else { return false }
            UnsafeMutableRawBufferPointer(result).copyBytes(from: bytes)
            return true
        }
    }

    /// The tiles at a zoom and beyond, part by part, and the pixels of the zoom.
    private static func parts(
        of build: TestBuild, cutAt cut: Int, _ random: inout SplitMix
    ) async throws -> MemorySink {
        var sink = MemorySink()
        let plan = try build.plan()
        for window in try WindowTests.cut(plan, atZoom: cut, &random) where window.zooms.upperBound > cut {
            guard let part = plan.confined(to: window) else { continue }
            var resources = build.resources
            resources.jobs = Int.random(in: 1...3, using: &random)
            var builder = PyramidBuilder(
                build.pixels, plan: part, resources: resources, kernels: build.kernels)
            builder.makePacker = { RawPacker() }
            _ = try await BuildSequence([builder]).build(
                to: &sink, makeEncoder: { RawEncoder() }, progress: { _ in })
        }
        return sink
    }

    @Test(
        "tiles of parts, and tiles of their kept pixels, are those of the whole", .long,
        arguments: WindowTests.Kind.allCases, [256, 512])
    func merged(kind: WindowTests.Kind, tileSize: Int) async throws {
        var build = try kind.build()
        let zooms = build.options.zooms
        build.options.zooms = max(0, zooms.lowerBound - 2)...zooms.upperBound
        if tileSize == 512 {
            build.options.tileSize = 512
            build.options.zooms = max(0, zooms.lowerBound - 2)...zooms.upperBound - 1
        }
        let whole = try await build.run()
        let plan = try build.plan()
        var random = SplitMix(seed: UInt64(tileSize))
        for cut in build.options.zooms {
            var sink = try await Self.parts(of: build, cutAt: cut, &random)
            if let below = plan.below(cut) {
                let builder = PyramidBuilder(
                    .kept(RawSource(kept: sink.kept)), plan: below, resources: build.resources,
                    kernels: build.kernels)
                _ = try await BuildSequence([builder]).build(
                    to: &sink, makeEncoder: { RawEncoder() }, progress: { _ in })
            } else {
                #expect(cut == build.options.zooms.lowerBound)
            }
            #expect(WindowTests.differences(sink.tiles, whole.tiles) == [], "cut at \(cut)")
        }
    }
}
