import Platform
import Tiling

/// What is probably wrong with control points that do not agree.
public struct PointError: Hashable, Sendable {
    /// How points come to be wrong.
    public enum Kind: Hashable, Sendable {
        /// Clicked or typed wrongly, in a way that is not known.
        case elsewhere
        /// Longitude and latitude stand in each other's place.
        case swappedPlace
        /// Rows are counted from the bottom.
        case rowFromBottom
        /// Rows have the wrong sign: they lie above the image.
        case negativeRow
        /// A number with two digits in each other's place: what it is called, as written and as meant.
        case digits(of: String, written: String, meant: String)
        /// Two points have each other's places.
        case interchanged
        /// The image is mirrored: rows from the bottom, or longitude and latitude in each other's place.
        case mirrored
    }

    /// The points that are wrong, in their order: one or two, or all.
    public let points: [ControlPoint]
    /// How they came to be wrong.
    public let kind: Kind
    /// Whether all points are wrong alike.
    public let concernsAll: Bool

    /// What is wrong, as a clause.
    public var message: String { concernsAll ? messageOfAll : messageOfSome }

    /// The way out.
    public var remedy: String {
        switch kind {
        case .elsewhere:
            "correct or remove \(points.count == 1 ? "it" : "them"), and look at the residuals again"
        case .swappedPlace: "write the longitude first, then the latitude"
        case .rowFromBottom: "count rows from the image's top edge: its height less what is written"
        case .negativeRow:
            "count rows down from the image's top edge: in .points files of QGIS with a minus sign, elsewhere "
                + "without one"
        case .digits(let name, _, let meant): "write the \(name) as \(meant), or remove the point"
        case .interchanged: "give each the other's longitude and latitude"
        case .mirrored:
            "count rows from the image's top edge, and write the longitude first, then the latitude"
        }
    }

    private var messageOfAll: String {
        switch kind {
        case .swappedPlace:
            "longitude and latitude are probably interchanged in all control points, which mirrors the image"
        case .rowFromBottom:
            "the rows of all control points are probably counted from the bottom, which mirrors the image"
        case .negativeRow: "the rows of all control points have the wrong sign: they lie above the image"
        default:
            "the control points mirror the image: their rows are counted from the bottom, or longitude and "
                + "latitude are interchanged, or two points are"
        }
    }

    private var messageOfSome: String {
        let names = points.map { "'\($0.name)'" }.joined(separator: " and ")
        let isOne = points.count == 1
        let subject =
            "the control point\(isOne ? "" : "s") \(names) \(isOne ? "is" : "are") probably "
        switch kind {
        case .interchanged: return subject + "interchanged: with each other's places all points agree"
        case .swappedPlace:
            return subject
                + "wrong: longitude and latitude are interchanged, and the other way around it agrees with "
                + "the others"
        case .rowFromBottom:
            return subject
                + "wrong: the row is counted from the bottom, and from the top it agrees with the others"
        case .negativeRow:
            return subject
                + "wrong: the row has the wrong sign, and with the other one it agrees with the others"
        case .digits(let name, let written, let meant):
            return subject + "wrong: with \(meant) as \(name), not \(written), it agrees with the others"
        case .elsewhere, .mirrored:
            return subject + "wrong: without \(isOne ? "it" : "them") the others agree"
        }
    }
}
