import Foundation
import Georeferencing
import Raster
import Rendering
import TestSupport
import Testing
import Tiling

/// Opaque sheets that meet are one picture: whatever the kernel, and however little they overlap, no line shows where.
@Suite struct SheetSeamTests {
    /// How sheets lie.
    struct Place: Sendable, CustomTestStringConvertible {
        /// Columns and rows of sheets.
        var columns = 2
        var rows = 2
        var degrees = 0.0
        /// From a corner of tiles, in pixels, to the corner where sheets meet.
        var offset = 0.0
        /// Pixels of zoom 16 to a pixel of a sheet.
        var scale = 0.9
        /// Pixels of the last sheet to one of the others.
        var finer = 1
        var format = PixelFormat.rgb8

        var testDescription: String {
            "\(columns) x \(rows) sheets, turned by \(degrees), at \(offset), \(scale) to 1, 1 to \(finer), \(format)"
        }
    }

    private static let places = [
        Place(), Place(offset: 77.3), Place(offset: -1.3, scale: 2.3), Place(columns: 1, offset: 0.5),
        Place(rows: 1, offset: 31.8, scale: 0.4), Place(offset: 100.7, format: .rgba8),
        Place(offset: 3, format: .gray8),
        Place(degrees: 20), Place(degrees: -71, offset: 40.2, scale: 1.7), Place(offset: 0.4, finer: 2),
    ]
    private static let edge = 60
    private static let color: [UInt8] = [200, 100, 50, 255]

    /// The sheets: parts of a whole whose middle lies at a corner of tiles, but for the offset.
    private static func layers(_ place: Place, overlap: Int) throws -> [TestLayer] {
        let matrix = TileMatrix(zoom: 16, tileSize: 256)
        let (width, height) = (
            place.columns * (edge - overlap) + overlap, place.rows * (edge - overlap) + overlap
        )
        let whole = try Placement.turned(
            matrix, around: Point(x: 5120 + place.offset, y: 9216 + place.offset), degrees: place.degrees,
            scale: place.scale, width: width, height: height)
        var layers: [TestLayer] = []
        for row in 0..<place.rows {
            for column in 0..<place.columns {
                let isLast = row == place.rows - 1 && column == place.columns - 1
                let finer = isLast ? place.finer : 1
                let first = Point(x: Double(column * (edge - overlap)), y: Double(row * (edge - overlap)))
                var corners = [(0.0, 0.0), (1, 0), (0, 1)].map { Point(x: first.x + $0, y: first.y + $1) }
                whole.mercatorPoints(ofImage: &corners)
                let (o, x, y, n) = (corners[0], corners[1], corners[2], Double(finer))
                let transform = AffineTransform(
                    a: (x.x - o.x) / n, b: (y.x - o.x) / n, c: o.x, d: (x.y - o.y) / n, e: (y.y - o.y) / n,
                    f: o.y)
                let mapping = try ImageMapping(
                    Georeference(crs: .webMercator, pixelToCRS: .affine(transform)), width: edge * finer,
                    height: edge * finer)
                let image = TestImage(width: edge * finer, height: edge * finer, place.format) { _, _ in
                    Array(color.prefix(place.format.bytesPerPixel))
                }
                layers.append(TestLayer(mapping: mapping, image: image))
            }
        }
        return layers
    }

    /// The pixels of a tile that lie on sheets, so far inside that an edge of the whole does not show: by their index.
    private static func inside(_ tile: TileCoordinate, of place: Place, overlap: Int) -> [Int] {
        let pixel = Double(1 << (16 - tile.zoom))
        let (width, height) = (
            Double(place.columns * (edge - overlap) + overlap),
            Double(place.rows * (edge - overlap) + overlap)
        )
        // Kernels reach so far, of the image and of each halving.
        let margin = (4 * max(1, place.scale) + 2 + 7 * (pixel - 1)) / place.scale
        let (c, s) = (
            cos(place.degrees * .pi / 180) / place.scale, sin(place.degrees * .pi / 180) / place.scale
        )
        let first = Point(
            x: Double(tile.column) * 256 * pixel - 5120, y: Double(tile.row) * 256 * pixel - 9216)
        let radius = hypot(width, height) / 2 * place.scale
        func near(_ first: Double) -> Range<Int> {
            let middle = place.offset - first
            return Range(
                Int(
                    ((middle - radius) / pixel).rounded(.down))...Int(
                        ((middle + radius) / pixel).rounded(.up))
            ).clamped(to: 0..<256)
        }
        return near(first.y).flatMap { row in
            near(first.x).compactMap { column in
                let x = first.x + (Double(column) + 0.5) * pixel - place.offset
                let y = first.y + (Double(row) + 0.5) * pixel - place.offset
                // North is up in the one and down in the other.
                let (across, down) = (c * x - s * y, s * x + c * y)
                let isInside = abs(across) < width / 2 - margin && abs(down) < height / 2 - margin
                return isInside ? row * 256 + column : nil
            }
        }
    }

    @Test("no line is visible where sheets meet", .long, arguments: ResamplingMethod.allCases, places)
    func seams(method: ResamplingMethod, place: Place) async throws {
        // What most pixels are that a coarse pixel and four fine ones cover may be what lies beyond both sheets.
        if method == .mode, place.finer > 1 { return }
        for overlap in 0...3 {
            let layers = try Self.layers(place, overlap: overlap)
            let tiles = try await TestBuild(layers, zooms: 15...16, resampling: method).run()
            let expected = place.format == .gray8 ? [200, 200, 200, 255] : Self.color
            var (seen, worst) = (0, 0)
            for (tile, bytes) in tiles.tiles {
                for index in Self.inside(tile, of: place, overlap: overlap) {
                    seen += 1
                    for channel in 0..<4 {
                        worst = max(worst, abs(Int(bytes[4 * index + channel]) - Int(expected[channel])))
                    }
                }
            }
            #expect(seen > 100 && worst <= 1, "an overlap of \(overlap): off by \(worst) of \(seen) pixels")
        }
    }
}
