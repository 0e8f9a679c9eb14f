import Foundation
import TestSupport
import Testing

/// An image that ends early leaves nothing behind, and nothing changed.
struct DamagedInputTests {
    /// Shares of the file: in the signature, in the header, in the pixels, before the last row.
    static let lengths = [0.00001, 0.0002, 0.1, 0.5, 0.98]

    @Test("A truncated image makes no directory", arguments: lengths)
    func nothingIsLeftBehind(share: Double) throws {
        let workshop = try Workshop()
        let file = workshop.plan.png()
        try workshop.write(file.prefix(Int(Double(file.count) * share) + 4), to: "plan.png")
        let outcome = try workshop.run(["plan.png", "--bounds", Workshop.bounds, "-o", "a/out"])
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasPrefix("error: cannot read 'plan.png'"))
        #expect(!workshop.has("a"))
    }

    @Test("A truncated image leaves an earlier run's directory as it was", arguments: lengths)
    func earlierRunStays(share: Double) throws {
        let workshop = try Workshop()
        let tree = try workshop.build()
        let before = try Snapshot(of: tree)
        let file = workshop.plan.png()
        try workshop.write(file.prefix(Int(Double(file.count) * share) + 4), to: "plan.png")
        let outcome = try workshop.run(["plan.png", "--bounds", Workshop.bounds, "-o", "out"])
        #expect(outcome.status == 65)
        #expect(try Snapshot(of: tree) == before)
    }

    @Test(
        "A truncated JPEG leaves an earlier run's directory as it was", arguments: [0.1, 0.5, 0.95])
    func earlierRunStaysAsJPEGEnds(share: Double) throws {
        let workshop = try Workshop()
        let bytes = try JPEGFile(.noise(width: 512, height: 512)).bytes
        try workshop.write(bytes, to: "photo.jpg")
        let tree = try workshop.build(of: "photo.jpg")
        let before = try Snapshot(of: tree)
        try workshop.write(bytes.prefix(Int(Double(bytes.count) * share)), to: "photo.jpg")
        let outcome = try workshop.run(["photo.jpg", "--bounds", Workshop.bounds, "-o", "out"])
        #expect(outcome.status == 65)
        #expect(try Snapshot(of: tree) == before)
    }

    @Test("An image of one pixel is an image")
    func onePixelIsEnough() throws {
        let workshop = try Workshop(Picture(width: 1, height: 1, colour: (200, 0, 0, 255)))
        let tree = try workshop.build(["--resampling", "area"])
        let zooms = try Snapshot(of: tree).tiles.keys.compactMap { $0.split(separator: "/").first }
        let zoom = try #require(zooms.compactMap { Int($0) }.max())
        let picture = try Mosaic(of: tree, zoom: zoom).picture
        let reds = stride(from: 0, to: picture.rgba.count, by: 4).filter {
            picture.rgba[$0 + 3] > 0
        }
        #expect(!reds.isEmpty && reds.allSatisfy { picture.rgba[$0] == 200 })
    }
}
