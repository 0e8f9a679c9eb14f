import Georeferencing
import Platform
import Raster
import Tiling

/// A position, applied to an image.
///
/// A class, since the compiler would write out each copy of so large a structure.
final class Placement: Sendable {
    /// The image in the orientation in which the position counts its pixels.
    let view: ImageView
    /// The pixels that count, in the whole image as stored.
    let window: PixelWindow
    /// The fit, if the position is control points.
    let fit: ControlPointFit?
    /// The position of the image in the orientation of `view`.
    let viewGeoreference: Georeference
    /// The position of the whole image as stored.
    let fileGeoreference: Georeference
    /// The position of the pixels that count.
    let georeference: Georeference
    /// The mapping of the pixels that count.
    let mapping: ImageMapping
    /// The edge of the visible part, in Mercator metres, if it differs from the image's edge.
    let neatline: [Point]?

    /// Places an image.
    ///
    /// - Parameters:
    ///   - info: the whole image, as stored.
    ///   - crop: the part of the image that counts.
    ///   - request: the orientation, and the model to fit.
    ///   - fits: the fits of other images, which may have the same points.
    /// - Throws: `Failure` if the position puts the image off the map.
    init(
        _ position: Position, of info: RasterInfo, crop: PixelWindow?, request: PositionRequest,
        fits: SharedFits = SharedFits()
    ) throws {
        view = ImageView(info, position: position, orient: request.orient)
        window = try view.storedWindow(crop: crop)
        fit = try position.fit(request, info: info, of: view, crop: crop, fits: fits)
        let exact = ExactEdges(info, window: window)
        guard
            let placed = try fit?.georeference
                ?? position.georeference(width: view.width, height: view.height).map({
                    position.isOfEdges ? exact.between($0) : $0
                })
        else { preconditionFailure("a position is a fit or a georeference") }
        viewGeoreference = placed
        fileGeoreference = placed.applying(first: view.viewFromStored)
        let corner = AffineTransform.translation(
            x: Double(window.columns.lowerBound), y: Double(window.rows.lowerBound))
        georeference = fileGeoreference.applying(first: corner)
        let all = try exact.mapping(georeference)
        neatline = position.document?.outline(by: all, of: window)
        mapping = neatline.map(all.withOutline) ?? all
    }

    /// The largest distance, in pixels, between an image's corners in two placements, or between its centres
    /// if the corners are not on the Earth; infinite if only one placement has them on the Earth.
    func distance(to other: Placement) -> Double {
        let whole = PixelWindow(columns: 0..<window.width, rows: 0..<window.height)
        let corners = mapping.earth == nil ? whole.corners : [mapping.middle]
        var points = corners
        other.mapping.mercatorPoints(ofImage: &points)
        mapping.imagePoints(ofMercator: &points)
        return corners.greatestDistance(to: points)
    }
}

/// The edges of an image whose columns and rows need not be whole numbers, since pages have no pixels.
private struct ExactEdges {
    private let window: PixelWindow
    /// The exact size of the image and of the window as a share of whole columns and rows.
    private let (ofImage, ofWindow): (AffineTransform, AffineTransform)

    init(_ info: RasterInfo, window: PixelWindow) {
        self.window = window
        let whole = Point(x: Double(info.width), y: Double(info.height))
        let exact = info.pageInfo?.size ?? whole
        func share(_ range: Range<Int>, _ end: Double) -> Double {
            (min(Double(range.upperBound), end) - Double(range.lowerBound)) / Double(range.count)
        }
        ofImage = .scale(exact.x / whole.x, exact.y / whole.y)
        ofWindow = .scale(share(window.columns, exact.x), share(window.rows, exact.y))
    }

    /// Moves a georeference from edges at whole pixels to the exact ones.
    func between(_ georeference: Georeference) -> Georeference {
        ofImage == .identity ? georeference : georeference.applying(first: ofImage.inverse ?? .identity)
    }

    /// The mapping of the window, up to the exact edges.
    func mapping(_ georeference: Georeference) throws -> ImageMapping {
        if ofWindow == .identity {
            return try ImageMapping(georeference, width: window.width, height: window.height)
        }
        return try ImageMapping(
            georeference.applying(first: ofWindow), width: window.width, height: window.height
        ).inPixels(ofWindow)
    }
}

/// The image in the orientation of its position: as stored, or turned upright.
struct ImageView {
    /// Columns of the view.
    let width: Int
    /// Rows of the view.
    let height: Int
    /// From points of the view to points of the stored image.
    let storedFromView: AffineTransform
    /// From points of the stored image to points of the view.
    let viewFromStored: AffineTransform
    /// Whether the image has an orientation tag that is ignored.
    let ignoresOrientation: Bool

    private let stored: PixelWindow

    init(_ info: RasterInfo, position: Position, orient: PositionRequest.Orientation) {
        let turns: Bool =
            switch orient {
            case .auto: position.isReadOffViewer
            case .yes: true
            case .no: false
            }
        let orientation = turns ? info.orientation : .upright
        width = orientation.swapsAxes ? info.height : info.width
        height = orientation.swapsAxes ? info.width : info.height
        storedFromView = orientation.storedFromUpright(
            storedWidth: info.width, storedHeight: info.height)
        // An orientation is a permutation of the axes: it always has an inverse.
        viewFromStored = storedFromView.inverse ?? .identity
        ignoresOrientation = orient == .auto && !turns && info.orientation != .upright
        stored = PixelWindow(columns: 0..<info.width, rows: 0..<info.height)
    }

    /// Given the stored image's corners clockwise from its top left, those of the view in the same order.
    func corners(_ stored: [Point]) -> [Point] {
        PixelWindow(columns: 0..<width, rows: 0..<height).corners.map { corner in
            let seen = storedFromView(corner)
            let isRight = seen.x > Double(self.stored.width) / 2
            let isBottom = seen.y > Double(self.stored.height) / 2
            return stored[isBottom ? (isRight ? 2 : 3) : (isRight ? 1 : 0)]
        }
    }

    /// The stored pixels that a crop of the view leaves; all of them without a crop.
    func storedWindow(crop: PixelWindow?) throws -> PixelWindow {
        guard let crop else { return stored }
        guard crop.columns.lowerBound >= 0, crop.columns.upperBound <= width,
            crop.rows.lowerBound >= 0, crop.rows.upperBound <= height
        else {
            throw Failure(
                .usage, "the crop extends beyond the image, which is \(width) x \(height) pixels")
        }
        if crop.isEmpty {
            throw Failure(.usage, "the crop leaves nothing of the image")
        }
        let corners = crop.corners.map { storedFromView($0) }
        let columns = corners.map { Int($0.x.rounded()) }.sorted()
        let rows = corners.map { Int($0.y.rounded()) }.sorted()
        return PixelWindow(columns: columns[0]..<columns[3], rows: rows[0]..<rows[3])
    }
}
