import Foundation
import TestSupport
import Testing

/// A person saves a plan through the server, in a browser.
@Suite(
    .needsServer,
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .needs("python3", "bash"))
struct ServedPlacingPageTests {
    @Test("the page saves where the plan is, and says so; without the server it says what to do")
    func saves() throws {
        let workshop = try Workshop()
        let points = ([SavedRows.header] + SavedRows.rows).joined(separator: "\n") + "\n"
        try workshop.write(points.utf8, to: "plan.png.points")
        let assets = try #require(MapLibraries.leaflet?.path)
        let server = try TileServer(["plan.png", "--place", "--viewer-assets", assets], in: workshop.url)
        let before = try server.ask("/plan.json").text
        let page = try #require(URL(string: "\(server.address)/plan/place"))
        let said = try Browser.act("Serving/place_served.py", on: page, Browser.screenshots("place-served"))
        #expect(said["saved"] as? String == "Saved: plan.png.points\nSee its tiles")
        #expect(said["link"] as? String == "/")
        #expect(said["takes"] as? Bool == true)
        #expect((said["offline"] as? String)?.contains("is it still running? Download the points.") == true)
        #expect(said["isUnsaved"] as? Bool == true)
        // The same points, as the page writes them.
        #expect(try server.ask("/plan.json").text == before)
        #expect(
            try String(contentsOf: workshop.file("plan.png.points"), encoding: .utf8).contains("imageSize"))
    }
}
