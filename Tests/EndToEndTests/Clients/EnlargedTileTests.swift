import Foundation
import TestSupport
import Testing

/// What a browser shows beyond the last zoom with tiles, on pages that `snippet` made.
@Suite(
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .enabled(if: MapLibraries.maplibre != nil, "not installed: python3 with maplibre"),
    .enabled(if: MapLibraries.openlayers != nil, "not installed: python3 with mapproxy"),
    .needs("python3"))
struct EnlargedTileTests {
    private static let last = 18
    private let site: Workshop

    init() throws {
        site = try Workshop(.plan(width: 600, height: 400))
        try site.build(["--zoom", "16-\(Self.last)"])
    }

    /// By one zoom and two, four tiles of the last zoom meet in the middle of the page; by three, parts of one.
    @Test(
        "tiles beyond the last zoom are those of the last zoom, enlarged, without a seam or a hole",
        arguments: [(1, 0), (2, 0), (3, 256)])
    func enlarged(steps: Int, offset: Int) throws {
        let mosaic = try Mosaic(of: site.file("out"), zoom: Self.last)
        let zoom = Self.last + steps
        // A corner where four tiles meet, as pixels of the enlarged zoom.
        let corner = (
            x: (mosaic.origin.column + 256) << steps + offset, y: (mosaic.origin.row + 256) << steps + offset
        )
        let edge = Double(256 << zoom)
        let place = Place(
            longitude: Double(corner.x) / edge * 360 - 180,
            latitude: atan(sinh(.pi * (1 - 2 * Double(corner.y) / edge))) * 180 / .pi)
        let server = try WebServer(of: site.url, log: site.file("server.log"))
        var pages = try MapPages(root: site.url, address: server.address)
        let tiles = MapPages.Tiles(folder: "out", zoom: Self.last, center: place)
        let clients = ["google-js", "leaflet", "maplibre", "openlayers"]
        for client in clients {
            try pages.addSnippet(tiles, for: client, zoom: client == "maplibre" ? zoom - 1 : zoom)
        }
        let (width, height) = MapPages.size
        let seen = try Browser.screenshot(try pages.row(), size: (width * clients.count, height))
        if let folder = try Browser.screenshots("enlarged").first {
            try seen.write(to: "\(folder)/\(steps).png")
        }
        let expected = mosaic.enlarged(
            by: 1 << steps, (corner.x - width / 2, corner.y - height / 2), width: width, height: height)
        for (index, client) in clients.enumerated() {
            let part = seen.part(index * width..<(index + 1) * width, 0..<height)
            #expect(part.psnr(against: expected) > 40, "\(client)")
        }
        let asked = try server.requests().filter { $0.path.hasSuffix(".png") }
        for request in asked {
            #expect(request.path.hasPrefix("/out/\(Self.last)/") && [200, 304].contains(request.status))
        }
    }
}

extension Mosaic {
    /// A part of an enlarged mosaic on white paper: between the middles of four pixels a mixture of them, but none of
    /// pixels of different tiles.
    ///
    /// - Parameter corner: column and row of the part's first pixel, of the enlarged zoom's matrix.
    fileprivate func enlarged(by scale: Int, _ corner: (x: Int, y: Int), width: Int, height: Int) -> Picture {
        var part = Picture(width: width, height: height)
        let columns = (0..<width).map { Self.mixture(at: corner.x + $0, scale) }
        let rows = (0..<height).map { Self.mixture(at: corner.y + $0, scale) }
        for (y, row) in rows.enumerated() {
            for (x, column) in columns.enumerated() {
                var sums = [0.0, 0.0, 0.0]
                for (atRow, down) in [(row.first, 1 - row.share), (row.second, row.share)] {
                    for (atColumn, across) in [
                        (column.first, 1 - column.share), (column.second, column.share),
                    ] {
                        let pixel = picture[atColumn - origin.column, atRow - origin.row]
                        for (channel, value) in [pixel.red, pixel.green, pixel.blue].enumerated() {
                            let alpha = Double(pixel.alpha) / 255
                            sums[channel] += down * across * (Double(value) * alpha + 255 * (1 - alpha))
                        }
                    }
                }
                let bytes = sums.map { UInt8($0.rounded()) }
                part[x, y] = (bytes[0], bytes[1], bytes[2], 255)
            }
        }
        return part
    }

    /// Which pixels, of tiles of 256, make a pixel of the enlarged zoom, and the share of the second.
    private static func mixture(at pixel: Int, _ scale: Int) -> (first: Int, second: Int, share: Double) {
        let place = (Double(pixel) + 0.5) / Double(scale) - 0.5
        let first = Int(place.rounded(.down))
        let tile = pixel / scale / 256 * 256
        func within(_ index: Int) -> Int { min(max(index, tile), tile + 255) }
        return (within(first), within(first + 1), place - Double(first))
    }
}
