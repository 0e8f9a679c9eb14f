import Platform
import Georeferencing
import Tiling

/// What the pixels of an image look like on the ground, and what the user should know of that.
///
/// Only positions that people give by hand are looked at: a file's pixels are as its program meant them.
struct PlacementShape {
    /// A pixel's width as a multiple of its height, or the other way around, from which on it is not a square.
    /// Scans and copies are stretched by a few percent, pixels of video by up to 1.1, and corners that are
    /// clicked in haste on a plan of 200 pixels by as much.
    static let stretched = 1.25
    /// The same up to which it is a square, give or take how well people click corners.
    static let square = 1.05
    /// By how many degrees a pixel's sides miss a right angle from which on it is not a square: what is sheared so
    /// is stretched 1.25 times along a diagonal.
    static let skewed = 12.5
    /// The largest side of an image in metres below which there is no plan: a kiosk has 2, and a square of an
    /// excavation 1.
    static let smallest = 1.0
    /// The edge of a pixel in metres above which there is no map: one of the world is 200 pixels wide then.
    static let coarsest = 200_000.0
    /// The largest side of an image in metres up to which an anchor and a scale place it. A sheet of a map of
    /// 1:50 000 has half of it; pixels to a metre, taken for metres to a pixel, make a hundred times what
    /// buildings have.
    static let largestAnchored = 50_000.0

    private let position: Position
    private let placement: Placement
    private let title: String
    private let pixel: GroundPixel

    /// Looks at a placed image.
    init(_ position: Position, _ placement: Placement, title: String) {
        (self.position, self.placement, self.title) = (position, placement, title)
        pixel = GroundPixel(placement)
    }

    /// The warnings, a line each.
    var warnings: [Warning] {
        guard position.isGivenByHand, pixel.width.isFinite, pixel.height.isFinite else { return [] }
        return [form.map { Warning("stretched", $0) }, size.map { Warning("size", $0) }].compactMap(\.self)
    }

    private var form: String? {
        guard isStretched || isSkewed, !isOblique, placement.fit?.error == nil else { return nil }
        let size = "a pixel of \(title) is \(Self.text(pixel.width, pixel.height)) on the ground"
        let skew = isSkewed ? ", and its sides meet at \(pixel.angle.text(decimals: 0)) degrees" : ""
        let times = Self.excess(pixel.ratio).text(decimals: 1)
        let stretch = ": stretched \(times) times in \(pixel.ratio > 1 ? "width" : "height")"
        return size + skew + (isStretched ? stretch : "") + "; \(cause)"
    }

    private var isStretched: Bool { Self.excess(pixel.ratio) >= Self.stretched && !isSquareInDegrees }

    /// Bounds are as rectangular as their system.
    private var isSkewed: Bool {
        if case .bounds = position { return false }
        return abs(pixel.angle - 90) >= Self.skewed
    }

    /// How far a ratio is from 1, in either direction.
    private static func excess(_ ratio: Double) -> Double { max(ratio, 1 / ratio) }

    /// Whether a photograph was taken from the side: its pixels are not squares on the ground.
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

    /// Whether the image is a map in degrees, north up, or in the units of its bounds, whose pixels are
    /// squares there: an ordinary export of one.
    private var isSquareInDegrees: Bool {
        // Bounds across the antimeridian have their west beyond their east, and are degrees for certain.
        if case .bounds(let box, _) = position, box.width > 0,
            Self.excess(box.width / box.height / aspect) < Self.square
        {
            return true
        }
        return pixel.ratioInDegrees.map { Self.excess($0) < Self.square } ?? false
    }

    private var cause: String {
        switch position {
        case .corners where isSkewed: return "is one of the corners in a wrong place?"
        case .controlPoints where isSkewed, .pointsFile where isSkewed:
            return "is one of the control points in a wrong place?"
        case .corners where Self.excess(pixel.ratio * aspect * aspect) < Self.square:
            return "the corners probably begin at the wrong one: give the image's top left first, as drawn, "
                + "then its top right"
        case .bounds(let box, .wgs84) where interchanged(box).map { Self.excess($0) < Self.square } == true:
            return "longitude and latitude are probably interchanged: write --bounds WEST,SOUTH,EAST,NORTH"
        case .bounds: return "are these the bounds of the whole image, and of no more?"
        case .corners: return "are these the corners of the whole image, and not of the building on it?"
        case .kml: return "was the overlay drawn out of proportion?"
        default: return "was the image scaled in one direction only, or are places wrong?"
        }
    }

    /// The image's width as a multiple of its height.
    private var aspect: Double { Double(placement.view.width) / Double(placement.view.height) }

    /// The ratio of a pixel's sides if longitudes and latitudes were in each other's place; nil if that is no
    /// place.
    private func interchanged(_ box: BoundingBox) -> Double? {
        guard box.width > 0, max(abs(box.minX), abs(box.maxX)) < 90 else { return nil }
        return box.height * cos((box.minX + box.maxX) / 2 * .pi / 180) / box.width / aspect
    }

    private var size: String? {
        let across = pixel.width * Double(placement.view.width)
        let down = pixel.height * Double(placement.view.height)
        let amount = "\(title) is \(Self.text(across, down)) on the ground"
        if max(across, down) < Self.smallest { return "\(amount), less than any plan: \(sizeCause)" }
        if max(pixel.width, pixel.height) > Self.coarsest {
            return
                "a pixel of \(title) is \(Self.text(pixel.width, pixel.height)) on the ground, more than of "
                + "any map: \(sizeCause)"
        }
        if case .anchor = position, max(across, down) > Self.largestAnchored {
            return "\(amount), more than any building: \(sizeCause)"
        }
        return nil
    }

    private var sizeCause: String {
        if case .anchor = position {
            return "is the scale in metres to a pixel, or 1:N with the image's --dpi?"
        }
        return "is a decimal point in the wrong place?"
    }

    /// Two lengths of two digits or more, in a unit that suits the longer one: `72 x 38 cm`.
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

extension Position {
    /// Whether people gave the numbers that place the image.
    fileprivate var isGivenByHand: Bool {
        switch self {
        case .bounds, .corners, .controlPoints, .pointsFile, .anchor, .kml: true
        case .worldFile, .stored, .document: false
        }
    }
}
