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
        let picture = try ViewPicture(width: window.width, height: window.height)
        var canvas = TileCanvas(picture: picture, window: window, matrix: matrix)
        _ = try await plan.builder.build(
            to: &canvas, makeEncoder: { PixelCopier() }, progress: { _ in })
        bytes = try picture.withRGBA {
            try PNGImage.encode(rgba: $0, width: window.width, height: window.height)
        }
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

/// Lays tiles over a picture of a window.
private struct TileCanvas: TileSink {
    let picture: ViewPicture
    let window: PixelWindow
    let matrix: TileMatrix
    var staged: Set<TileCoordinate> { [] }

    mutating func write(_ tile: EncodedTile) {
        let place = tile.coordinate
        var bytes = tile.bytes
        bytes.withAddress { pixels in
            // The window's column numbers continue across the antimeridian.
            for column in [place.column, place.column + matrix.tilesPerEdge] {
                picture.lay(pixels, ofTile: (column, place.row), of: matrix, in: window)
            }
        }
    }
}

extension ViewPicture {
    /// Lays the pixels of a tile over the picture, which shows a window of the tile's zoom.
    func lay(
        _ pixels: UnsafeRawPointer, ofTile tile: (column: Int, row: Int), of matrix: TileMatrix,
        in window: PixelWindow
    ) {
        let (columns, rows) = (matrix.pixels(ofTile: tile.column), matrix.pixels(ofTile: tile.row))
        let part = PixelWindow(columns: columns, rows: rows).intersection(window)
        for row in part.rows where !part.isEmpty {
            let first =
                (row - rows.lowerBound) * matrix.tileSize + part.columns.lowerBound - columns.lowerBound
            lay(
                pixels + first * 4, count: part.width,
                column: part.columns.lowerBound - window.columns.lowerBound,
                row: row - window.rows.lowerBound)
        }
    }
}
