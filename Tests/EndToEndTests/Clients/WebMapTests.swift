import Foundation
import TestSupport
import Testing

/// What a browser shows of tiles, pixel by pixel, on pages that `viewer` and `snippet` made.
@Suite(
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .enabled(if: MapLibraries.maplibre != nil, "not installed: python3 with maplibre"),
    .enabled(if: MapLibraries.openlayers != nil, "not installed: python3 with mapproxy"),
    .needs("python3"))
struct WebMapTests {
    private let scratch: TemporaryDirectory
    private let examples = SharedData.packageRoot.appending(path: "Examples")

    init() throws { scratch = try TemporaryDirectory() }

    /// Builds the north-west of the ground floor of the example, and a page for it.
    private func build(
        _ folder: String, tileSize: Int, zoom: Int, naming: [String] = []
    ) throws {
        try Program.succeed(
            [examples.appending(path: "ground.png").path, "-o", folder, "--zoom", "17-\(zoom)"]
                + ["--crop", "0,0,600,450"]
                + ["--tile-size", "\(tileSize)"] + naming, in: scratch.url)
        try Program.succeed(
            ["viewer", folder, "--viewer-assets", MapLibraries.leaflet?.path ?? ""],
            in: scratch.url)
    }

    /// Near the north-western corner of the building, on a whole pixel of the page at any density.
    private func center(tileSize: Int, zoom: Int) -> (Place, pixel: (x: Int, y: Int)) {
        let corner = Place(longitude: 1.729583605, latitude: 48.217320181)
        let pixel = corner.pixel(zoom: zoom, tileSize: tileSize)
        let (x, y) = (Int(pixel.x / 4) * 4, Int(pixel.y / 4) * 4)
        let edge = Double(tileSize << zoom)
        let place = Place(
            longitude: Double(x) / edge * 360 - 180,
            latitude: atan(sinh(.pi * (1 - 2 * Double(y) / edge))) * 180 / .pi)
        return (place, (x, y))
    }

    /// The zooms of maps at which a pixel of a file is one of the screen: Leaflet, OpenLayers and
    /// Google count worlds of 256 pixels, MapLibre of 512; a screen of density 2 shows 512 in 256.
    @Test(
        "all clients show the building where its GeoJSON says it is, pixel by pixel",
        arguments: [
            (256, 1, []), (256, 1, ["--template", "{quadkey}.{ext}"]),
            (512, 2, ["--scheme", "tms"]), (512, 1, []),
        ] as [(Int, Int, [String])])
    func pixels(tileSize: Int, scale: Int, naming: [String]) throws {
        // Where a pixel has 5 cm.
        let zoom = tileSize == 256 ? 21 : 20
        let folder = "tiles\(tileSize)"
        try build(folder, tileSize: tileSize, zoom: zoom)
        let server = try WebServer(
            of: scratch.url, log: scratch.url.appending(path: "server.log"))
        let building = try GeoJSON(
            contentsOf: examples.appending(path: "building.geojson"), kind: "outline")
        let (place, pixel) = center(tileSize: tileSize, zoom: zoom)
        var tiles = MapPages.Tiles(folder: folder, zoom: zoom, center: place)
        if !naming.isEmpty {
            tiles.folder = "named"
            try build(tiles.folder, tileSize: tileSize, zoom: zoom, naming: naming)
        }

        var pages = try MapPages(root: scratch.url, address: server.address)
        let larger = tileSize == 512 && scale == 1 ? 1 : 0
        try pages.addViewer(tiles, zoom: zoom + larger)
        if larger == 1 {
            // One is read by ranges, the other comes as a whole.
            for archive in ["ranges", "whole"] {
                let path = "\(folder)/\(archive).pmtiles"
                try build(path, tileSize: tileSize, zoom: zoom)
                try pages.addViewer(tiles, archive: archive, zoom: zoom + larger)
            }
        }
        if larger == 0 { try addSnippets(of: tiles, to: &pages) }
        let (width, height) = (MapPages.size.width, MapPages.size.height)
        let seen = try Browser.screenshot(
            try pages.row(), size: (width * pages.names.count, height), scale: scale)
        if let folder = ProcessInfo.processInfo.environment["TILEWRIGHT_SCREENSHOTS"] {
            try seen.write(to: "\(folder)/\(tileSize)-\(scale)\(naming.count).png")
        }

        let mosaic = try Mosaic(
            of: scratch.url.appending(path: folder), zoom: zoom, tileSize: tileSize)
        let origin = (
            column: pixel.x - width * scale / 2, row: pixel.y - height * scale / 2
        )
        let expected = mosaic.picture.part(
            origin.column - mosaic.origin.column..<origin.column - mosaic.origin.column
                + width * scale,
            origin.row - mosaic.origin.row..<origin.row - mosaic.origin.row + height * scale)
        for (index, name) in pages.names.enumerated() {
            let part = seen.part(
                index * width * scale..<(index + 1) * width * scale, 0..<height * scale)
            #expect(part.psnr(against: expected) > 40, "\(name)")
            // The wall is 10 pixels thick, and its middle the outline.
            let reach = 4
            let alignment = Alignment(
                of: Array(building.pixels(zoom: zoom, tileSize: tileSize).prefix(1)),
                on: Mosaic(picture: part, origin: origin)
            ) { column, row in
                [(reach, 0), (-reach, 0), (0, reach), (0, -reach)].reduce(255) {
                    min($0, part.darkness(column + $1.0, row + $1.1))
                }
            }
            #expect(abs(alignment.column) <= 2 && abs(alignment.row) <= 2, "\(name)")
            #expect(alignment.contrast > 1.5, "\(name)")
        }
        if naming.isEmpty { try checkRequests(of: server, folder: folder) }
    }

    private func addSnippets(of tiles: MapPages.Tiles, to pages: inout MapPages) throws {
        try pages.addSnippet(tiles, for: "leaflet", zoom: tiles.zoom)
        try pages.addSnippet(tiles, for: "google-js", zoom: tiles.zoom)
        try pages.addSnippet(tiles, for: "maplibre", zoom: tiles.zoom - 1)
        try pages.addSnippet(tiles, for: "openlayers", zoom: tiles.zoom)
    }

    /// No client asks for a tile beyond the ranges in the TileJSON.
    private func checkRequests(of server: WebServer, folder: String) throws {
        let url = scratch.url.appending(path: folder).appending(path: "tilejson.json")
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
        let entries = (json as? [String: Any])?["tileMatrixSetLimits"] as? [[String: Any]] ?? []
        func number(_ entry: [String: Any], _ name: String) -> Int { entry[name] as? Int ?? -1 }
        let asked = try server.requests().compactMap { request in
            request.path.wholeMatch(of: /\/tiles[0-9]+\/([0-9]+)\/([0-9]+)\/([0-9]+).png/)
        }
        #expect(!asked.isEmpty)
        for match in asked {
            let address = [match.1, match.2, match.3].compactMap { Int($0) }
            let exists = entries.contains {
                $0["tileMatrix"] as? String == "\(address[0])"
                    && number($0, "minTileCol")...number($0, "maxTileCol") ~= address[1]
                    && number($0, "minTileRow")...number($0, "maxTileRow") ~= address[2]
            }
            #expect(exists, "\(match.0)")
        }
    }
}
