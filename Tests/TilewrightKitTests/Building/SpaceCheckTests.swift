import Platform
import Testing
import Tiling

@testable import TilewrightKit

/// The check for room, with stated free space.
struct SpaceCheckTests {
    private func check(
        files: Int = 1, guess: Int = 0, bytes: Int = 0, free: Int, freeFiles: Int? = nil
    ) throws -> SpaceCheck {
        var space = try #require(FreeSpace(at: "."))
        (space.bytes, space.files) = (free, freeFiles)
        let need = SpaceCheck.Need(
            path: "out", what: "7 tiles", files: files, guess: guess, least: guess / 3,
            bytes: bytes)
        return SpaceCheck(needs: [(need, space)])
    }

    @Test("A guess that is three times too high would still not fit")
    func bytes() throws {
        expectRefusal(.inputOutput, "cannot write 7 tiles to 'out': about 3.0 MB are needed, but 900.0 kB") {
            try check(guess: 3_000_000, free: 900_000).warning()
        }
        // Bytes that are known exactly count in full.
        expectRefusal(.inputOutput, "--tmpdir") {
            try check(guess: 300, bytes: 1000, free: 1050).warning()
        }
    }

    @Test("A third of the files would still not fit, on a file system that counts files")
    func files() throws {
        expectRefusal(.inputOutput, "up to 400 files and folders are needed, but there is room for 100") {
            try check(files: 400, free: 1_000_000, freeFiles: 100).warning()
        }
        #expect(try check(files: 400, free: 1_000_000).warning() == nil)
    }

    @Test("Some tiles are tried first if less than four times a guess is free")
    func tight() throws {
        #expect(try check(guess: 300, bytes: 50, free: 1249).isTight)
        #expect(try !check(guess: 300, bytes: 50, free: 1250).isTight)
    }

    @Test("If the tiles may just fit, there is a warning")
    func warnings() throws {
        #expect(
            try check(files: 200, free: 1_000_000, freeFiles: 100).warning()
                == "there may be no room for 7 tiles in 'out': up to 200 files and folders are needed, "
                + "but only 100 can be made")
        let warning = try check(guess: 2_000_000, free: 1_000_000).warning()
        #expect(warning?.contains("there may be no room for 7 tiles in 'out': about 2.0 MB") == true)
        #expect(try check(files: 100, guess: 900, free: 1000, freeFiles: 100).warning() == nil)
    }
}
