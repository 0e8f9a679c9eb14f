import Codecs
import Georeferencing
import Raster
import Rendering
import Tiling

/// One picture of a whole tileset, rendered like another zoom.
struct OverlayPicture {
    /// The most columns or rows: Google Earth shrinks pictures that are larger than a texture of the display.
    static let longestSide = 2048

    /// The smallest shift of rows, in pixels, that is visible.
    private static let visibleShift = 0.5

    /// The edges of the picture in degrees; the east is beyond 180 across the antimeridian.
    let box: BoundingBox
    /// The picture as a PNG file.
    let bytes: [UInt8]
    /// The largest shift of rows in pixels, if it is visible. Rows of tiles are evenly spaced in Web
    /// Mercator, but those of an overlay in degrees.
    let visibleShift: Double?

    /// Renders the tileset at the highest zoom, at most its own maximum, at which it is small enough.
    static func render(_ plan: TilesetPlan) async throws -> Self {
        var request = plan.request
        var zoom = plan.pyramid.options.zooms.upperBound
        while true {
            request.zoom = ZoomRange(zoom: zoom)
            let part = try TilesetPlan(
                images: plan.images, request: request, resources: plan.resources)
            let window = part.window
            if zoom == 0 || max(window.width, window.height) <= longestSide {
                return try await OverlayPicture(part, window: window)
            }
            zoom -= 1
        }
    }

    private init(_ plan: TilesetPlan, window: PixelWindow) async throws {
        let matrix = TileMatrix(
            zoom: plan.pyramid.options.zooms.upperBound, tileSize: plan.pyramid.options.tileSize)
        var canvas = TileCanvas(window: window, matrix: matrix)
        _ = try await plan.builder.build(
            to: &canvas, makeEncoder: { PixelCopier() }, progress: { _ in })
        bytes = try PNGImage.encode(rgba: canvas.rgba, width: window.width, height: window.height)
        box = matrix.lonLatBox(of: window)
        let shift = matrix.rowShift(of: window, in: box)
        visibleShift = shift > Self.visibleShift ? shift : nil
    }
}

extension TileMatrix {
    /// The edges of pixels in degrees; the east is beyond 180 across the antimeridian.
    fileprivate func lonLatBox(of window: PixelWindow) -> BoundingBox {
        BoundingBox(around: window.corners.map { WebMercator.lonLat(mercator(ofPixel: $0)) })
            .unwrapped("a window has corners")
    }

    /// The shift in pixels of the middle row, which moves most, if rows are evenly spaced in degrees.
    fileprivate func rowShift(of window: PixelWindow, in box: BoundingBox) -> Double {
        let middle = WebMercator.metres(latitude: (box.minY + box.maxY) / 2)
        let row = pixel(ofMercator: Point(x: 0, y: middle)).y
        return abs(row - Double(window.rows.lowerBound + window.rows.upperBound) / 2)
    }
}

/// Copies the pixels of a tile unchanged.
private final class PixelCopier: TileEncoder {
    func encode(_ pixels: TilePixels) -> [UInt8] { Array(pixels.bytes) }
}

/// A picture that tiles are copied into, RGBA.
private struct TileCanvas: TileSink {
    let window: PixelWindow
    let matrix: TileMatrix
    var rgba: [UInt8]
    var staged: Set<TileCoordinate> { [] }

    init(window: PixelWindow, matrix: TileMatrix) {
        self.window = window
        self.matrix = matrix
        rgba = [UInt8](repeating: 0, count: window.width * window.height * 4)
    }

    mutating func write(_ tile: EncodedTile) {
        let size = matrix.tileSize
        let rows = matrix.pixels(ofTile: tile.coordinate.row)
        // The window's column numbers continue across the antimeridian.
        for column in [tile.coordinate.column, tile.coordinate.column + matrix.tilesPerEdge] {
            let columns = matrix.pixels(ofTile: column)
            let part = PixelWindow(columns: columns, rows: rows).intersection(window)
            for row in part.rows where !part.columns.isEmpty {
                let source =
                    ((row - rows.lowerBound) * size + part.columns.lowerBound
                        - columns.lowerBound) * 4
                let target =
                    ((row - window.rows.lowerBound) * window.width
                        + part.columns.lowerBound - window.columns.lowerBound) * 4
                let count = part.width * 4
                rgba.replaceSubrange(
                    target..<target + count, with: tile.bytes[source..<source + count])
            }
        }
    }
}
