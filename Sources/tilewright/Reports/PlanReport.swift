import Rendering
import TilewrightKit
import Georeferencing
import Raster
import Tiling

/// The description of an image, its position, and the tiles that would be built of it.
struct PlanReport: Encodable {
    /// The image as the file holds it.
    struct Image: Encodable {
        /// The file.
        var path: String
        /// The page of the file, counted from 1, and the number of its pages; nil if the file has one page.
        var page: Int?
        var pages: Int?
        /// Its type and pixels in words.
        var summary: String
        /// Columns.
        var width: Int
        /// Rows.
        var height: Int
        /// EXIF orientation, 1 to 8.
        var orientation: Int
        /// Samples per pixel: in the file for TIFF, as read for other types.
        var bands: Int
        /// Its colours, if the file describes them.
        var colors: Colors?
        /// The factor, a power of 2, by which width and height are reduced when the file is read.
        var reduction = 1
        /// The sample values that become 0 and 255, if they are not the type's range.
        var sampleRange: [Double]?
        /// The page, if the image is drawn from a document.
        var drawing: Drawing?
    }

    /// A page that is drawn, without its own pixels.
    struct Drawing: Encodable {
        /// Width and height in millimetres.
        var millimetres: [Double]
        /// Pixels per inch, the unit of positions on the page.
        var resolution: Double
        /// Columns and rows of the picture, if the page is only a picture.
        var picture: [Int]?
        /// The layers of the document.
        var layers: [Layer]
        /// The layout that is shown, and all layouts of a CAD drawing.
        var layout: String?
        var layouts: [String]?
        /// The page's background as `#rrggbb`, if it first fills itself with one colour.
        var sheetColor: String?
    }

    /// A layer of a document.
    struct Layer: Encodable {
        /// Its name.
        var name: String
        /// Whether it is shown.
        var isShown: Bool
        /// Its state in a CAD drawing: `shown`, `off`, `frozen` or `not plotted`.
        var state: String?
    }

    /// The colours of the file, as it describes them.
    struct Colors: Encodable {
        /// The profile's name, or a description if the file gives numbers instead of a profile.
        var profile: String
        /// `sRGB` if no conversion is needed, otherwise `converted` or `kept`.
        var treatment: String
    }

    /// The position of the image.
    struct Position: Encodable {
        /// The source of the position.
        var source: String
        /// The reference system of the position.
        var crs: String
        /// Top left, top right, bottom right, bottom left: longitude and latitude in degrees; null if a
        /// corner is not on the Earth.
        var corners: [[Double]?]
        /// West, south, east, north in degrees.
        var bounds: [Double]
        /// The edge of a pixel on the ground, in metres.
        var cellSize: Double
        /// The zoom whose pixels are as large as the image's.
        var nativeZoom: Double
        /// The errors of its control points, if it was fitted to control points.
        var fit: Fit?
    }

    /// The errors of control points.
    struct Fit: Encodable {
        /// The family of transforms.
        var transform: String
        /// The number of points.
        var points: Int
        /// The means over the points.
        var rms: FitReport.Means
        /// The line for people.
        let line: String

        private enum CodingKeys: CodingKey { case transform, points, rms }

        init(_ fit: ControlPointFit) {
            let report = FitReport(fit)
            (transform, points, rms) = (report.transform, report.points.count, report.rms)
            line = fit.line
        }
    }

    /// The tiles of a zoom.
    struct Zoom: Encodable {
        /// The zoom.
        var zoom: Int
        /// Rectangles of tiles; two across the antimeridian.
        var limits: [Limits]
        /// In a plan, tiles that the footprint touches.
        var tiles: Int
        /// The bytes of the tiles; in a plan, an estimate.
        var bytes: Int?
    }

    /// A rectangle of tiles, both ends inclusive, rows counted from the north.
    struct Limits: Encodable {
        /// First and last column.
        var columns: [Int]
        /// First and last row.
        var rows: [Int]
    }

    /// An image and its position.
    struct Source: Encodable {
        /// The image.
        var image: Image
        /// The position of the image.
        var position: Position
    }

    /// Polygons outside of which tiles are transparent.
    struct Cutline: Encodable {
        var path: String
        /// The number of polygons.
        var polygons: Int
        /// The box around the visible area: west, south, east, north in degrees.
        var bounds: [Double]
    }

    /// The image, if there is only one.
    var image: Image?
    /// The position of a single image.
    var position: Position?
    /// The images, if there are several, each over the ones before it.
    var images: [Source]?
    /// The box around several images: west, south, east, north in degrees.
    var bounds: [Double]?
    /// The polygons to which the images are cut.
    var cutline: Cutline?
    /// Pixels along a tile's edge.
    var tileSize: Int
    /// The kernel at the maximum zoom.
    var resampling: String
    /// The kernel for the zooms below the maximum.
    var overviewResampling: String
    /// `drawn` if each zoom is drawn from the page, otherwise `halved`; nil for images of pixels.
    var overviews: String?
    /// The zooms, lowest first.
    var zooms: [Zoom]
    /// The estimated cost of the build.
    var estimate: BuildEstimate
    /// Warnings; each kind has a name.
    var warnings: [Warning]?

    init(_ plan: TilesetPlan, _ estimate: BuildEstimate) {
        let sources = zip(plan.images, plan.reductionFactors).map { image, factor in
            var file = Image(image.fileInfo, of: image.request)
            file.reduction = factor
            return Source(
                image: file, position: Position(image, tileSize: plan.request.tileSize))
        }
        if sources.count == 1 {
            (image, position) = (sources[0].image, sources[0].position)
        } else {
            images = sources
            bounds = plan.bounds.edges
        }
        cutline = Cutline(plan)
        tileSize = plan.request.tileSize.rawValue
        resampling = plan.resampling.rawValue
        overviewResampling = plan.overviewResampling.rawValue
        let isDrawn = plan.images.contains { $0.fileInfo.pageInfo != nil }
        overviews = isDrawn ? (plan.onDemand.isRedrawn ? "drawn" : "halved") : nil
        zooms = plan.levels.map(Zoom.init)
        for (index, bytes) in estimate.zoomBytes.enumerated() { zooms[index].bytes = bytes }
        self.estimate = estimate
        let warnings = plan.images.flatMap(\.warnings) + plan.warnings
        self.warnings = warnings.isEmpty ? nil : warnings
    }
}

extension PlanReport.Image {
    init(_ info: RasterInfo, of request: ImageRequest) {
        let hasPages = info.pageCount > 1
        self.init(
            path: request.path, page: hasPages ? request.pageNumber : nil,
            pages: hasPages ? info.pageCount : nil, summary: info.summary, width: info.width,
            height: info.height,
            orientation: info.orientation.rawValue,
            bands: info.fileBands ?? info.pixelFormat.bytesPerPixel,
            colors: info.colorProfile.map(PlanReport.Colors.init),
            sampleRange: info.sampleRange.map { [$0.lowerBound, $0.upperBound] },
            drawing: info.pageInfo.map(PlanReport.Drawing.init))
    }
}

extension PlanReport.Drawing {
    fileprivate init(_ page: PageInfo) {
        self.init(
            millimetres: [page.millimetres.x, page.millimetres.y], resolution: page.resolution,
            picture: page.picture.map { [Int($0.x), Int($0.y)] },
            layers: page.layers.map {
                PlanReport.Layer(name: $0.name, isShown: $0.isShown, state: $0.state)
            },
            layout: page.layout, layouts: page.layout == nil ? nil : page.layouts,
            sheetColor: page.sheetColor?.hex)
    }
}

extension PlanReport.Cutline {
    fileprivate init?(_ plan: TilesetPlan) {
        guard let path = plan.request.cutline, let polygons = plan.onDemand.cutlinePolygons else {
            return nil
        }
        self.init(path: path, polygons: polygons, bounds: plan.bounds.edges)
    }
}

extension PlanReport.Colors {
    fileprivate init(_ profile: ColorProfile) {
        self.init(profile: profile.description, treatment: profile.treatment.rawValue)
    }
}

extension PlanReport.Position {
    fileprivate init(_ image: PlacedImage, tileSize: PyramidRequest.TileSize) {
        self.init(
            source: image.positionSource, crs: image.crsName,
            corners: image.corners.map { $0.x.isFinite ? [$0.x, $0.y] : nil },
            bounds: image.bounds.edges,
            cellSize: image.groundCellSize, nativeZoom: image.nativeZoom(tileSize: tileSize),
            fit: image.fit.map(PlanReport.Fit.init))
    }
}

extension PlanReport.Zoom {
    fileprivate init(_ level: PlannedLevel) {
        self.init(
            zoom: level.zoom, limits: level.limits.map(PlanReport.Limits.init), tiles: level.tileCount)
    }
}

extension BoundingBox {
    /// West, south, east, north.
    var edges: [Double] { [minX, minY, maxX, maxY] }
}

extension PlanReport.Limits {
    init(_ limits: TileRange) {
        self.init(
            columns: [limits.columns.lowerBound, limits.columns.upperBound],
            rows: [limits.rows.lowerBound, limits.rows.upperBound])
    }
}
