import Testing
import Tiling
import WebRequests

/// Valid paths, and their meaning.
@Suite struct RequestPathTests {
    @Test(
        "names are split at slashes and decoded once",
        arguments: [
            ("/", []), ("/?a=b", []), ("/tiles/18/1/2.png", ["tiles", "18", "1", "2.png"]),
            ("/tiles.json?v=1/2", ["tiles.json"]), ("/first%20floor/0.json", ["first floor", "0.json"]),
            ("/%C3%A9tage", ["étage"]), ("/100%25", ["100%"]), ("/%2525", ["%25"]), ("/a+b;c", ["a+b;c"]),
            ("/%2e%2e%2e", ["..."]),
        ])
    func names(target: String, segments: [String]) {
        #expect(RequestPath(target: target[...])?.segments == segments)
    }

    @Test(
        "a path that leads elsewhere, or has an invalid name, is refused",
        arguments: [
            "", "tiles", "/.", "/..", "/a/../b", "/%2e%2e/b", "/.%2E/b", "/a//b", "//etc/passwd", "/a/",
            "/a%2fb",
            "/a%5Cb", "/a\\b", "/a%00.png", "/a%0a", "/a%7f", "/%c0%ae%c0%ae/b", "/%ff", "/%", "/%2", "/%zz",
            "/a b",
            "/a#b", "/a\u{e9}", "/" + String(repeating: "a", count: 4096), String(repeating: "/a", count: 17),
        ])
    func refused(target: String) {
        #expect(RequestPath(target: target[...]) == nil)
    }

    private func tile(_ target: String) -> RequestedTile? {
        RequestPath(target: target[...]).flatMap(RequestedTile.init)
    }

    @Test("the last three names are a tile's address; those before them, its tileset's")
    func tile() throws {
        let alone = try #require(tile("/tiles/18/139286/91178.png"))
        #expect(alone.name == "tiles" && alone.fileExtension == "png")
        #expect(alone.coordinate == TileCoordinate(zoom: 18, column: 139_286, row: 91_178))
        #expect(try #require(tile("/mall/B1/0/0/0.webp")).name == "mall/B1")
        let last = try #require(tile("/a/30/1073741823/1073741823.png"))
        #expect(last.coordinate.row == 1_073_741_823)
    }

    @Test(
        "invalid numbers are not a tile's address",
        arguments: [
            "/t/31/0/0.png", "/t/99999999999999999999/0/0.png", "/t/-1/0/0.png", "/t/+1/0/0.png",
            "/t/1e0/0/0.png",
            "/t/0x1/0/0.png", "/t/01/0/0.png", "/t/1/2/0.png", "/t/1/0/2.png", "/t/1/0/00.png", "/t/1/0/.png",
            "/t/1/0/0", "/t/%EF%BC%91/0/0.png", "/t/1/%D9%A1/0.png", "/1/0/0.png", "/t/1/ 0/0.png",
            "/t/18446744073709551616/0/0.png", "/t/30/1073741824/0.png",
        ])
    func noTile(target: String) {
        #expect(tile(target) == nil)
    }
}
