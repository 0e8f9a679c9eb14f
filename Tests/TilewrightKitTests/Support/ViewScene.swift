import Rendering
import Tiling
import Codecs
import Foundation
import Testing
import TilewrightKit

/// The tiles of a drawing, and the pixels that a camera must see.
struct ViewScene {
    let site: Site
    /// The folder of tiles, at zooms 15 to 20.
    let tiles: String
    private let finest: TileRange
    private let mosaic: [UInt8]

    /// Draws a plan of 1500 x 1000 pixels, and builds its tiles.
    init(tileSize: PyramidRequest.TileSize = .standard, zooms: ClosedRange<Int> = 15...20) async throws {
        site = try Site()
        try site.write(
            PNGImage.encode(rgba: Self.drawing, width: 1500, height: 1000), to: "drawing.png")
        tiles = site.path("tiles")
        var request = BuildRequest(
            ImageRequest(site.path("drawing.png"), at: PositionRequest(.bounds(Site.box))),
            pyramid: PyramidRequest(zoom: ZoomRange(zooms)), output: OutputRequest(tiles))
        request.pyramid.tileSize = tileSize
        // The overshoot of a kernel is clamped in tiles, but not in the zooms that are made of them.
        request.pyramid.resampling = .area
        _ = try await TilesetBuild(request).run()
        let stored = try StoredTileset(tiles)
        let limits = stored.metadata.limits
        finest = try #require(limits.last)
        mosaic = try Self.pixels(of: finest, stored)
    }

    /// Walls of three pixels, some of them slanted, filled rooms, rows of short strokes like letters, and
    /// nothing in one corner.
    private static var drawing: [UInt8] {
        (0..<1000 * 1500).flatMap { index -> [UInt8] in
            let (x, y) = (index % 1500, index / 1500)
            if x + y < 300 { return [0, 0, 0, 0] }
            let isWall = x % 170 < 3 || y % 130 < 3 || (x + 2 * y) % 611 < 5
            if isWall { return [30, 30, 40, 255] }
            if y % 130 > 60, y % 130 < 72, x % 9 < 4, x % 170 > 40, x % 170 < 120 { return [0, 0, 0, 255] }
            let room = (x / 170 * 7 + y / 130 * 3) % 4
            return [
                [250, 250, 250, 255], [200, 220, 250, 255], [250, 230, 200, 255], [90, 160, 90, 160],
            ][room]
        }
    }

    /// The tiles of a zoom as one picture, RGBA.
    private static func pixels(of limits: TileRange, _ stored: StoredTileset) throws -> [UInt8] {
        let size = stored.metadata.tileSize
        let width = limits.columns.count * size
        var pixels = [UInt8](repeating: 0, count: width * limits.rows.count * size * 4)
        for row in limits.rows {
            for column in limits.columns {
                let tile = TileCoordinate(zoom: limits.zoom, column: column, row: row)
                guard let bytes = try stored.tile(at: tile) else { continue }
                let first =
                    ((row - limits.rows.lowerBound) * size * width
                        + (column - limits.columns.lowerBound) * size) * 4
                try pixels.withUnsafeMutableBytes { buffer in
                    try TileDecoder.decode(
                        bytes, size: size, into: #require(buffer.baseAddress) + first, stride: width * 4)
                }
            }
        }
        return pixels
    }

    /// The centre of the drawing.
    static let middle = Site.box.center

    /// The place of a pixel of the view, in pixels of the finest zoom.
    func finestPixel(ofView point: Point, _ view: CameraView) -> Point { formulas(of: view)(point) }

    /// The formulas that a view is defined by, from its pixels to those of the finest zoom:
    /// `v = y' d / (d cos t - y' sin t)`, `u = x (d + v sin t) / d`, east `u cos b + v sin b`, south
    /// `u sin b - v cos b`.
    private func formulas(of view: CameraView) -> (Point) -> Point {
        let (camera, size) = (view.camera, view.size)
        let (t, b) = (camera.tilt * .pi / 180, camera.bearing * .pi / 180)
        let (sinT, cosT, sinB, cosB) = (sin(t), cos(t), sin(b), cos(b))
        let (width, height) = (Double(size.width), Double(size.height))
        let d = 1.5 * height
        let world = 256 * pow(2, camera.zoom)
        let sine = sin(camera.target.y * .pi / 180)
        let target = (
            x: (camera.target.x + 180) / 360, y: 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
        )
        let tile = Double(finestWidth / finest.columns.count)
        let edge = tile * pow(2, Double(finest.zoom))
        let first = Point(
            x: Double(finest.columns.lowerBound) * tile, y: Double(finest.rows.lowerBound) * tile)
        return { point in
            let (x, up) = (point.x / size.scale - width / 2, height / 2 - point.y / size.scale)
            let v = up * d / (d * cosT - up * sinT)
            let u = x * (d + v * sinT) / d
            return Point(
                x: (target.x + (u * cosB + v * sinB) / world) * edge - first.x,
                y: (target.y + (u * sinB - v * cosB) / world) * edge - first.y)
        }
    }

    private var finestWidth: Int { mosaic.count / 4 / finestHeight }
    private var finestHeight: Int {
        let area = Double(mosaic.count / 4) / Double(finest.columns.count * finest.rows.count)
        return Int(area.squareRoot().rounded()) * finest.rows.count
    }

    /// A pixel of the finest tiles; transparent beyond them.
    func finestColor(_ x: Int, _ y: Int) -> [UInt8] {
        let (width, height) = (finestWidth, finestHeight)
        guard 0..<width ~= x, 0..<height ~= y else { return [0, 0, 0, 0] }
        let first = (y * width + x) * 4
        return Array(mosaic[first..<first + 4])
    }

    /// The difference of a picture from the average of the finest tiles over the pixels of the view, over
    /// white, in decibels.
    ///
    /// - Parameter shift: moves the compared pixels to the right, in pixels of the view.
    func decibels(_ picture: ViewPicture, _ view: CameraView, shift: Double = 0) -> Double {
        let samples = 10
        let pixels = picture.pixels
        let (width, height) = (finestWidth, finestHeight)
        let finestPixel = formulas(of: view)
        var sum = 0.0
        for row in 0..<picture.height {
            for column in 0..<picture.width {
                var ideal = (0.0, 0.0, 0.0)
                for index in 0..<samples * samples {
                    let place = finestPixel(
                        Point(
                            x: Double(column) + (Double(index % samples) + 0.5) / Double(samples) + shift,
                            y: Double(row) + (Double(index / samples) + 0.5) / Double(samples)))
                    let (x, y) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
                    guard 0..<width ~= x, 0..<height ~= y else {
                        ideal = (ideal.0 + 255, ideal.1 + 255, ideal.2 + 255)
                        continue
                    }
                    let first = (y * width + x) * 4
                    let alpha = Double(mosaic[first + 3]) / 255
                    func over(_ sample: Int) -> Double {
                        Double(mosaic[first + sample]) * alpha + 255 * (1 - alpha)
                    }
                    ideal = (ideal.0 + over(0), ideal.1 + over(1), ideal.2 + over(2))
                }
                let count = Double(samples * samples)
                let first = (row * picture.width + column) * 4
                let alpha = Double(pixels[first + 3]) / 255
                for (sample, value) in [ideal.0, ideal.1, ideal.2].enumerated() {
                    let seen = Double(pixels[first + sample]) * alpha + 255 * (1 - alpha)
                    sum += (seen - value / count) * (seen - value / count)
                }
            }
        }
        return 10 * log10(255 * 255 / (sum / Double(picture.width * picture.height * 3)))
    }
}

extension ViewPicture {
    /// The pixels, RGBA, row by row.
    var pixels: [UInt8] { withRGBA { Array($0) } }
}
