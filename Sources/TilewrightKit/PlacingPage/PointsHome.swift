import Platform
import Georeferencing
import Raster

/// Where the points of a floor go: a file that a build finds, or that a manifest can name.
struct PointsHome: Hashable {
    /// The file.
    let path: String
    /// Whether its `gcps` belongs to the top of the building.
    let isAtTop: Bool

    /// The file beside an image, where a build looks for it.
    static func beside(_ image: ImageRequest, isAtTop: Bool = false) -> PointsHome {
        PointsHome(
            path: QGISPoints.path(beside: image.path, page: image.pageNumber), isAtTop: isAtTop)
    }

    /// Whether a build reads the file, once it is there, as the page writes it, without a word more in the
    /// manifest.
    func isFound(for image: ImageRequest, info: RasterInfo) -> Bool {
        // The page writes degrees, and pixels of the image as it is stored.
        let isTurned = image.position.orient == .yes && info.orientation != .upright
        if image.position.crs != nil || isTurned { return false }
        switch image.position.source {
        case .pointsFile(let path): return path == self.path
        case .files:
            guard self == .beside(image) else { return false }
            // Tags and the .aux.xml come before points, and world files after them.
            let position = try? Position(image.position, of: image, info: info)
            if case .stored = position { return false }
            return true
        default: return false
        }
    }
}
