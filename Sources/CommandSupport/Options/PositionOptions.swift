public import ArgumentParser
package import Georeferencing
package import TilewrightKit
package import Tiling

/// The position of the image.
package struct PositionOptions: ParsableArguments {
    @OptionGroup package var place: PlaceOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The compass bearing of the image's up direction, clockwise from north; with --anchor. "
                + "--transform rigid needs it if there is only one control point. (default: 0)",
            valueName: "DEGREES"))
    package var bearing: Double?

    package init() {}

    /// The options as a request; see `PlaceOptions.request`.
    package func request() throws -> PositionRequest {
        try place.request(bearing: bearing)
    }

    /// The names of the options that were given.
    package var given: [String] { place.given + (bearing == nil ? [] : ["--bearing"]) }
}

/// The position of an image, without an anchor's bearing.
package struct PlaceOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The image's outer edges, in degrees or in the units of --crs. "
                + "If W > E, the image crosses the antimeridian.",
            valueName: "W,S,E,N"),
        transform: { try BoundingBox(parsing: $0) })
    package var bounds: BoundingBox?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The image's corners in this order: top left, top right, bottom right, bottom left. "
                + "The last may be left out.",
            valueName: "LON,LAT ..."),
        transform: { try PositionRequest.Source(parsingCorners: $0) })
    package var corners: PositionRequest.Source?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A control point; repeat the option. Pixels count from the top-left corner: "
                + "0.5,0.5 is the first pixel's centre.",
            valueName: "COL,ROW,LON,LAT"),
        transform: { try ControlPoint(parsing: $0) })
    package var gcp: [ControlPoint] = []

    @Option(
        help: ArgumentHelp(
            "Control points: a file saved by QGIS, a Georeference Annotation, or a table of "
                + "COL,ROW,LON,LAT[,NAME].", valueName: "FILE"),
        completion: .file(extensions: ["points", "csv", "txt", "tsv"]))
    package var gcps: String?

    @Option(
        help: ArgumentHelp(
            "The transform that is fitted to control points: rigid (2, or 1 with --bearing; keeps --scale), "
                + "similarity (2), affine (3), projective (4); or one that bends lines: polynomial2 (6) or tps, a "
                + "thin plate spline (3). "
                + "'fit' also accepts 'all', which compares the models. (default: similarity for two points, "
                + "affine for more)",
            valueName: "MODEL"),
        completion: .list(TransformChoice.allValueStrings))
    package var transform: TransformChoice?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "One known point; needs --scale, except with a CAD drawing.", valueName: "COL,ROW,LON,LAT"),
        transform: { try ControlPoint(parsing: $0) })
    package var anchor: ControlPoint?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The plan's scale, with --anchor or --transform rigid: metres per pixel, or the scale of the "
                + "drawing, such as 1:100. A drawing scale needs the resolution in the file, or --dpi. Also the "
                + "scale of the page of a CAD drawing. (default: 1:100 for a CAD drawing)",
            valueName: "METRES_PER_PIXEL|1:N"),
        transform: { try PlanScale(parsing: $0) })
    package var scale: PlanScale?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Pixels per inch: with --scale 1:N, the image's resolution; for a PDF, SVG or CAD drawing, the "
                + "resolution that pixel coordinates on the page refer to. (default: the file's resolution; for a page "
                + "150, or 96 for an SVG without units)",
            valueName: "N"))
    package var dpi: Double?

    @Option(
        help: ArgumentHelp(
            "A world file. Its CRS is --crs, otherwise that of its .prj file, otherwise the image's own.",
            valueName: "FILE"),
        completion: .file())
    package var worldFile: String?

    @Option(
        help: ArgumentHelp(
            "A KML or KMZ file whose ground overlay shows the image.", valueName: "FILE"),
        completion: .file(extensions: ["kml", "kmz"]))
    package var kml: String?

    @Option(
        help: ArgumentHelp(
            "The CRS of --bounds, or of the coordinates in a file or CAD drawing, overriding its own CRS: EPSG:n, "
                + "WKT or a PROJ string.",
            valueName: "CRS"))
    package var crs: String?

    @Option(
        help: ArgumentHelp(
            "Turn the image upright by its orientation tag: yes, no, or auto, which turns it if --bounds, "
                + "--corners, --gcp, --anchor or KML gives the position. (default: auto)",
            valueName: "auto|yes|no"))
    package var orient: PositionRequest.Orientation?

    package init() {}
}

extension PlaceOptions {
    /// The options, with an anchor's bearing, as a request.
    ///
    /// - Parameter option: the option that gives the bearing.
    /// - Throws: `.usage` if more than one option gives the image's position.
    package func request(bearing: Double?, option: String = "--bearing") throws -> PositionRequest {
        var values = PositionValues()
        values.bearing = bearing
        values.bounds = bounds
        values.corners = corners
        values.controlPoints = gcp
        values.pointsFile = gcps
        values.transform = transform
        values.anchor = anchor
        values.scale = scale
        values.dpi = dpi
        values.worldFile = worldFile
        values.kml = kml
        values.crs = crs
        values.orient = orient
        return try values.request(bearingOption: option)
    }

    /// The names of the options that were given.
    package var given: [String] {
        [
            bounds.map { _ in "--bounds" }, corners.map { _ in "--corners" },
            gcp.isEmpty ? nil : "--gcp", gcps.map { _ in "--gcps" },
            transform.map { _ in "--transform" }, anchor.map { _ in "--anchor" },
            scale.map { _ in "--scale" }, dpi.map { _ in "--dpi" }, worldFile.map { _ in "--world-file" },
            kml.map { _ in "--kml" }, crs.map { _ in "--crs" }, orient.map { _ in "--orient" },
        ].compactMap(\.self)
    }
}

extension PositionRequest.Orientation: ExpressibleByArgument {}

extension TransformChoice: ExpressibleByArgument {}
