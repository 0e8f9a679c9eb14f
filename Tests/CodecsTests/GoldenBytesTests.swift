import Codecs
import Raster
import TestSupport
import Testing

/// Holds the bytes of encoded tiles to what they were when the table was last written.
///
/// Other libraries, or other versions of these, may well write other bytes for the same pixels.
@Suite(.enabled(if: GoldenBytes.belongHere, "the bytes of tiles are those of other libraries"))
struct GoldenBytesTests {
    @Test("no byte of the golden tiles has changed", arguments: GoldenBytes.all.some(2))
    func bytes(tiles: GoldenBytes) throws {
        let digest = try tiles.digest()
        #expect(
            digest == tiles.expected,
            """
            the bytes have changed. If they were meant to, put this digest into GoldenBytes.swift and \
            raise the constant `rendering` of the job's fingerprint, so that a run does not keep tiles \
            of an earlier version: \(digest)
            """)
    }

    @Test("each encoder and each setting gives different bytes")
    func settings() {
        #expect(Set(GoldenBytes.all.map(\.expected)).count == GoldenBytes.all.count)
    }
}
