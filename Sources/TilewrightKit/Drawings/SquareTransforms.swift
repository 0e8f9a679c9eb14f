import Georeferencing
import Tiling

/// Transforms from points of a page to the pixels of squares of a tile matrix, each as good as the mapping within its
/// square.
struct SquareTransforms: Sendable {
    /// The pixel of the matrix that is the first one of the grid.
    let corner: Point
    /// The matrix.
    let matrix: TileMatrix
    /// Where the image's pixels lie.
    let mapping: ImageMapping
    /// From those to points of the page.
    let pointsFromImage: AffineTransform

    /// The transform of a square: its sides are the mean ones of the mapping's, and it lies between the mapping's
    /// corners and its middle, which halves what a bent side is off.
    func transform(of square: PixelWindow) -> AffineTransform {
        let fit = fit(square)
        // Where the mapping ends there is nothing to draw: any transform will do that leads nowhere near.
        return fit.inverse ?? .translation(x: -1e9, y: -1e9)
    }

    /// How far, in pixels, the transforms of some squares are off at most; infinite if places have no points.
    func greatestError(in window: PixelWindow, square size: Int) -> Double {
        let samples = 6
        func starts(_ count: Int) -> [Int] {
            let last = (count - 1) / size
            return Set((0...samples).map { last * $0 / samples }).sorted().map { $0 * size }
        }
        return starts(window.height).flatMap { row in
            starts(window.width).map { column in
                error(of: PixelWindow(columns: column..<column + size, rows: row..<row + size))
            }
        }.reduce(0, max)
    }

    /// From pixels of the grid to points of the page.
    private func fit(_ square: PixelWindow) -> AffineTransform {
        let points = points(square, parts: 2)
        let (width, height) = (Double(square.width), Double(square.height))
        let (topLeft, topRight, bottomLeft, bottomRight) = (points[0], points[2], points[6], points[8])
        let mean = (topLeft + topRight + bottomLeft + bottomRight) * 0.25
        let middle = (mean + points[4]) * 0.5
        let right = (topRight - topLeft + bottomRight - bottomLeft) * (0.5 / width)
        let down = (bottomLeft - topLeft + bottomRight - topRight) * (0.5 / height)
        let centre = AffineTransform.translation(
            x: -Double(square.columns.lowerBound) - width / 2, y: -Double(square.rows.lowerBound) - height / 2
        )
        return centre.followed(
            by: AffineTransform(a: right.x, b: down.x, c: middle.x, d: right.y, e: down.y, f: middle.y))
    }

    private func error(of square: PixelWindow) -> Double {
        let parts = 4
        guard let transform = fit(square).inverse else { return .infinity }
        let pixels = places(square, parts: parts)
        return zip(points(square, parts: parts), pixels).map { transform($0).distance(to: $1) }
            .reduce(0) { $1.isFinite ? max($0, $1) : .infinity }
    }

    /// Places of a square from its top left corner, in pixels of the grid, row by row.
    private func places(_ square: PixelWindow, parts: Int) -> [Point] {
        (0...parts).flatMap { y in
            (0...parts).map { x in
                Point(
                    x: Double(square.columns.lowerBound) + Double(square.width * x) / Double(parts),
                    y: Double(square.rows.lowerBound) + Double(square.height * y) / Double(parts))
            }
        }
    }

    /// The same in points of the page.
    private func points(_ square: PixelWindow, parts: Int) -> [Point] {
        var points = places(square, parts: parts).map { matrix.mercator(ofPixel: $0 + corner) }
        mapping.imagePoints(ofMercator: &points)
        return points.map { pointsFromImage($0) }
    }
}
