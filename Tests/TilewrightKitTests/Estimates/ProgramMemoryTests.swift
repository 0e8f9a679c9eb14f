import TestSupport
import Testing

@testable import TilewrightKit

/// The memory of the program without pixels.
struct ProgramMemoryTests {
    @Test("A mapped library is found, and another one is not")
    func libraries() throws {
        let scratch = try TemporaryDirectory()
        let path = try scratch.write(
            """
            5581-5582 r-xp 00000000 08:01 1234    /home/libtiff/a program
            5583-5584 rw-p 00000000 00:00 0
            7ffe-7fff r--p 00000000 08:01 99      /lib/libproj.so.25

            """, to: "maps")
        #expect(ProgramMemory.isMapped("libproj.", in: path))
        #expect(!ProgramMemory.isMapped("libtiff.", in: path))
        #expect(!ProgramMemory.isMapped("libproj.", in: scratch.path("none")))
    }

    @Test("More tiles take more memory")
    func tiles() {
        let few = ProgramMemory.bytes(tiles: 1)
        #expect(few > 20 << 20 && ProgramMemory.bytes(tiles: 1_000_000) - few > 60_000_000)
    }
}
