package import Georeferencing
import Platform
package import Tiling

/// What options say of where an image lies, before it is known whether it makes sense together.
package struct PositionValues: Hashable, Sendable {
    /// The image's outer edges.
    package var bounds: BoundingBox?
    /// The image's corners.
    package var corners: PositionRequest.Source?
    /// Points of the image whose places are known.
    package var controlPoints: [ControlPoint] = []
    /// A file of such points.
    package var pointsFile: String?
    /// What is fitted to points.
    package var transform: TransformChoice?
    /// One known point.
    package var anchor: ControlPoint?
    /// The plan's scale, with an anchor.
    package var scale: PlanScale?
    /// The bearing of the image's up direction in degrees, with an anchor.
    package var bearing: Double?
    /// The image's resolution in pixels per inch.
    package var dpi: Double?
    /// A world file.
    package var worldFile: String?
    /// A KML or KMZ file.
    package var kml: String?
    /// The reference system of bounds, or of a file.
    package var crs: String?
    /// Whether the image is turned upright.
    package var orient: PositionRequest.Orientation?

    /// Says nothing.
    package init() {}

    /// The request that the values make.
    ///
    /// - Parameter bearingOption: what the option of the bearing is called.
    /// - Throws: `.usage` if more than one value says where the image lies, or one needs another.
    package func request(bearingOption: String = "--bearing") throws(Failure) -> PositionRequest {
        let sources = try sources()
        guard sources.count <= 1 else {
            let names = sources.compactMap(\.optionName).joined(separator: " and ")
            throw Failure(
                .usage, "\(names) both say where the image lies", remedy: "leave one of them out")
        }
        try checkAnchor(bearingOption: bearing == nil ? nil : bearingOption)
        var request = PositionRequest(
            sources.first ?? .files, crs: crs, transform: try model(), orient: orient ?? .auto)
        try checkDPI()
        request.dpi = dpi
        return request
    }

    private func model() throws(Failure) -> TransformModel? {
        guard let transform else { return nil }
        return try transform.model()
    }

    private func sources() throws(Failure) -> [PositionRequest.Source] {
        let said: [PositionRequest.Source?] = [
            bounds.map { .bounds($0) }, corners,
            controlPoints.isEmpty ? nil : .controlPoints(controlPoints),
            pointsFile.map { .pointsFile($0) }, try anchorSource(),
            worldFile.map { .worldFile($0) }, kml.map { .kml($0) },
        ]
        return said.compactMap(\.self)
    }

    private func anchorSource() throws(Failure) -> PositionRequest.Source? {
        guard let anchor else { return nil }
        guard let scale else {
            throw Failure(
                .usage, "--anchor needs the plan's scale",
                remedy:
                    "add --scale METRES_PER_PIXEL: 0.02 if a pixel is 2 cm on the ground; or --scale 1:N, "
                    + "as the drawing says it")
        }
        return .anchor(
            pixel: anchor.pixel, lonLat: anchor.lonLat, scale: scale, bearing: bearing ?? 0)
    }

    private func checkDPI() throws(Failure) {
        guard let dpi, !(dpi > 0 && dpi.isFinite) else { return }
        throw Failure(.usage, "--dpi \(dpi.shortText) is not a resolution", remedy: "write 300, for one")
    }

    /// Checks that scale and bearing come with an anchor.
    ///
    /// - Parameter bearingOption: nil if no bearing was given.
    private func checkAnchor(bearingOption: String?) throws(Failure) {
        if anchor != nil { return }
        guard let stray = scale != nil ? "--scale" : bearingOption else { return }
        throw Failure(
            .usage, "\(stray) has no meaning without --anchor",
            remedy: "add --anchor COL,ROW,LON,LAT, a point of the image and its place, or leave "
                + "\(stray) out")
    }
}
