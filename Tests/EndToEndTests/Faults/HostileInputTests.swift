import Foundation
import TestSupport
import Testing

/// Small files that ask for a lot: what they claim is looked at before any of it is done.
struct HostileInputTests {
    /// Four million columns and rows of numbers, all in tiles that the file leaves out.
    private static let numbers = {
        var file = TIFFBuilder(width: 1 << 22, height: 1 << 22, data: [])
        file.set(258, .short, [32])
        file.set(339, .short, [3])
        let tiles = [Int](repeating: 0, count: 1 << 18)
        file.setTiles(width: 1 << 14, height: 1 << 12, count: tiles.count)
        file.set(324, .long, tiles)
        file.set(325, .long, tiles)
        return file.bytes
    }()

    // The range of numbers takes a pass over all of them.
    @Test(
        "An image of too many pixels is refused before its data is looked at",
        .timeLimit(.minutes(1)), arguments: ["build -o out", "info", "fit"].some(1))
    func tooManyPixels(command: String) throws {
        let workshop = try Workshop()
        try workshop.write(Self.numbers, to: "numbers.tif")
        let words = command.split(separator: " ").map(String.init)
        let outcome = try workshop.run(
            words + [
                "numbers.tif", "--gcp", "0,0,2,48.002", "--gcp", "4194304,0,2.003,48.002", "--gcp",
                "4194304,4194304,2.003,48",
            ])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("error: the image has 17.6T pixels"))
        #expect(!workshop.has("out"))
    }

    // Each would be read into memory of its own: two gigabytes.
    @Test("A TIFF whose tags share their values is refused", .timeLimit(.minutes(1)))
    func sharedTags() throws {
        let workshop = try Workshop()
        var file = TIFFBuilder(width: 4, height: 4, data: .init(repeating: 0, count: 1 << 20))
        for tag in 0..<2000 {
            file.fields[50000 + tag] = .init(kind: .undefined, count: 1 << 20, bytes: [8, 0, 0, 0])
        }
        try workshop.write(file.bytes, to: "tags.tif")
        let outcome = try workshop.run(["info", "tags.tif", "--bounds", Workshop.bounds])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("its directories are larger than the file"))
    }

    @Test("A TIFF with many directories that share a profile is refused")
    func sharedProfile() throws {
        let workshop = try Workshop()
        var file = TIFFBuilder(width: 4, height: 4, data: .init(repeating: 0, count: 1 << 20))
        file.fields[34675] = .init(kind: .undefined, count: 1 << 20, bytes: [8, 0, 0, 0])
        let children = [Int](repeating: file.directory, count: 64)
        file.set(330, .long, children)
        try workshop.write(file.bytes, to: "profiles.tif")
        let outcome = try workshop.run(["info", "profiles.tif", "--bounds", Workshop.bounds])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("its directories are larger than the file"))
    }

    @Test("A decoder that needs too much memory is refused, with a remedy")
    func tooMuchMemory() throws {
        let workshop = try Workshop()
        var file = TIFFBuilder(width: 1 << 22, height: 1000, data: [])
        file.setTiles(width: 1 << 12, height: 1 << 12, count: 1 << 10)
        try workshop.write(file.bytes, to: "wide.tif")
        for command in [["info"], ["build", "-o", "out"]] {
            let outcome = try workshop.run(
                command + ["wide.tif", "--bounds", Workshop.bounds, "--zoom", "14-15"])
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("error: decoding takes 17.2 GB of memory"))
            #expect(outcome.errors.contains("raise --memory"))
        }
        let info = ["info", "wide.tif", "--bounds", Workshop.bounds, "--zoom", "14-15"]
        #expect(try workshop.run(info + ["--memory", "20G"]).status == 0)
    }
}
