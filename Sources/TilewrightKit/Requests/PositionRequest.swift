public import Georeferencing
public import Tiling

/// Where an image is said to lie, and how that is to be understood.
///
/// Coordinates are x first: easting or longitude, then northing or latitude. Pixels are counted from the
/// image's top-left corner: (0.5, 0.5) is the centre of the first one.
public struct PositionRequest: Hashable, Codable, Sendable {
    /// What says where the image lies.
    public enum Source: Hashable, Codable, Sendable {
        /// The image's `.aux.xml`, its own tags, `.points` or a world file beside it: the first of these
        /// that there is.
        case files
        /// The image's outer edges, in the reference system of `crs`, degrees on WGS 84 by default. A
        /// western edge beyond the eastern one crosses the antimeridian.
        case bounds(BoundingBox)
        /// Longitude and latitude, in degrees on WGS 84, of the image's outer corners as drawn: top left,
        /// top right, bottom right, bottom left. Three, without the last, make an affine transform, four a
        /// projective one.
        case corners([Point])
        /// Points of the image whose places are known.
        case controlPoints([ControlPoint])
        /// A file of control points, as the QGIS Georeferencer saves it.
        case pointsFile(String)
        /// One known point, the plan's scale, and the compass bearing, in degrees clockwise from north, that
        /// the image's up direction points to.
        case anchor(pixel: Point, lonLat: Point, scale: PlanScale, bearing: Double)
        /// A world file, whose numbers are in the reference system of `crs`, or of the `.prj` beside it.
        case worldFile(String)
        /// A KML or KMZ file with a ground overlay that shows the image.
        case kml(String)
    }

    /// Whether the orientation tag of an image counts.
    public enum Orientation: String, CaseIterable, Codable, Sendable {
        /// For positions that people read off a viewer, and not for those of files.
        case auto
        /// Always.
        case yes
        /// Never.
        case no
    }

    /// What says where the image lies.
    public var source: Source
    /// The reference system of bounds, or of what a file says, in place of its own: `EPSG:n`, WKT or a
    /// PROJ string.
    public var crs: String?
    /// What is fitted to control points: by itself a similarity for two points, an affine transform for
    /// more.
    public var transform: TransformModel?
    /// The resolution of the image in pixels per inch of paper, in place of what its file says; for the
    /// scale of a drawing.
    public var dpi: Double?
    /// Whether the image is turned upright, as its orientation tag says, before its position counts.
    public var orient: Orientation

    /// Says where an image lies.
    public init(
        _ source: Source = .files, crs: String? = nil, transform: TransformModel? = nil,
        orient: Orientation = .auto
    ) {
        self.source = source
        self.crs = crs
        self.transform = transform
        self.orient = orient
    }
}

extension PositionRequest.Source {
    /// The option that says the same; nil for what files say.
    package var optionName: String? {
        switch self {
        case .files: nil
        case .bounds: "--bounds"
        case .corners: "--corners"
        case .controlPoints: "--gcp"
        case .pointsFile: "--gcps"
        case .anchor: "--anchor"
        case .worldFile: "--world-file"
        case .kml: "--kml"
        }
    }
}
