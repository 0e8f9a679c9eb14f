import Platform
import Georeferencing
import Publishing
import Raster

/// The control points in the file beside an image.
struct PointsBeside {
    /// All of them; none if there is no such file.
    private(set) var points: [PlacingPage.PlannedPoint] = []
    /// The size of the image that they were set on, if their file says it: `1936x1474`.
    private(set) var imageSize: String?
    private var named: [Bool] = []

    /// Reads the file.
    ///
    /// - Parameter crs: the system of its map coordinates, in place of what the file says.
    /// - Throws: a `Failure` if there is one that cannot be read.
    init(_ image: ImageRequest, crs: CRS? = nil, info: RasterInfo) throws {
        guard let path = try QGISPoints.find(beside: image.path, page: image.pageNumber) else { return }
        let file = try QGISPoints(
            parsing: InputFile.text(of: path), path: path, crs: crs, width: info.width,
            height: info.height)
        points = file.points.map(PlacingPage.PlannedPoint.init)
        named = file.points.map { $0.name.wholeMatch(of: /line [0-9]+/) == nil }
        imageSize = file.imageSize
    }

    /// Those that a plan of another floor may share: they have names of their own and are in use.
    var shared: [PlacingPage.PlannedPoint] {
        zip(points, named).filter { $0.isEnabled && $1 }.map(\.0)
    }
}
