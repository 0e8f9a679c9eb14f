import Georeferencing
import Rendering
import Testing

/// Holds the pixels of small tilesets to what they were when the table was last written.
///
/// Other tests say that pixels are right, within tolerances; this one says that none has changed. The
/// images are drawn here and never encoded, so that no codec matters. The portable kernels and the
/// fastest ones of any machine must come to the same pixels. What a JPEG source or lossy tiles decode
/// to depends on the version of libjpeg or libwebp, so that neither is part of the table.
@Suite struct GoldenPixelsTests {
    @Test(
        "no pixel of the golden tilesets has changed", arguments: GoldenTileset.all,
        [KernelChoice.portable, .best])
    func pixels(tileset: GoldenTileset, choice: KernelChoice) async throws {
        let kernels = try choice.kernels
        let tiles = try await tileset.build().with { $0.kernels = kernels }.run()
        let digest = tiles.digest
        #expect(
            digest == GoldenTileset.digests[tileset.name],
            """
            the pixels have changed. If they were meant to, put this line into \
            GoldenTileset+Digests.swift and raise the constant `rendering` of the job's fingerprint, \
            so that a run does not keep tiles of an earlier version:
                    "\(tileset.name)": "\(digest)",
            """)
    }

    enum KernelChoice {
        case portable, best

        var kernels: Kernels {
            get throws { self == .best ? .best : try #require(Kernels.all.first) }
        }
    }

    @Test("each digest belongs to a tileset, and differs for different pixels")
    func digests() async throws {
        let names = GoldenTileset.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(GoldenTileset.digests.keys) == Set(names))
        #expect(Set(GoldenTileset.digests.values).count == names.count)

        let tiles = try await GoldenTileset.all[0].build().run()
        let tile = try #require(tiles.tiles.keys.first)
        var other = tiles
        other.tiles[tile]?[1000] ^= 1
        #expect(other.digest != tiles.digest)
        other = tiles
        other.tiles[tile] = nil
        #expect(other.digest != tiles.digest)
    }
}
