import Tiling

/// A zoom whose pixels are those of a view, to a thousandth of a pixel.
struct CoincidingZoom {
    /// The zoom.
    let zoom: Int
    /// From pixels of the view to pixels of the zoom, which go on counting beyond the antimeridian; nil
    /// if the view is turned.
    let shift: (columns: Int, rows: Int)?

    /// By how much of a pixel positions may differ.
    private static let tolerance = 1e-3

    /// Finds the zoom of a tileset, nil if there is none.
    ///
    /// - Parameters:
    ///   - grid: the pixels of the view.
    ///   - size: its columns and rows.
    init?(of tileset: StoredTileset, on grid: PixelGrid, size: PixelWindow) {
        for zoom in Set(tileset.metadata.limits.map(\.zoom)) {
            let matrix = TileMatrix(zoom: zoom, tileSize: tileset.metadata.tileSize)
            let corners = size.corners.map { matrix.pixel(ofMercator: grid.mercator(ofPixel: $0)) }
            let whole = corners.map { Point(x: $0.x.rounded(), y: $0.y.rounded()) }
            let isClose = zip(corners, whole).allSatisfy {
                abs($0.x - $1.x) < Self.tolerance && abs($0.y - $1.y) < Self.tolerance
            }
            let (right, down) = (whole[1], whole[3])
            let sides = [
                abs(right.x - whole[0].x), abs(down.y - whole[0].y), abs(right.y - whole[0].y),
                abs(down.x - whole[0].x),
            ]
            let (width, height) = (Double(size.width), Double(size.height))
            guard isClose, sides == [width, height, 0, 0] || sides == [0, 0, width, height] else {
                continue
            }
            self.zoom = zoom
            let isUpright = right.x > whole[0].x && down.y > whole[0].y
            shift =
                isUpright
                ? (Int(whole[0].x) - size.columns.lowerBound, Int(whole[0].y) - size.rows.lowerBound) : nil
            return
        }
        return nil
    }
}
