import Platform

/// A map view: its size and its camera.
public struct CameraView: Hashable, Sendable {
    /// The size in points, and the pixels per point.
    public let size: ViewSize
    /// The limits of the camera.
    public let limits: CameraLimits
    /// The camera, within the limits.
    public private(set) var camera: CameraPosition

    /// Makes a view. A camera outside the limits becomes the nearest camera inside.
    public init(
        _ camera: CameraPosition, size: ViewSize = .standard, limits: CameraLimits = CameraLimits()
    ) {
        self.size = size
        self.limits = limits
        self.camera = limits.clamping(camera)
    }

    /// Sets the camera, or the nearest camera within the limits.
    mutating func move(to camera: CameraPosition) { self.camera = limits.clamping(camera) }
}

extension CameraView {
    /// The middle of the view, in points.
    var middle: Point { Point(x: Double(size.width) / 2, y: Double(size.height) / 2) }

    /// The distance of the eye from the target in points: 1.5 times the height.
    ///
    /// Google does not document its distance. This is that of MapLibre and Mapbox, with a vertical field of
    /// view of `2 atan(1 / 3)`, 36.87 degrees.
    package var eyeDistance: Double { 1.5 * Double(size.height) }

    /// The length of a point on the ground at tilt 0, in Mercator metres.
    package var metresPerPoint: Double { WebMercator.world / (256 * exp2(camera.zoom)) }

    /// The target in Mercator metres.
    package var mercatorTarget: Point { WebMercator.metres(camera.target) }
}

// The mapping of the view. Let x and y be points from the middle of the view, y up, d the distance of the
// eye, t the tilt and b the bearing. The view is that of a pinhole camera:
//
//     u = x cos t / w,  v = y / w,  w = cos t - y sin t / d
//
// u and v are points on the ground to the right and up in a view without tilt. The bearing turns them:
//
//     east = u cos b + v sin b,  north = v cos b - u sin b
//
// w is 0 at the horizon, y = d cos t / sin t, and negative above it. At 65 degrees, the horizon is 0.7 times
// the height above the middle, beyond the upper edge: a view never shows it.

extension CameraView {
    /// Points of the view, x right and y down from its top-left corner, to Mercator metres from the target,
    /// x east and y north. The denominator is positive for everything in front of the eye.
    package var mercatorFromPoint: ProjectiveTransform {
        let (sinTilt, cosTilt) = Self.sineAndCosine(camera.tilt)
        let (sinBearing, cosBearing) = Self.sineAndCosine(camera.bearing)
        let metres = metresPerPoint
        let fromMiddle = AffineTransform(a: 1, b: 0, c: -middle.x, d: 0, e: -1, f: middle.y)
        let ground = ProjectiveTransform(
            (metres * cosBearing * cosTilt, metres * sinBearing, 0),
            (-metres * sinBearing * cosTilt, metres * cosBearing, 0),
            (0, -sinTilt / eyeDistance, cosTilt))
        return ProjectiveTransform(fromMiddle).followed(by: ground)
    }

    /// Pixels of the view, x right and y down from its top-left corner, to Mercator metres from the target
    /// (`mercatorTarget`), x east and y north. Whole numbers are pixel edges. Relative metres keep their
    /// precision at high zooms. The denominator is positive for everything in front of the eye.
    package var mercatorFromPixel: ProjectiveTransform {
        let points = AffineTransform(
            a: 1 / size.scale, b: 0, c: 0, d: 0, e: 1 / size.scale, f: 0)
        return ProjectiveTransform(points).followed(by: mercatorFromPoint)
    }

    /// The place that is seen at a point of the view, x right and y down from its top-left corner: longitude
    /// in -180..<180 and latitude, in degrees; nil at and above the horizon. Beyond the world's northern and
    /// southern edges, latitudes continue towards the poles.
    public func place(atPoint point: Point) -> Point? {
        let offset = mercatorFromPoint(point)
        return offset.isFinite ? place(atOffset: offset) : nil
    }

    /// The point of the view, x right and y down from its top-left corner, at which a place in degrees is
    /// seen; it may be outside the view. Nil for a place behind the eye. The world repeats to the east and
    /// to the west; the copy that is nearest to the target counts.
    public func point(ofPlace place: Point) -> Point? {
        let metres = WebMercator.metres(place)
        let target = mercatorTarget
        let east = (metres.x - target.x).remainder(dividingBy: WebMercator.world)
        let pointFromMercator = mercatorFromPoint.inverse
        let point = pointFromMercator?(Point(x: east, y: metres.y - target.y)) ?? .nowhere
        return point.isFinite ? point : nil
    }

    /// A place in degrees, from its offset to the target in Mercator metres.
    func place(atOffset offset: Point) -> Point {
        let place = WebMercator.lonLat(mercatorTarget + offset)
        return Point(x: place.x.wrapped(from: -180), y: place.y)
    }

    /// The sine and the cosine of an angle in degrees; those of right angles are exact.
    private static func sineAndCosine(_ degrees: Double) -> (Double, Double) {
        switch degrees {
        case 0: return (0, 1)
        case 90: return (1, 0)
        case 180: return (0, -1)
        case 270: return (-1, 0)
        default:
            let radians = degrees * .pi / 180
            return (sin(radians), cos(radians))
        }
    }
}

extension CameraView {
    /// The places at the view's corners: top left, top right, bottom right, bottom left; longitudes in
    /// -180..<180 and latitudes, in degrees.
    public var corners: [Point] { ground.map(place(atOffset:)) }

    /// The box around what is visible of the world, in degrees. Across the antimeridian its west is greater
    /// than its east; a view that shows a full turn or more has -180 to 180. Latitudes end at the world's
    /// edges.
    public var bounds: BoundingBox {
        let box = visible
        let south = WebMercator.latitude(metres: box.minY)
        let north = WebMercator.latitude(metres: box.maxY)
        if box.width >= WebMercator.world {
            return BoundingBox(minX: -180, minY: south, maxX: 180, maxY: north)
        }
        let west = WebMercator.longitude(metres: box.minX).wrapped(from: -180)
        let east = west + WebMercator.longitude(metres: box.width)
        return BoundingBox(
            minX: west, minY: south, maxX: east > 180 ? east - 360 : east, maxY: north)
    }

    /// The tiles that a client asks for: all that the box around what is visible touches, at the camera's
    /// zoom, rounded.
    ///
    /// - Parameter zooms: the zooms that there are, within 0...30: a camera beyond them sees tiles of the
    ///   nearest one. Nil for all.
    public func tiles(zooms: ClosedRange<Int>? = nil) -> VisibleTiles {
        let zooms = (zooms ?? 0...30).clamped(to: 0...30)
        let rounded = Int(camera.zoom.rounded())
        let zoom = min(max(rounded, zooms.lowerBound), zooms.upperBound)
        return VisibleTiles(zoom: zoom, touching: visible)
    }

    /// The view's corners on the ground, clockwise from the top left: Mercator metres from the target.
    private var ground: [Point] {
        let points = PixelWindow(columns: 0..<size.width, rows: 0..<size.height).corners
        return points.map(mercatorFromPoint.callAsFunction)
    }

    /// The box around what is visible of the world, in Mercator metres; longitudes are not wrapped at the
    /// antimeridian.
    private var visible: BoundingBox {
        let half = WebMercator.halfWorld
        let target = mercatorTarget
        let corners = ground.map { target + $0 }
        let inWorld = corners.clipped(toY: -half...half)
        // The target is in the world and in the view.
        var box = BoundingBox(around: inWorld).unwrapped("a view shows its target")
        box.minY = max(box.minY, -half)
        box.maxY = min(box.maxY, half)
        return box
    }
}

extension [Point] {
    /// The part of a convex polygon in a strip: its corners in there, and the points where its edges cross
    /// the ends of the strip.
    fileprivate func clipped(toY strip: ClosedRange<Double>) -> [Point] {
        var corners = filter { strip.contains($0.y) }
        for (start, end) in zip(self, dropFirst() + prefix(1)) {
            for y in [strip.lowerBound, strip.upperBound]
            where Swift.min(start.y, end.y) < y && y < Swift.max(start.y, end.y) {
                let part = (y - start.y) / (end.y - start.y)
                corners.append(Point(x: start.x + part * (end.x - start.x), y: y))
            }
        }
        return corners
    }
}

/// The tiles of a view: a rectangle of one zoom, which may go across the antimeridian.
public struct VisibleTiles: Hashable, Sendable {
    /// The zoom.
    public let zoom: Int
    /// The column of the western edge, counted from the west.
    public let firstColumn: Int
    /// The column of the eastern edge; less than `firstColumn` if the view crosses the antimeridian.
    public let lastColumn: Int
    /// First to last row, counted from the north (XYZ).
    public let rows: ClosedRange<Int>

    /// How far a view must reach into a tile to touch it, in tiles. Less is rounding: in a tile of 256 pixels
    /// it is less than a thousandth of a pixel.
    private static let touch = 1e-6

    /// The tiles that a box touches.
    ///
    /// - Parameters:
    ///   - zoom: 0 to 30.
    ///   - box: Mercator metres; longitudes are not wrapped at the antimeridian.
    init(zoom: Int, touching box: BoundingBox) {
        let (edge, half) = (1 << zoom, WebMercator.halfWorld)
        let tile = WebMercator.world / Double(edge)
        let columns = Self.range((box.minX + half) / tile, (box.maxX + half) / tile)
        let rows = Self.range((half - box.maxY) / tile, (half - box.minY) / tile)
        self.zoom = zoom
        let isAround = columns.count >= edge
        firstColumn = isAround ? 0 : columns.lowerBound & (edge - 1)
        lastColumn = isAround ? edge - 1 : columns.upperBound & (edge - 1)
        self.rows = rows.clamped(to: 0...edge - 1)
    }

    /// The whole numbers between two positions.
    private static func range(_ start: Double, _ end: Double) -> ClosedRange<Int> {
        let first = Int((start + touch).rounded(.down))
        return first...max(first, Int((end - touch).rounded(.up)) - 1)
    }
}

extension VisibleTiles {
    /// The tiles as rectangles: one, or two across the antimeridian.
    public var limits: [TileRange] {
        let east = firstColumn <= lastColumn ? lastColumn : lastColumn + (1 << zoom)
        return TileRange.wrapping(zoom: zoom, columns: firstColumn...east, rows: rows)
    }
}
