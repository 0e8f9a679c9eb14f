import Georeferencing
import Platform
import Tiling

/// The warnings about the shape and the size of an image's pixels on the ground.
///
/// Only positions that people entered or drew by hand, here or in another program, are checked. In all other
/// files, the shape of pixels is intended.
extension PlacementWarnings {
    /// From this ratio of its sides on, a pixel is reported as stretched.
    private static let stretched = 1.25
    /// Up to this ratio, sides count as equal when the shape is explained: clicks on corners are inexact.
    private static let square = 1.05
    /// From this deviation from a right angle on, in degrees, a pixel is reported as skewed: such a shear
    /// stretches it 1.25 times along a diagonal.
    private static let skewed = 12.5
    /// The smallest plausible longer side of a plan, in metres: a kiosk has 2, an excavation square has 1.
    private static let smallest = 1.0
    /// The largest plausible pixel of a map, in metres: that of a world map with a width of 200 pixels.
    private static let coarsest = 200_000.0
    /// The largest plausible side of an image with an anchor and a scale, in metres. A sheet of a 1:50 000
    /// map has half this size. Pixels per metre, mistaken for metres per pixel, give a hundred times the size
    /// of buildings.
    private static let largestAnchored = 50_000.0

    private var title: String { request.title }

    /// The warnings about the shape, a line each.
    var shape: [Warning] {
        switch position {
        case .worldFile, .stored, .document: return []
        case .bounds, .corners, .controlPoints, .pointsFile, .anchor, .kml: break
        }
        guard pixel.width.isFinite, pixel.height.isFinite else { return [] }
        return [form.map { Warning("stretched", $0) }, size.map { Warning("size", $0) }].compactMap(\.self)
    }

    private var form: String? {
        guard isStretched || isSkewed, !isOblique, placement.fit?.error == nil else { return nil }
        let size = "a pixel of \(title) is \(Self.text(pixel.width, pixel.height)) on the ground"
        let skew = isSkewed ? ", and its sides meet at \(pixel.angle.text(decimals: 0)) degrees" : ""
        let times = Self.excess(pixel.ratio).text(decimals: 1)
        let stretch = ": stretched by a factor of \(times) in \(pixel.ratio > 1 ? "width" : "height")"
        return size + skew + (isStretched ? stretch : "") + "; \(cause)"
    }

    private var isStretched: Bool { Self.excess(pixel.ratio) >= Self.stretched && !isSquareInDegrees }

    /// Whether the pixel is skewed. Bounds are not checked: they are rectangles in their CRS.
    private var isSkewed: Bool {
        if case .bounds = position { return false }
        return abs(pixel.angle - 90) >= Self.skewed
    }

    /// The ratio or its inverse, whichever is above 1.
    private static func excess(_ ratio: Double) -> Double { max(ratio, 1 / ratio) }

    /// Whether pixels need not be squares: in a photograph from the side, and under every curved transform.
    private var isOblique: Bool {
        switch placement.viewGeoreference.pixelToCRS {
        case .affine: return false
        case .projective(let transform):
            let (right, down) = (Double(placement.view.width), Double(placement.view.height))
            let corners = [(0, 0), (right, 0), (right, down), (0, down)]
            let distances = corners.map { transform.denominator(at: Point(x: $0.0, y: $0.1)) }
            let (near, far) = (distances.min() ?? 1, distances.max() ?? 1)
            return far > Self.stretched * near
        case .curved, .inverseCurved: return true
        }
    }

    /// Whether pixels are squares in the bounds' units or, north up, in degrees, as in ordinary exports.
    private var isSquareInDegrees: Bool {
        // Bounds across the antimeridian have their west beyond their east, and are always degrees.
        if case .bounds(let box, _) = position, box.width > 0,
            Self.excess(box.width / box.height / aspect) < Self.square
        {
            return true
        }
        return pixel.ratioInDegrees.map { Self.excess($0) < Self.square } ?? false
    }

    private var cause: String {
        switch position {
        case .corners where isSkewed: return "is one of the corners wrong?"
        case .controlPoints where isSkewed, .pointsFile where isSkewed:
            return "is one of the control points wrong?"
        case .corners where Self.excess(pixel.ratio * aspect * aspect) < Self.square:
            return "the corners probably begin at the wrong one: give the image's top left first, "
                + "then its top right"
        case .bounds(let box, .wgs84) where interchanged(box).map { Self.excess($0) < Self.square } == true:
            return "longitude and latitude are probably swapped: write --bounds WEST,SOUTH,EAST,NORTH"
        case .bounds: return "are these exactly the bounds of the whole image?"
        case .corners: return "are these the corners of the whole image, not of the building in it?"
        case .kml: return "was the overlay drawn out of proportion?"
        default: return "was the image scaled in one direction only, or are coordinates wrong?"
        }
    }

    private var aspect: Double { Double(placement.view.width) / Double(placement.view.height) }

    /// The ratio of a pixel's sides if longitude and latitude were interchanged; nil if the latitude would be
    /// out of range.
    private func interchanged(_ box: BoundingBox) -> Double? {
        guard box.width > 0, max(abs(box.minX), abs(box.maxX)) < 90 else { return nil }
        return box.height * cos((box.minX + box.maxX) / 2 * .pi / 180) / box.width / aspect
    }

    private var size: String? {
        let across = pixel.width * Double(placement.view.width)
        let down = pixel.height * Double(placement.view.height)
        let amount = "\(title) is \(Self.text(across, down)) on the ground"
        if max(across, down) < Self.smallest { return "\(amount), smaller than any plan: \(sizeCause)" }
        if max(pixel.width, pixel.height) > Self.coarsest {
            return
                "a pixel of \(title) is \(Self.text(pixel.width, pixel.height)) on the ground, larger than "
                + "in any map: \(sizeCause)"
        }
        if case .anchor = position, max(across, down) > Self.largestAnchored {
            return "\(amount), larger than any building: \(sizeCause)"
        }
        return nil
    }

    private var sizeCause: String {
        if ImageFile.pageFormat(of: request.path)?.isCAD == true {
            return "check its unit in CAD ($INSUNITS)"
        }
        if case .anchor = position {
            return "check --scale: it is metres per pixel, or 1:N with the image's --dpi"
        }
        return "is a decimal point misplaced?"
    }

    /// Two lengths of at least two digits, in a unit that suits the longer one: `72 x 38 cm`.
    private static func text(_ one: Double, _ other: Double) -> String {
        let units: [(above: Double, size: Double, name: String)] = [
            (1000, 1000, "km"), (1, 1, "m"), (0.01, 0.01, "cm"), (0, 0.001, "mm"),
        ]
        let unit = units.first { max(one, other) >= $0.above } ?? units[3]
        let numbers = [one, other].map { length -> String in
            let number = length / unit.size
            return number.text(decimals: number >= 9.95 ? 0 : number >= 0.995 ? 1 : 2)
        }
        return "\(numbers[0]) x \(numbers[1]) \(unit.name)"
    }
}

/// The middle pixel of an image on the ground.
struct GroundPixel {
    /// Its sides in Mercator metres, along the rows and columns in which the position counts pixels.
    private let (right, down): (Point, Point)
    /// Metres on the ground per Mercator metre: the cosine of the latitude, since Web Mercator is conformal.
    private let scale: Double

    /// Measures the pixel.
    init(_ placement: Placement) {
        let (middle, stored) = (placement.mapping.middle, placement.view.storedFromView)
        let halves = [
            (-stored.a, -stored.d), (stored.a, stored.d), (-stored.b, -stored.e), (stored.b, stored.e),
        ]
        var points = halves.map { Point(x: middle.x + $0.0 / 2, y: middle.y + $0.1 / 2) }
        placement.mapping.mercatorPoints(ofImage: &points)
        (right, down) = (points[1] - points[0], points[3] - points[2])
        scale = placement.mapping.groundCellSize / placement.mapping.mercatorCellSize
    }

    /// Its width in metres.
    var width: Double { right.length * scale }

    /// Its height in metres.
    var height: Double { down.length * scale }

    /// Its width as a multiple of its height.
    var ratio: Double { width / height }

    /// The angle at which its sides meet, in degrees: 90 for a rectangle.
    var angle: Double {
        let cosine = (right.x * down.x + right.y * down.y) / (right.length * down.length)
        return acos(min(1, max(-1, cosine))) * 180 / .pi
    }

    /// Its width as a multiple of its height in degrees, if the image is north up; else nil.
    var ratioInDegrees: Double? {
        // In Web Mercator, a degree of longitude is shorter than one of latitude, by the cosine.
        let sides = [right, down].map { Point(x: $0.x, y: $0.y * scale) }
        let isUpright = abs(sides[0].y) < 0.02 * abs(sides[0].x) && abs(sides[1].x) < 0.02 * abs(sides[1].y)
        return isUpright ? sides[0].length / sides[1].length : nil
    }

}

extension Point { fileprivate var length: Double { (x * x + y * y).squareRoot() } }
