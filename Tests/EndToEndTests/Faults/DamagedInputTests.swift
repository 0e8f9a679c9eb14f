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

    @Test("A truncated image leaves an earlier run's directory as it was", arguments: lengths.some(2))
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

    // The scale of UTM with one digit wrong: the place is a quarter of the Earth away from the central
    // meridian, where PROJ's Transverse Mercator is not the inverse of its inverse.
    @Test("A projection without an inverse is an error, not a crash", .long)
    func projectionWithoutInverse() throws {
        let workshop = try Workshop(.plan(width: 860, height: 560))
        let projection = """
            PROJCS["UTM 31N",GEOGCS["WGS 84",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,\
            298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],\
            PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],\
            PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",3.0],\
            PARAMETER["Scale_Factor",0.1996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]
            """
        try workshop.write(projection.utf8, to: "plan.prj")
        let worldFile = "0.0476\n-0.0154\n-0.0154\n-0.0476\n405630.3\n5341238.9\n"
        try workshop.write(worldFile.utf8, to: "plan.pgw")
        let outcome = try workshop.run(["plan.png", "-o", "out", "--zoom", "16-17"])
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(!workshop.has("out"))
    }
}
