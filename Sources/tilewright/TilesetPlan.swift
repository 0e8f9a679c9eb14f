import Diagnostics
import Georeferencing
import Pyramid
import Raster
import Tiling

/// What a build would do: the pyramid's plan, and the image's own zooms.
struct TilesetPlan {
    /// The image and where it lies.
    let image: PlacedImage
    /// The pixels to build of: the image's own, or larger ones where they are as good.
    let source: any RasterSource
    /// How many of the image's pixels, along an edge, become one of the source's.
    let reductionFactor: Int
    /// The zooms and tiles.
    let pyramid: PyramidPlan
    /// Rows, stages and memory.
    let builder: PyramidBuilder
    /// The zoom, with a fraction, at which a tile's pixels are as large as the image's.
    let nativeZoom: Double

    /// Plans a build.
    ///
    /// - Throws: `Failure` where it would make more tiles or pixels than allowed.
    init(image: PlacedImage, tiles: TileOptions, run: RunOptions, scratchDirectory: String) throws {
        self.image = image
        nativeZoom = image.mapping.nativeZoom(tileSize: tiles.tileSize.rawValue)
        let zooms = Self.zooms(tiles, image: image, nativeZoom: nativeZoom)
        try Self.checkPixels(
            image.mapping, info: image.fileInfo, zoom: zooms.upperBound, tiles: tiles, run: run)
        let kernels = KernelChoice(
            tiles, zoomsBeyondNative: Double(zooms.upperBound) - nativeZoom)
        let matrix = TileMatrix(zoom: zooms.upperBound, tileSize: tiles.tileSize.rawValue)
        reductionFactor = image.reductionFactor(for: matrix, resampling: kernels.resampling)
        let mapping: ImageMapping
        (source, mapping) = try image.reduced(by: reductionFactor)
        let info = source.info
        pyramid = try PyramidPlan(
            mapping: mapping, sourceWidth: info.width, sourceHeight: info.height,
            options: PyramidOptions(
                zooms: zooms, tileSize: tiles.tileSize.rawValue, resampling: kernels.resampling,
                overviewResampling: kernels.overviewResampling,
                writesEmptyTiles: tiles.empty == .write, background: tiles.effectiveBackground))
        try Self.checkTiles(pyramid, limit: run.maxTiles)
        try Self.checkFinestPixels(pyramid, limit: run.maxPixels)
        builder = try PyramidBuilder(
            plan: pyramid, info: info,
            resources: PyramidResources(
                jobs: run.effectiveJobs, memory: run.memory.bytes,
                scratchDirectory: scratchDirectory),
            kernels: .wanted())
    }

    /// What the user should know of the zooms.
    var warnings: [String] {
        let highest = pyramid.options.zooms.upperBound
        let native = Int(nativeZoom.rounded())
        guard highest > native + 1 else { return [] }
        return [
            "zoom \(highest) is \(highest - native) beyond the image's own resolution (zoom "
                + "\(nativeZoom.text(decimals: 1))): more tiles, no more detail"
        ]
    }

    private static func zooms(
        _ tiles: TileOptions, image: PlacedImage, nativeZoom: Double
    ) -> ClosedRange<Int> {
        let possible = ZoomRange.possible
        let native = min(max(Int(nativeZoom.rounded()), possible.lowerBound), possible.upperBound)
        let info = image.source.info
        let longer = Double(max(info.width, info.height)) * image.mapping.mercatorCellSize
        var overview = 0
        while overview < native,
            longer <= TileMatrix(zoom: overview + 1, tileSize: 1).cellSize
        {
            overview += 1
        }
        guard let range = tiles.zoom else { return min(overview, native)...native }
        return range.zooms(native: native, overview: overview)
    }

    private static func checkPixels(
        _ mapping: ImageMapping, info: RasterInfo, zoom: Int, tiles: TileOptions, run: RunOptions
    ) throws {
        let limit = Double(run.maxPixels.value)
        let (width, height) = (Double(info.width), Double(info.height))
        if width * height > limit {
            throw Failure(
                .usage,
                "the image has \((width * height).countText) pixels, and --max-pixels "
                    + "allows \(run.maxPixels.defaultValueDescription)",
                remedy: "raise --max-pixels if that is what you want")
        }
        let matrix = TileMatrix(zoom: zoom, tileSize: tiles.tileSize.rawValue)
        guard let box = BoundingBox(around: mapping.outline) else { return }
        let pixels = box.width * box.height / (matrix.cellSize * matrix.cellSize)
        try checkVisible(box, mapping: mapping, matrix: matrix)
        guard pixels > limit else { return }
        throw Failure(
            .usage,
            "zoom \(zoom) would have \(pixels.countText) pixels in about "
                + "\((pixels / Double(matrix.tileSize * matrix.tileSize)).countText) "
                + "tiles, and --max-pixels allows \(run.maxPixels.defaultValueDescription)",
            remedy: "the image's own resolution is that of zoom "
                + mapping.nativeZoom(tileSize: matrix.tileSize).text(decimals: 1)
                + ": ask for a lower --zoom, or raise --max-pixels")
    }

    /// An image that is less than a pixel at its highest zoom is a mistake; its kernels, which grow
    /// as the image shrinks, would have no bounds either.
    private static func checkVisible(
        _ box: BoundingBox, mapping: ImageMapping, matrix: TileMatrix
    ) throws {
        guard max(box.width, box.height) < matrix.cellSize else { return }
        throw Failure(
            .usage, "the image is smaller than a pixel at zoom \(matrix.zoom)",
            remedy: "its own resolution is that of zoom "
                + mapping.nativeZoom(tileSize: matrix.tileSize).text(decimals: 1)
                + ": ask for a higher --zoom, or check its position")
    }

    /// The box around an image that is long, thin and turned is far larger than the image, and all
    /// of it counts at a zoom that is rendered near the image's own scale.
    private static func checkFinestPixels(_ pyramid: PyramidPlan, limit: Count) throws {
        guard let finest = pyramid.levels.first, !finest.isWritten else { return }
        let pixels = Double(finest.window.width) * Double(finest.window.height)
        guard pixels > Double(limit.value) else { return }
        throw Failure(
            .usage,
            "zoom \(pyramid.options.zooms.upperBound) would be made of \(pixels.countText) pixels at "
                + "zoom \(finest.matrix.zoom), and --max-pixels allows "
                + limit.defaultValueDescription,
            remedy: "cut the image into parts with --crop, or raise --max-pixels")
    }

    private static func checkTiles(_ pyramid: PyramidPlan, limit: Count) throws {
        guard pyramid.tileCount > limit.value else { return }
        throw Failure(
            .usage,
            "this would make \(pyramid.tileCount) tiles, and --max-tiles allows "
                + limit.defaultValueDescription,
            remedy: "ask for a lower --zoom, or raise --max-tiles")
    }
}

extension PlacedImage {
    /// Fails where a control point misses its place by more than allowed.
    func check(maxResidual: Double?) throws {
        guard let maxResidual else { return }
        guard let fit else {
            throw Failure(
                .usage, "--max-residual has no meaning for \(position.summary)",
                remedy: "leave it out: there are no control points whose fit could be bad")
        }
        guard let worst = fit.worst, worst.metres > maxResidual else { return }
        throw Failure(
            .checkFailed,
            "the control point '\(worst.point.name)' misses its place by "
                + "\(worst.metres.text(decimals: 2)) m, and --max-residual allows "
                + "\(maxResidual.text(decimals: 2)) m",
            remedy: "'tilewright fit' lists all residuals")
    }
}
