import Rendering
import Tiling
import Codecs
import Platform
import Foundation
import TestSupport
import Testing

@testable import TilewrightKit

/// Pictures of map views.
struct SnapshotTests {
    private func view(
        _ width: Int, _ height: Int, scale: Double = 1, zoom: Double, bearing: Double = 0, tilt: Double = 0,
        at target: Point = ViewScene.middle
    ) throws -> CameraView {
        CameraView(
            CameraPosition(target: target, zoom: zoom, bearing: bearing, tilt: tilt),
            size: try #require(ViewSize(width: width, height: height, scale: scale)))
    }

    private func picture(
        _ contents: [MapContent], _ view: CameraView, _ request: SnapshotRequest = SnapshotRequest()
    ) async throws -> ViewPicture {
        try await Snapshot(of: contents, in: view, request: request).picture { _, _ in }
    }

    private func picture(_ scene: ViewScene, _ view: CameraView) async throws -> ViewPicture {
        try await picture([.tileset(StoredTileset(scene.tiles))], view)
    }

    /// The place of a corner of pixels at a zoom.
    private func place(_ column: Double, _ row: Double, zoom: Int, tileSize: Int) -> Point {
        let edge = Double(tileSize << zoom)
        return Point(
            x: column / edge * 360 - 180,
            y: atan(sinh(.pi * (1 - 2 * row / edge))) * 180 / .pi)
    }

    // Pixels that coincide

    @Test(
        "Where pixels of the view are those of the tiles, they are copied", .long,
        arguments: [
            (PyramidRequest.TileSize.standard, 1.0, 20.0), (.standard, 2, 19), (.double, 2, 20),
            (.standard, 4, 18),
        ])
    func copies(tileSize: PyramidRequest.TileSize, scale: Double, zoom: Double) async throws {
        let scene = try await ViewScene(tileSize: tileSize)
        let matrix = TileMatrix(zoom: 20, tileSize: tileSize.rawValue)
        // Near the corner of the drawing that is empty.
        let middle = matrix.pixel(
            ofMercator: WebMercator.metres(
                Point(x: Site.box.minX + Site.box.width / 6, y: Site.box.maxY - Site.box.height / 6)))
        let corner = place(
            middle.x.rounded(), middle.y.rounded(), zoom: 20, tileSize: tileSize.rawValue)
        let view = try view(300, 200, scale: scale, zoom: zoom, at: corner)
        let picture = try await picture(scene, view)
        let first = scene.finestPixel(ofView: Point(x: 0.5, y: 0.5), view)
        var seen: Set<[UInt8]> = []
        let pixels = picture.pixels
        for row in 0..<picture.height {
            for column in 0..<picture.width {
                let expected = scene.finestColor(
                    Int(first.x.rounded(.down)) + column, Int(first.y.rounded(.down)) + row)
                let index = (row * picture.width + column) * 4
                let pixel = Array(pixels[index..<index + 4])
                seen.insert(expected)
                try #require(pixel == expected, "\(column), \(row)")
            }
        }
        // Opaque, translucent and transparent pixels, or the test would prove little.
        #expect(Set(seen.map { $0[3] }).count > 2)
    }

    // Fidelity

    @Test(
        "At any zoom and bearing, a view is the average of the finest tiles", .long,
        arguments: [(18.3, 0.0), (18.3, 30), (18.75, 123), (19.4, 45), (19.9, 270), (20.6, 10)])
    func fidelity(zoom: Double, bearing: Double) async throws {
        let scene = try await Self.scene.value
        let view = try view(140, 110, zoom: zoom, bearing: bearing, at: Self.crossing)
        let picture = try await picture(scene, view)
        let decibels = scene.decibels(picture, view)
        #expect(decibels > 40, "\(decibels) dB")
        #expect(scene.decibels(picture, view, shift: 0.25) < decibels - 3)
        #expect(scene.decibels(picture, view, shift: -0.25) < decibels - 3)
    }

    @Test(
        "A tilted view is the average of the finest tiles, too", .long,
        arguments: [(18.3, 0.0, 65.0), (18.3, 40, 65), (19.1, 200, 45), (20.2, 90, 65)])
    func tilted(zoom: Double, bearing: Double, tilt: Double) async throws {
        let scene = try await Self.scene.value
        let view = try view(100, 200, zoom: zoom, bearing: bearing, tilt: tilt)
        let picture = try await picture(scene, view)
        let decibels = scene.decibels(picture, view)
        #expect(decibels > 36, "\(decibels) dB")
        #expect(scene.decibels(picture, view, shift: 0.25) < decibels - 1)
        #expect(scene.decibels(picture, view, shift: -0.25) < decibels - 1)
    }

    /// The place where two walls of the drawing cross, at column 680 and row 520: every view shows walls.
    private static let crossing = Point(
        x: Site.box.minX + Site.box.width * 680 / 1500, y: Site.box.maxY - Site.box.height * 520 / 1000)

    /// One scene for many tests, which only read it.
    private static let scene = Task { try await ViewScene() }

    @Test("A straight wall is straight in a tilted view, at the place that the formula gives")
    func wall() async throws {
        let site = try Site()
        // Black on the left of the middle, white on the right.
        let drawing = (0..<400 * 300).flatMap {
            $0 % 400 < 200 ? [0, 0, 0, 255] : [255, 255, 255, 255] as [UInt8]
        }
        try site.write(PNGImage.encode(rgba: drawing, width: 400, height: 300), to: "wall.png")
        let request = BuildRequest(
            site.image("wall.png"), pyramid: PyramidRequest(zoom: ZoomRange(15...18)),
            output: OutputRequest(site.path("wall")))
        _ = try await TilesetBuild(request).run()
        let target = Point(x: ViewScene.middle.x + 0.0004, y: ViewScene.middle.y)
        let view = try view(300, 200, zoom: 18, tilt: 60, at: target)
        let pixels = try await picture([.tileset(StoredTileset(site.path("wall")))], view).pixels
        let tiles = TileMatrix(zoom: 18, tileSize: 256)
        let wall = tiles.pixel(ofMercator: WebMercator.metres(ViewScene.middle)).x
        let centre = tiles.pixel(ofMercator: WebMercator.metres(target)).x
        for row in stride(from: 40, to: 190, by: 10) {
            // The wall's column: the sum of dark pixels, from the left edge of the opaque ones.
            let values = (0..<300).map { column in
                pixels[(row * 300 + column) * 4..<(row * 300 + column) * 4 + 4].map(Double.init)
            }
            let left = values.reduce(0.0) { $0 + ($1[3] == 0 ? 1 : 0) }
            guard values[0][3] == 255, left == 0 else { continue }
            let dark = values.reduce(0.0) { $0 + 1 - $1[0] / 255 }
            // x = u d / (d + v sin t), with the row's v.
            let (d, t) = (300.0, 60.0 * .pi / 180)
            let up = 100 - (Double(row) + 0.5)
            let v = up * d / (d * cos(t) - up * sin(t))
            let expected = 150 + (wall - centre) * d / (d + v * sin(t))
            #expect(abs(dark - expected) < 0.1, "row \(row): \(dark) and \(expected)")
        }
    }
}
