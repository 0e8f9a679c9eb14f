import Diagnostics
import Tiling

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

extension CameraView {
    /// Takes the largest zoom that shows bounds within a padding. Bearing and tilt become 0. Insets that
    /// differ move the target, so that the middle of the bounds is in the middle of what they leave.
    ///
    /// - Parameters:
    ///   - bounds: degrees; across the antimeridian, the west is greater than the east. Latitudes beyond the
    ///     world's edges count as the edges.
    ///   - padding: points.
    /// - Throws: `.usage` if there is no such zoom.
    mutating func fit(_ bounds: BoundingBox, padding: ViewInsets) throws(Failure) {
        let box = try Self.mercator(bounds)
        let frame = try frame(padding)
        let zoom = min(
            Self.zoom(of: box.width, in: frame.width), Self.zoom(of: box.height, in: frame.height))
        // The whole world in 256 points is zoom 0, but for the last bit.
        guard zoom > -1e-9 else { throw tooWide(bounds, padding) }
        let fitted = CameraPosition(target: WebMercator.lonLat(box.center), zoom: zoom)
        // The limits may hold back the zoom, and so change the length of a point.
        move(to: fitted)
        let middle = frame.center
        let target = Point(
            x: box.center.x - middle.x * metresPerPoint, y: box.center.y + middle.y * metresPerPoint)
        move(to: fitted.with(target: WebMercator.lonLat(target)))
    }

    /// The zoom at which a length in Mercator metres is as long as a length in points; the highest if the
    /// former is nothing.
    private static func zoom(of metres: Double, in points: Double) -> Double {
        metres > 0
            ? log2(points / 256) - log2(metres / WebMercator.world) : CameraPosition.zooms.upperBound
    }

    /// What the padding leaves of the view: points from its middle, y down.
    private func frame(_ padding: ViewInsets) throws(Failure) -> BoundingBox {
        guard padding.isValid else {
            throw Failure(.usage, "a padding is 0 points or more along each edge")
        }
        let frame = BoundingBox(
            minX: padding.left - middle.x, minY: padding.top - middle.y,
            maxX: middle.x - padding.right, maxY: middle.y - padding.bottom)
        guard frame.width > 0, frame.height > 0 else {
            throw Failure(
                .usage,
                "the padding leaves nothing of a view of \(size.width)x\(size.height) points",
                remedy: "give a smaller --padding, 64 by default, or a larger --size")
        }
        return frame
    }

    /// Bounds in degrees in Mercator metres, in one piece: the east is greater than the west.
    private static func mercator(_ bounds: BoundingBox) throws(Failure) -> BoundingBox {
        let edges = [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY]
        guard edges.allSatisfy(\.isFinite), bounds.minY <= bounds.maxY else {
            throw Failure(
                .usage, "bounds to show have their south below their north",
                remedy: "give W,S,E,N in degrees")
        }
        let world = -WebMercator.maximumLatitude...WebMercator.maximumLatitude
        let west = bounds.minX.wrapped(from: -180)
        return BoundingBox(
            minX: WebMercator.metres(longitude: west),
            minY: WebMercator.metres(latitude: bounds.minY.clamped(to: world)),
            maxX: WebMercator.metres(longitude: west + bounds.longitudeSpan),
            maxY: WebMercator.metres(latitude: bounds.maxY.clamped(to: world)))
    }

    private func tooWide(_ bounds: BoundingBox, _ padding: ViewInsets) -> Failure {
        Failure(
            .usage,
            "no zoom shows these bounds within the padding in a view of \(size.width)x\(size.height) "
                + "points: at zoom 0 the world is 256 points wide",
            remedy: "give a smaller --padding, a larger --size, or --target and --zoom")
    }
}
