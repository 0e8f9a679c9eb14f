import Platform
import TestSupport
import Testing
import TilewrightKit
import Tiling

/// Images that another program writes while they are read.
struct ChangingImageTests {
    private let site: Site

    init() throws { site = try Site() }

    /// Images that may replace the plan, which has 300 x 200 opaque pixels of three bytes.
    enum Change: CaseIterable, Sendable {
        case fewerRows, fewerColumns, moreColumns, transparency

        func make(in site: Site) throws {
            switch self {
            case .fewerRows: try site.draw("plan.png", width: 300, height: 100)
            case .fewerColumns: try site.draw("plan.png", width: 200, height: 200)
            case .moreColumns: try site.draw("plan.png", width: 3000, height: 200)
            case .transparency:
                try site.draw("plan.png", width: 300, height: 200) { column, _ in UInt8(column % 256) }
            }
        }
    }

    private func expectChange(_ failure: Failure?) {
        #expect(failure?.kind == .inputOutput)
        let words = "it changed while it was read"
        #expect(failure?.message.hasSuffix(words) == true, "\(failure.map { "\($0)" } ?? "")")
    }

    @Test("Single tiles refuse an image whose form differs from the plan", arguments: Change.allCases)
    func plannedTile(change: Change) async throws {
        let plan = try TilesetPlan(images: [PlacedImage(site.image())])
        try change.make(in: site)
        let tile = TileCoordinate(of: Point(x: 2.001, y: 48.001), zoom: 17)
        expectChange(await #expect(throws: Failure.self) { try await plan.onDemand.tile(at: tile) })
    }

    @Test("A build of an image whose form differs from the plan writes nothing", arguments: Change.allCases)
    func build(change: Change) async throws {
        let build = try TilesetBuild(site.request())
        try change.make(in: site)
        expectChange(await #expect(throws: Failure.self) { try await build.run() })
        #expect(!site.has("out/17"))
    }

    @Test("An earlier build is not reused if the image changed before the run")
    func hashedBefore() async throws {
        let before = try await TilesetBuild(site.request()).run()
        let build = try TilesetBuild(site.request(), hashesAhead: true)
        try await Task.sleep(for: .milliseconds(50))
        try site.draw("plan.png", width: 300, height: 200) { column, _ in UInt8(column % 256) }
        expectChange(await #expect(throws: Failure.self) { try await build.run() })
        let after = try await TilesetBuild(site.request(), hashesAhead: true).run()
        #expect(after.changes.changed.count == before.tileCount)
    }

    @Test(
        "A build whose image changes before doc.kml publishes nothing", arguments: Change.allCases.some(2))
    func overlay(change: Change) async throws {
        var request = site.request()
        request.output.docKML = .overlay
        let build = try TilesetBuild(request)
        let failure = await #expect(throws: Failure.self) {
            try await build.run { event in
                if case .ended = event { try? change.make(in: site) }
            }
        }
        expectChange(failure)
        #expect(!site.has("out/.tilewright/tileset/staging"))
        #expect(!site.has("out/17"))
    }
}
