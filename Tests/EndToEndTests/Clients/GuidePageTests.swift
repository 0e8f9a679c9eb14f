import Foundation
import TestSupport
import Testing

/// Somebody goes from two plans to one file for others through the pages of `open`.
@Suite(
    .needsServer,
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .needs("python3", "bash"))
struct GuidePageTests {
    @Test(
        "floors are chosen, named, framed, placed, built, looked at and shared, with a mouse and on a phone",
        arguments: [
            ("mouse", "en", "Ground floor", "Floor 1"), ("finger", "de", "Erdgeschoss", "1. Obergeschoss"),
        ])
    func guided(way: String, language: String, ground: String, first: String) throws {
        let workshop = try Workshop()
        for name in ["EG.png", "1. OG.png"] { try workshop.plan.write(to: workshop.path(name)) }
        let assets = try #require(MapLibraries.leaflet?.path)
        let server = try TileServer(
            ["EG.png", "1. OG.png", "--no-browser", "--viewer-assets", assets, "--near", "2,48"],
            in: workshop.url, command: "open")
        let page = try #require(URL(string: server.address))
        let said = try Browser.act(
            "Guide/guide_by_hand.py", on: page, [way, language] + Browser.screenshots("guide"))
        #expect(said["problems"] as? [String] == [])
        #expect(said["unnamed"] as? [String] == [])
        #expect(said["wider"] as? Int == 0)
        let proposed = try #require(said["proposed"] as? [[Any]])
        #expect(proposed.map { $0[0] as? String } == ["0", "1"])
        #expect(proposed.map { $0[1] as? String } == [ground, first])
        #expect(proposed.map { $0[2] as? Int } == [0, 1])
        #expect((said["note"] as? String)?.contains("building.yaml") == true)
        #expect(said["statuses"] as? [String] == ["placed", "placed"])
        #expect(said["states"] as? [String] == ["done", "done"])
        #expect(said["floors"] as? [String] == [first, ground])
        #expect(said["steps"] as? [String] == ["pages", "place", "build", "look", "share"])
        // What was done by hand is what the command line does.
        let manifest = try String(contentsOf: workshop.file("building.yaml"), encoding: .utf8)
        #expect(manifest.contains("Town hall") && manifest.contains("crop: ["))
        #expect(workshop.has("building.html"))
        let outcome = try workshop.run(["building.yaml"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains(" 0 tiles written"), "\(outcome.errors)")
    }
}
