import Platform
import Publishing
import Raster
import Tiling

/// An image as a page holds it: a reduced picture, and what is known of where it lies.
struct PlannedImage {
    /// What the page holds.
    private(set) var plan: PlacingPage.Plan
    /// The whole image.
    let info: RasterInfo
    /// Where the map may begin.
    let near: Point?
    /// What is not an error, and what the user should know: a line each.
    let warnings: [String]

    private let image: ImageRequest

    /// Reads an image.
    ///
    /// - Parameter longestEdge: the longer edge of the picture, at most.
    /// - Throws: a `Failure` if the image cannot be read.
    init(_ image: ImageRequest, longestEdge: Int) throws {
        let picture = try PlanPicture(of: image, longestEdge: longestEdge)
        let known = KnownPosition(of: image, info: picture.info)
        self.image = image
        info = picture.info
        near = known.near ?? picture.info.photoPlace
        warnings = picture.info.warnings.map(\.text) + known.warnings
        plan = PlacingPage.Plan(
            path: image.path, name: image.path.fileName, width: info.width, height: info.height,
            turn: info.orientation.turn, isTagged: info.orientation != .upright,
            picture: picture.picture, scale: picture.scale,
            corners: known.corners, points: known.points, pointsSize: known.pointsSize)
        plan.page = image.pageNumber
        plan.model = image.position.transform?.rawValue
    }

    /// Bytes of the picture in the page.
    var pictureBytes: Int { plan.picture.byteCount }

    /// The longer edge of the picture.
    var pictureEdge: Int {
        Int(max(Double(info.width) / plan.scale.x, Double(info.height) / plan.scale.y).rounded(.up))
    }

    /// Makes the picture anew, smaller.
    mutating func reduce(toEdge longestEdge: Int) throws {
        let picture = try PlanPicture(of: image, longestEdge: longestEdge)
        (plan.picture, plan.scale) = (picture.picture, picture.scale)
    }
}

extension Orientation {
    /// By how many degrees clockwise the stored image is turned to be seen upright, mirrored or not.
    fileprivate var turn: Int {
        switch self {
        case .upright, .mirrored, .flipped: 0
        case .halfTurn: 180
        case .transposed, .quarterTurn: 90
        case .transversed, .threeQuarterTurn: 270
        }
    }
}
