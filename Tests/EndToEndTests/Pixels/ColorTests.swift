import Foundation
import TestSupport
import Testing

/// Colours that an image declares, in the tiles and in what the program says.
struct ImageColorTests {
    private struct Info: Decodable {
        struct Image: Decodable { var colors: Colors? }
        struct Colors: Decodable { var profile, treatment: String }
        var image: Image
    }

    /// A workshop in which the plan is also there with a profile.
    private func workshop(_ profile: ICCProfile, plan: Picture? = nil) throws -> Workshop {
        let workshop = try plan.map { try Workshop($0) } ?? Workshop()
        try workshop.write(workshop.plan.png(profile: profile), to: "colored.png")
        return workshop
    }

    private func colors(_ options: [String], in workshop: Workshop) throws -> Info.Colors? {
        let arguments = ["info", "--json", "--bounds", Workshop.bounds] + options
        let output = try Program.succeed(arguments, in: workshop.url).output
        return try JSONDecoder().decode(Info.self, from: Data(output.utf8)).image.colors
    }

    @Test("Info names the colours and what becomes of them")
    func infoNamesColors() throws {
        let workshop = try workshop(.displayP3)
        let converted = try #require(try colors(["colored.png"], in: workshop))
        #expect((converted.profile, converted.treatment) == ("Display P3", "converted"))
        #expect(try colors(["colored.png", "--keep-colors"], in: workshop)?.treatment == "kept")
        #expect(try colors(["plan.png"], in: workshop) == nil)
        let text = try workshop.run(["info", "colored.png", "--bounds", Workshop.bounds]).output
        #expect(text.contains("\ncolours    Display P3, converted to sRGB\n"))
    }

    @Test("Tiles are converted unless colours are kept, and a later run with the option makes anew")
    func tilesAreConverted() throws {
        let workshop = try workshop(.displayP3)
        let plain = try Snapshot(of: workshop.build(to: "plain")).tiles
        #expect(try Snapshot(of: workshop.build(of: "colored.png")).tiles != plain)
        let kept = try workshop.build(["--keep-colors"], of: "colored.png")
        #expect(try Snapshot(of: kept).tiles == plain)
    }

    @Test("A profile that cannot be used is warned of in one line, and the tiles are made")
    func unusableProfile() throws {
        let workshop = try workshop(ICCProfile([1, 2, 3]))
        let outcome = try workshop.run(
            ["colored.png", "--bounds", Workshop.bounds, "-o", "out"])
        #expect(outcome.status == 0)
        #expect(
            outcome.errors.hasPrefix(
                "warning: the colours of 'colored.png' are taken as they are: its colour profile "
                    + "is damaged\n"))
        let plain = try Snapshot(of: workshop.build(to: "plain")).tiles
        #expect(try Snapshot(of: workshop.file("out")).tiles == plain)
    }

    @Test("The nodata colour is the one that is seen")
    func nodataIsSeen() throws {
        // Adobe RGB (128, 128, 128) is seen as (129, 129, 129).
        var plan = Picture(width: 300, height: 200, colour: (0, 0, 0, 255))
        plan.fill(0..<100, 0..<200, (128, 128, 128, 255))
        let workshop = try workshop(.adobeRGB, plan: plan)
        func tiles(_ options: [String]) throws -> [String: Data] {
            try Snapshot(of: workshop.build(options, of: "colored.png", to: "out")).tiles
        }
        #expect(try tiles(["--nodata", "128,128,128"]) == tiles([]))
        #expect(try tiles(["--nodata", "129,129,129"]) != tiles([]))
        #expect(
            try tiles(["--nodata", "128,128,128", "--keep-colors"]) != tiles(["--keep-colors"]))
    }
}
