import Platform
import Georeferencing
import Publishing
import Raster
import Tiling

/// What is said already of where an image lies: by a manifest, by the image's file or by those beside it.
struct KnownPosition {
    /// From the top left of the stored image on, clockwise, in degrees.
    private(set) var corners: [Point]?
    /// The middle of what is on the Earth, in degrees, if corners are not.
    private var middle: Point?
    /// The control points, in pixels of the stored image.
    private(set) var points: [PlacingPage.PlannedPoint] = []
    /// The size of the image that the points were set on, if their file says it.
    private(set) var pointsSize: String?
    /// What is not an error, and what the user should know: a line each.
    private(set) var warnings: [String] = []

    /// Looks for a position. One that is not whole, such as a single point, is what the page is for.
    init(of image: ImageRequest, info: RasterInfo) {
        do {
            (points, pointsSize) = try Self.points(of: image, info: info)
        } catch {
            warnings.append("\(error); the page begins without them")
        }
        var whole = image
        whole.crop = nil
        guard let placed = try? PlacedImage(whole) else { return }
        let corners = placed.mapping.lonLatCorners()
        if corners.allSatisfy(\.isFinite) { self.corners = corners } else { middle = placed.bounds.center }
    }

    /// A place of the image, if there is one.
    var near: Point? { corners?.first ?? middle ?? points.first?.lonLat }

    private static func points(
        of image: ImageRequest, info: RasterInfo
    ) throws -> ([PlacingPage.PlannedPoint], size: String?) {
        let crs = try image.position.crs.map { try CRS($0) }
        switch image.position.source {
        case .files:
            let beside = try PointsBeside(image, crs: crs, info: info)
            return (beside.points, beside.imageSize)
        case .pointsFile(let path):
            let position = Position.pointsFile(path, crs)
            let points = try position.controlPoints(width: info.width, height: info.height) ?? []
            let size = path.hasEnding(".points") ? try imageSize(path, crs, info) : nil
            return (stored(points, of: position, image, info), size)
        case .controlPoints(let points):
            // What was typed has no name, only a number.
            let numbered = points.enumerated().map { index, point in
                var point = point
                point.name = "\(index + 1)"
                return point
            }
            return (stored(numbered, of: .controlPoints(points), image, info), nil)
        default: return ([], nil)
        }
    }

    private static func imageSize(_ path: String, _ crs: CRS?, _ info: RasterInfo) throws -> String? {
        try QGISPoints(
            parsing: InputFile.text(of: path), path: path, crs: crs, width: info.width,
            height: info.height
        ).imageSize
    }

    /// Points in pixels of the image as it is stored: those that people read off a viewer count upright.
    private static func stored(
        _ points: [ControlPoint], of position: Position, _ image: ImageRequest, _ info: RasterInfo
    ) -> [PlacingPage.PlannedPoint] {
        let view = ImageView(info, position: position, orient: image.position.orient)
        return points.map { point in
            var point = point
            point.pixel = view.storedFromView(point.pixel)
            return PlacingPage.PlannedPoint(point)
        }
    }
}

extension PlacingPage.PlannedPoint {
    /// Takes a point that counts in the stored image.
    init(_ point: ControlPoint) {
        self.init(
            pixel: point.pixel, lonLat: point.lonLat, name: point.name, isEnabled: point.isEnabled)
    }
}
