import Platform
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The page that `tilewright-cad` has drawn of a CAD drawing, as it describes it.
struct CADPage: Decodable, Hashable, Sendable {
    /// A layer of the drawing.
    struct Layer: Decodable, Hashable, Sendable {
        /// Its name.
        var name: String
        /// Its state in the drawing: `shown`, `off`, `frozen` or `not plotted`.
        var state: String
        /// Whether the page shows it.
        var isShown: Bool
    }

    /// The drawing's own position, its GEODATA object: a point of the model space with coordinates, and the
    /// directions around it.
    struct Geodata: Decodable, Hashable, Sendable {
        /// The system of its coordinates, such as `EPSG:25832`; nil if it is not understood.
        var crs: String?
        /// The point in units of the model space.
        var designPoint: [Double]
        /// Its coordinates in the system, x first.
        var referencePoint: [Double]
        /// From units away from the point to metres east and north of it: a matrix, row by row.
        var metresFromUnits: [Double]
    }

    /// Its size in points, 72 to the inch.
    var width, height: Double
    /// The denominator of the scale that it is drawn at.
    var scale: Double
    /// The layout that it shows; `Model` for the model space.
    var layout: String
    /// All layouts of the drawing.
    var layouts: [String]
    /// The unit of the drawing, in the plural.
    var unit: String
    /// Metres per unit.
    var metresPerUnit: Double
    /// Whether the drawing does not name its unit.
    var isUnitAssumed: Bool
    /// From points of the page, from its top left corner, to units of the model space: the two rows of an affine
    /// transform; nil if it does not show the model space from above.
    var unitsFromPoints: [Double]?
    /// The drawing's own position; nil if it has none.
    var geodata: Geodata?
    /// The layers, in the order of the drawing.
    var layers: [Layer]
    /// The fonts of its texts that are not installed.
    var missingFonts: [String]
    /// What is missing on the page, a clause each.
    var warnings: [String]
    /// Nearly all of its content, in points of the page: left, top, right and bottom; nil for the whole page.
    var bulk: [Double]?
    /// What makes the page much larger than nearly all of its content, and the way out; nil if nothing does.
    var farContent: String?
    /// The absolute paths of other files that were read.
    var files: [String]
    /// The number of entities that were drawn.
    var entities: Int
}

extension CADPage {
    /// The largest page, in points: a kilometre of paper.
    private static let largest = 3e6
    /// The largest number of layers, layouts, fonts, warnings or files.
    private static let most = 100_000

    /// Whether the description can be true: what comes from a drawing is not trusted.
    var isPlausible: Bool {
        let sizes = [width, height].allSatisfy { $0 > 0 && $0 <= Self.largest }
        let scales = [scale, metresPerUnit].allSatisfy { $0 > 0 && $0.isFinite }
        let counts = [layouts.count, layers.count, missingFonts.count, warnings.count, files.count]
        return sizes && scales && !layout.isEmpty && entities >= 0
            && counts.allSatisfy { $0 <= Self.most }
            && (unitsFromPoints == nil || modelFromPoints?.inverse != nil)
            && (bulk.map { $0.count == 4 && $0.allSatisfy(\.isFinite) } ?? true)
            && (geodata?.isPlausible ?? true)
            && files.allSatisfy { $0.hasPrefix("/") && !$0.contains("\0") }
    }

    /// From points of the page to units of the model space.
    var modelFromPoints: AffineTransform? {
        guard let m = unitsFromPoints, m.count == 6, m.allSatisfy(\.isFinite) else { return nil }
        return AffineTransform(a: m[0], b: m[1], c: m[2], d: m[3], e: m[4], f: m[5])
    }

    /// The box of nearly all content, in units of the model space; nil if it does not show that from above.
    var bulkInModel: BoundingBox? {
        let box = bulk ?? [0, 0, width, height]
        let corners = [Point(x: box[0], y: box[1]), Point(x: box[2], y: box[1]), Point(x: box[2], y: box[3])]
        return modelFromPoints.flatMap { place in BoundingBox(around: corners.map { place($0) }) }
    }

    /// Metres on the ground per point of the page; nil if it does not show the model space from above.
    var metresPerPoint: Double? {
        modelFromPoints.map { abs($0.determinant).squareRoot() * metresPerUnit }
    }
}

extension CADPage.Geodata {
    fileprivate var isPlausible: Bool {
        designPoint.count == 2 && referencePoint.count == 2 && metresFromUnits.count == 4
            && (designPoint + referencePoint + metresFromUnits).allSatisfy(\.isFinite)
            && metresFromModel.inverse != nil
    }

    /// From units of the model space to metres east and north of the reference point.
    var metresFromModel: AffineTransform {
        let m = metresFromUnits
        return AffineTransform.translation(x: -designPoint[0], y: -designPoint[1])
            .followed(by: AffineTransform(a: m[0], b: m[1], c: 0, d: m[2], e: m[3], f: 0))
    }

    /// The coordinates of the reference point.
    var place: Point { Point(x: referencePoint[0], y: referencePoint[1]) }
}

/// A line of `tilewright-cad`.
enum CADAnswer: Sendable {
    /// The share of a stage of the work that is done, from 0 to 1.
    case progress(CADStage, Double)
    /// The page is drawn.
    case page(CADPage)
    /// It could not be drawn.
    case failure(CADFailure)

    /// Reads a line; nil if it violates the protocol.
    init?(_ line: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let words = try? decoder.decode(Words.self, from: Data(line)) else { return nil }
        if let page = words.page, page.isPlausible {
            self = .page(page)
        } else if let failure = words.failure {
            self = .failure(failure)
        } else if let progress = words.progress, (0...1).contains(progress.share) {
            self = .progress(progress.stage, progress.share)
        } else {
            return nil
        }
    }

    private struct Words: Decodable {
        struct Progress: Decodable {
            var stage: CADStage
            var share: Double
        }

        var progress: Progress?
        var failure: CADFailure?
        var page: CADPage?
    }
}

/// The stages of the work on a CAD drawing.
public enum CADStage: String, Decodable, Sendable {
    case reading, drawing
}

/// The reason why `tilewright-cad` could not draw a page.
struct CADFailure: Decodable, Hashable, Error {
    /// The kind of reason.
    enum Cause: String, Decodable {
        /// The drawing is damaged.
        case damaged
        /// There is no such layout.
        case noLayout = "no_layout"
        /// There is no such layer.
        case noLayer = "no_layer"
        /// It needs more memory than allowed.
        case memory
        /// It takes more time than allowed.
        case time
        /// The request violates the protocol.
        case request
        /// The system refused something.
        case system
    }

    /// The kind of reason.
    var cause: Cause
    /// A clause for people, in lower case, without a full stop.
    var reason: String
}
