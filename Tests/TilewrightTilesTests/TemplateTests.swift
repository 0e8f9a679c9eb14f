import Foundation
import Testing

@testable import TilewrightTiles

/// Addresses that others may have written.
@Suite struct TemplateTests {
    private static let far = URL(string: "https://a.org/mall/building.json")
    private static let near = URL(fileURLWithPath: "/app/mall/building.json")

    private static func address(
        _ text: String, scheme: String? = nil, from document: URL? = far, version: String = ""
    ) throws -> String? {
        let tile = try #require(TileAddress(zoom: 3, column: 5, row: 6))
        return TileTemplate(text, scheme: scheme, from: try #require(document))?.url(
            of: tile, version: version)?
            .absoluteString
    }

    /// Quadkeys: https://learn.microsoft.com/en-us/bingmaps/articles/bing-maps-tile-system
    @Test("numbers of a tile in an address")
    func numbers() throws {
        #expect(try Self.address("{z}/{x}/{y}.png") == "https://a.org/mall/3/5/6.png")
        #expect(try Self.address("{z}/{x}/{-y}.png") == "https://a.org/mall/3/5/1.png")
        #expect(try Self.address("L1_{z}_{x}_{y}.png", scheme: "tms") == "https://a.org/mall/L1_3_5_1.png")
        #expect(try Self.address("q/{quadkey}") == "https://a.org/mall/q/321")
        #expect(try Self.address("https://b.org/{z}/{x}/{y}?k=1") == "https://b.org/3/5/6?k=1")
        #expect(
            try Self.address("https://b.org/{z}/{x}/{y}?k=1", version: "0123456789")
                == "https://b.org/3/5/6?k=1&v=01234567")
        #expect(try Self.address("a%20b/{z}/{x}/{y}", version: "01") == "https://a.org/mall/a%20b/3/5/6?v=01")
    }

    @Test("in the app, tiles are beside their document")
    func inApp() throws {
        #expect(try Self.address("{z}/{x}/{y}.png", from: Self.near) == "file:///app/mall/3/5/6.png")
        #expect(
            try Self.address("https://a.org/t/L2_{z}_{x}_{y}.png", from: Self.near)
                == "file:///app/mall/L2_3_5_6.png")
    }

    @Test(
        "an address that leaves the folder, or is neither a path nor on the web, is refused",
        arguments: [
            "../{z}/{x}/{y}", "{z}/../../{x}", "%2e%2e/{z}/{x}/{y}", "/{z}/{x}/{y}",
            "file:///etc/{z}/{x}/{y}",
            "a%00/{z}/{x}/{y}", "javascript:{z}", "%zz/{z}/{x}/{y}", "data:,{z}",
        ])
    func refused(text: String) throws {
        #expect(try Self.address(text) == nil)
        #expect(try Self.address(text, from: Self.near) == nil)
    }
}
