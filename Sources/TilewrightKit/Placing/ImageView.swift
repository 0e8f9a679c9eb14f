import Platform
import Raster
import Tiling

/// The image as the coordinates of its position see it: as stored, or turned upright.
struct ImageView {
    /// Columns of the view.
    let width: Int
    /// Rows of the view.
    let height: Int
    /// From points of the view to points of the stored image.
    let storedFromView: AffineTransform
    /// From points of the stored image to points of the view.
    let viewFromStored: AffineTransform
    /// Whether the image has an orientation tag that does not count.
    let ignoresOrientation: Bool

    private let stored: PixelWindow

    init(_ info: RasterInfo, position: Position, orient: PositionRequest.Orientation) {
        let turns: Bool =
            switch orient {
            case .auto: position.isReadOffViewer
            case .yes: true
            case .no: false
            }
        let orientation = turns ? info.orientation : .upright
        width = orientation.swapsAxes ? info.height : info.width
        height = orientation.swapsAxes ? info.width : info.height
        storedFromView = orientation.storedFromUpright(
            storedWidth: info.width, storedHeight: info.height)
        // An orientation is a permutation of the axes: it always has an inverse.
        viewFromStored = storedFromView.inverse ?? .identity
        ignoresOrientation = orient == .auto && !turns && info.orientation != .upright
        stored = PixelWindow(columns: 0..<info.width, rows: 0..<info.height)
    }

    /// The corners of the seen image in the order in which they are seen, from the corners of the
    /// stored one: both from the top left on, clockwise.
    func corners(_ stored: [Point]) -> [Point] {
        // Where the seen corners of a unit square lie in the stored one.
        let ring = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { Point(x: $0.0, y: $0.1) }
        return ring.map { corner in
            let seen = storedFromView(
                Point(x: corner.x * Double(width), y: corner.y * Double(height)))
            let isRight = seen.x > Double(self.stored.width) / 2
            let isBottom = seen.y > Double(self.stored.height) / 2
            return stored[isBottom ? (isRight ? 2 : 3) : (isRight ? 1 : 0)]
        }
    }

    /// The stored pixels that a crop of the view leaves; all of them without a crop.
    func storedWindow(crop: PixelWindow?) throws -> PixelWindow {
        guard let crop else { return stored }
        guard crop.columns.lowerBound >= 0, crop.columns.upperBound <= width,
            crop.rows.lowerBound >= 0, crop.rows.upperBound <= height
        else {
            throw Failure(
                .usage, "the crop goes beyond the image, which is \(width) x \(height) pixels")
        }
        if crop.isEmpty {
            throw Failure(.usage, "the crop leaves nothing of the image")
        }
        let corners = [
            Point(x: Double(crop.columns.lowerBound), y: Double(crop.rows.lowerBound)),
            Point(x: Double(crop.columns.upperBound), y: Double(crop.rows.upperBound)),
        ].map { storedFromView($0) }
        let columns = corners.map { Int($0.x.rounded()) }.sorted()
        let rows = corners.map { Int($0.y.rounded()) }.sorted()
        return PixelWindow(columns: columns[0]..<columns[1], rows: rows[0]..<rows[1])
    }
}
