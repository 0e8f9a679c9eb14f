import Foundation
import TestSupport
import Testing

/// The floors of a building on pages that `snippet` made, switched by a mouse, keys and a finger.
@Suite(
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .enabled(if: MapLibraries.maplibre != nil, "not installed: python3 with maplibre"),
    .enabled(if: MapLibraries.openlayers != nil, "not installed: python3 with mapproxy"),
    .needs("python3", "cp"))
struct FloorSwitchTests {
    private static let zoom = 19
    private static let manifest = """
        name: Harbour Mall
        output: tiles
        template: "{floor}/{z}/{x}/{y}.{ext}"
        zoom: 17-\(zoom)
        bounds: \(Workshop.bounds)
        floors:
          - {floor: 1, label: First floor, ordinal: 1, image: 1.png}
          - {floor: B1, label: Basement, ordinal: -1, image: b1.png}
          - {floor: 0, label: Ground floor, ordinal: 0, image: 0.png, default: true}

        """

    private let site: Workshop

    init() throws {
        site = try Workshop()
        for (index, name) in ["b1.png", "0.png", "1.png"].enumerated() {
            // Its lines are pixels wide at the highest zoom: a picture that is moved by one differs.
            var plan = Picture.plan(width: 1200, height: 800)
            for column in stride(from: 100 + 30 * index, to: 1100, by: 100) {
                plan.fill(column..<column + 20, 100..<700, (UInt8(90 * index), 120, 60, 255))
            }
            try plan.write(to: site.path(name))
        }
        try site.write(Self.manifest.utf8, to: "building.yaml")
        try Program.succeed(["building.yaml"], in: site.url)
    }

    /// The south-western corner of the plan, on a whole pixel of the page: within the page's 300 x 200 pixels there
    /// are places without tiles, too.
    private var center: (Place, pixel: (x: Int, y: Int)) {
        let pixel = Place(longitude: 2.0003, latitude: 48.0002).pixel(zoom: Self.zoom)
        let (x, y) = (Int(pixel.x), Int(pixel.y))
        let edge = Double(256 << Self.zoom)
        let place = Place(
            longitude: Double(x) / edge * 360 - 180,
            latitude: atan(sinh(.pi * (1 - 2 * Double(y) / edge))) * 180 / .pi)
        return (place, (x, y))
    }

    @Test(
        "buttons, keys and fingers switch floors, each with its own pixels, and a rebuilt floor is shown anew",
        arguments: [("leaflet", 0), ("maplibre", -1), ("openlayers", 0), ("google-js", 0)])
    func switches(client: String, zoomOffset: Int) throws {
        let server = try WebServer(of: site.url, log: site.file("server.log"))
        let pages = try MapPages(root: site.url, address: server.address)
        let (place, pixel) = center
        let page = try pages.building(
            "building.yaml", MapPages.Tiles(folder: "tiles", zoom: Self.zoom, center: place), for: client,
            zoom: Self.zoom + zoomOffset)
        try FileManager.default.createDirectory(at: site.file("seen"), withIntermediateDirectories: true)
        // The ground floor becomes a copy of the first.
        let rebuild = "cd '\(site.url.path)' && cp 1.png 0.png && exec \"$0\" building.yaml"
        let before = try ["0", "1", "B1"].map { try mosaic($0) }

        let seen = try Browser.act(
            "Floors/floor_switch.py", on: #require(URL(string: page)),
            [site.path("seen"), client, "sh", "-c", rebuild, Program.path])
        #expect(seen["problems"] as? [String] == [])
        let done = try #require(seen["done"] as? [String: Bool])
        #expect(done.count > 15)
        for (what, isDone) in done { #expect(isDone, "\(what)") }

        let after = try mosaic("0")
        let shown = [
            ("0", before[0]), ("1", before[1]), ("B1", before[2]), ("rebuilt", after), ("reloaded", after),
        ]
        for (name, mosaic) in shown {
            let picture = try Picture(contentsOf: site.path("seen/\(name).png"))
            // The buttons are at the right.
            let part = picture.part(0..<240, 0..<200)
            let corner = (pixel.x - 150 - mosaic.origin.column, pixel.y - 100 - mosaic.origin.row)
            let expected = mosaic.picture.part(corner.0..<corner.0 + 240, corner.1..<corner.1 + 200)
            #expect(part.psnr(against: expected) > 40, "\(name)")
        }
        #expect(after.picture.psnr(against: before[0].picture) < 30, "the rebuilt floor looks different")
        try checkRequests(of: server)
    }

    private func mosaic(_ floor: String) throws -> Mosaic {
        try Mosaic(of: site.file("tiles/\(floor)"), zoom: Self.zoom)
    }

    /// No tile is asked for beyond the limits of the index.
    private func checkRequests(of server: WebServer) throws {
        let data = try Data(contentsOf: site.file("tiles/building.json"))
        let index = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let floors = try #require(index["floors"] as? [[String: Any]])
        let limits = Dictionary(
            uniqueKeysWithValues: floors.map {
                ($0["floor"] as? String ?? "", $0["limits"] as? [[Int]] ?? [])
            })
        let tiles = try server.requests().compactMap { request in
            request.path.wholeMatch(of: /\/tiles\/([^\/]+)\/([0-9]+)\/([0-9]+)\/([0-9]+).png/)
        }
        #expect(Set(tiles.map { String($0.1) }) == ["0", "1", "B1"])
        for tile in tiles {
            let (zoom, x, y) = (Int(tile.2) ?? -1, Int(tile.3) ?? -1, Int(tile.4) ?? -1)
            let exists = limits[String(tile.1)]?.contains {
                $0[0] == zoom && $0[1]...$0[3] ~= x && $0[2]...$0[4] ~= y
            }
            #expect(exists == true, "\(tile.0)")
        }
    }
}
