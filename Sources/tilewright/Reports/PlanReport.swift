import TilewrightKit
import Georeferencing
import Raster
import Resampling
import Tiling

/// What an image is, where it lies, and what would be built of it.
struct PlanReport: Encodable {
    /// The image as the file holds it.
    struct Image: Encodable {
        /// The file.
        var path: String
        /// The page of the file, counted from 1, and the number of its pages; nil if it has one.
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
        /// Samples per pixel: of a TIFF those in the file, of others those that are read.
        var bands: Int
        /// Its colours, if it says what they are.
        var colors: Colors?
        /// How many pixels, along an edge, are read as one, a power of 2.
        var reduction = 1
        /// The sample values that become 0 and 255, if those are not the type's.
        var sampleRange: [Double]?
        /// The page, if it is one that is drawn.
        var drawing: Drawing?
    }

    /// What a page is that has no pixels of its own.
    struct Drawing: Encodable {
        /// Width and height in millimetres.
        var millimetres: [Double]
        /// Pixels to the inch in which places are counted.
        var resolution: Double
        /// Columns and rows of the picture, if the page is nothing but one.
        var picture: [Int]?
        /// The layers of the document.
        var layers: [Layer]
        /// `#rrggbb` if the page paints all of itself in one colour first.
        var sheetColor: String?
    }

    /// A layer of a document.
    struct Layer: Encodable {
        /// Its name.
        var name: String
        /// Whether it is shown.
        var isShown: Bool
    }

    /// What the file says that its colours are.
    struct Colors: Encodable {
        /// The profile's own name, or words for the numbers that stand in its place.
        var profile: String
        /// `sRGB` if nothing is to be done, `converted` or `kept`.
        var treatment: String
    }

    /// Where the image lies.
    struct Position: Encodable {
        /// What said so.
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
        /// The zoom whose pixels are as large.
        var nativeZoom: Double
        /// How well its control points agree, if it was fitted to such.
        var fit: Fit?
    }

    /// How well control points agree.
    struct Fit: Encodable {
        /// The family of transforms.
        var transform: String
        /// How many points there are.
        var points: Int
        /// The means over the points.
        var rms: FitReport.Means
        /// The same for people.
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
        /// Tiles that the footprint touches.
        var tiles: Int
        /// Bytes that they will likely take.
        var bytes: Int?
    }

    /// A rectangle of tiles, both ends inclusive, rows counted from the north.
    struct Limits: Encodable {
        /// First and last column.
        var columns: [Int]
        /// First and last row.
        var rows: [Int]
    }

    /// An image, and where it lies.
    struct Source: Encodable {
        /// The image.
        var image: Image
        /// Where it lies.
        var position: Position
    }

    /// Polygons outside of which nothing is seen.
    struct Cutline: Encodable {
        var path: String
        /// How many there are.
        var polygons: Int
        /// The box around what is seen: west, south, east, north in degrees.
        var bounds: [Double]
    }

    /// The image, if there is only one.
    var image: Image?
    /// Where it lies.
    var position: Position?
    /// The images, if there are several, each over the ones before it.
    var images: [Source]?
    /// The box around several: west, south, east, north in degrees.
    var bounds: [Double]?
    /// What the images are cut to.
    var cutline: Cutline?
    /// Pixels along a tile's edge.
    var tileSize: Int
    /// The kernel at the maximum zoom.
    var resampling: String
    /// The kernel for the zooms below it.
    var overviewResampling: String
    /// `drawn` if each zoom is drawn anew; nil of images of pixels.
    var overviews: String?
    /// The zooms, lowest first.
    var zooms: [Zoom]
    /// What it would take.
    var estimate: BuildEstimate
    /// What is not an error, and what the user should know; each kind has a name.
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
            let box = plan.bounds
            bounds = [box.minX, box.minY, box.maxX, box.maxY]
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
            layers: page.layers.map { PlanReport.Layer(name: $0.name, isShown: $0.isShown) },
            sheetColor: page.sheetColor?.hex)
    }
}

extension PlanReport.Cutline {
    fileprivate init?(_ plan: TilesetPlan) {
        guard let path = plan.request.cutline, let polygons = plan.onDemand.cutlinePolygons else {
            return nil
        }
        let box = plan.bounds
        self.init(path: path, polygons: polygons, bounds: [box.minX, box.minY, box.maxX, box.maxY])
    }
}

extension PlanReport.Colors {
    fileprivate init(_ profile: ColorProfile) {
        self.init(profile: profile.description, treatment: profile.treatment.rawValue)
    }
}

extension PlanReport.Position {
    fileprivate init(_ image: PlacedImage, tileSize: PyramidRequest.TileSize) {
        let box = image.bounds
        self.init(
            source: image.positionSource, crs: image.crsName,
            corners: image.corners.map { $0.x.isFinite ? [$0.x, $0.y] : nil },
            bounds: [box.minX, box.minY, box.maxX, box.maxY],
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

extension PlanReport.Limits {
    init(_ limits: TileRange) {
        self.init(
            columns: [limits.columns.lowerBound, limits.columns.upperBound],
            rows: [limits.rows.lowerBound, limits.rows.upperBound])
    }
}
