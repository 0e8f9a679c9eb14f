import Diagnostics
import Georeferencing
import Palettes
import Pyramid
import Raster
import Tiling

/// What a build would do: the pyramid's plan, and the image's own zooms.
struct TilesetPlan {
    /// The images and where they lie.
    let images: [PlacedImage]
    /// How many pixels of each image, along an edge, are read as one.
    let reductionFactors: [Int]
    /// The zooms and tiles.
    let pyramid: PyramidPlan
    /// Rows, stages and memory.
    let builder: PyramidBuilder
    /// The zoom, with a fraction, at which a tile's pixels are as large as those of the finest image.
    let nativeZoom: Double
    /// Where scratch files go.
    let scratchDirectory: String

    /// Plans a build.
    ///
    /// - Throws: `Failure` where it would make more tiles or pixels than allowed.
    init(
        images: [PlacedImage], tiles: TileOptions, run: RunOptions, scratchDirectory: String
    ) throws {
        self.images = images
        self.scratchDirectory = scratchDirectory
        let nativeZoom =
            images.map { $0.mapping.nativeZoom(tileSize: tiles.tileSize.rawValue) }.max() ?? 0
        self.nativeZoom = nativeZoom
        let zooms = Self.zooms(tiles, images: images, nativeZoom: nativeZoom)
        let matrix = TileMatrix(zoom: zooms.upperBound, tileSize: tiles.tileSize.rawValue)
        let limits = PixelLimits(run.maxPixels)
        try limits.check(images, at: matrix)
        let kernels = KernelChoice(
            tiles, zoomsBeyondNative: Double(zooms.upperBound) - nativeZoom)
        let layers = try images.map { image in
            try image.layer(for: matrix, resampling: kernels.resampling)
        }
        reductionFactors = layers.map(\.factor)
        pyramid = try PyramidPlan(
            layers: layers.map(\.layer),
            options: PyramidOptions(
                zooms: zooms, tileSize: tiles.tileSize.rawValue, resampling: kernels.resampling,
                overviewResampling: kernels.overviewResampling,
                writesEmptyTiles: tiles.empty == .write, background: tiles.effectiveBackground))
        try Self.checkTiles(pyramid, limit: run.maxTiles)
        try limits.check(pyramid)
        builder = try PyramidBuilder(
            plan: pyramid,
            resources: PyramidResources(
                jobs: run.effectiveJobs, memory: run.memoryBudget,
                scratchDirectory: scratchDirectory,
                encoderBytes: tiles.palette == nil ? 0 : ColorHistogram.mostBytes),
            kernels: .wanted())
        try Self.checkDecoders(builder, memory: run.memory)
    }

    /// Fails where the system would not grant the memory of a build. A scratch file takes addresses
    /// too, which `ulimit -v` counts.
    ///
    /// - Throws: `.systemLimit`.
    func checkMemory() throws {
        let need = builder.residentBytes + builder.scratchBytes + ProcessLimits.baseBytes
        let resident = builder.residentBytes + ProcessLimits.baseBytes
        if let bound = ControlGroup.own.memory, resident > bound {
            throw Failure(
                .systemLimit,
                "cannot build in \(bound.byteText) of memory, which is all that the control group of "
                    + "this process has: \(resident.byteText) are needed",
                remedy: "allow the container more, or ask for fewer --jobs and a lower --zoom")
        }
        try RowBand.checkMemory(need)
    }

    /// Opens the pixels of an image that the plan wants.
    func open(_ index: Int) throws -> any RasterSource {
        try images[index].open(reducedBy: reductionFactors[index])
    }

    /// The pixels of the maximum zoom that exist; columns go on counting beyond the antimeridian.
    var window: PixelWindow {
        guard let finest = pyramid.levels.first(where: \.isWritten) else {
            preconditionFailure("a pyramid has a zoom")
        }
        return finest.window
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
        _ tiles: TileOptions, images: [PlacedImage], nativeZoom: Double
    ) -> ClosedRange<Int> {
        let possible = ZoomRange.possible
        let native = min(max(Int(nativeZoom.rounded()), possible.lowerBound), possible.upperBound)
        let longer = longerSide(of: images)
        var overview = 0
        while overview < native,
            longer <= TileMatrix(zoom: overview + 1, tileSize: 1).cellSize
        {
            overview += 1
        }
        guard let range = tiles.zoom else { return min(overview, native)...native }
        return range.zooms(native: native, overview: overview)
    }

    /// The longer side of an image, or of the box around several, in Mercator metres.
    private static func longerSide(of images: [PlacedImage]) -> Double {
        if images.count == 1, let image = images.first {
            let longer = max(image.info.width, image.info.height)
            return Double(longer) * image.mapping.mercatorCellSize
        }
        let box = BoundingBox(around: images.flatMap(\.mapping.outline))
        return box.map { max($0.width, $0.height) } ?? 0
    }

    /// Bytes that a decoder may take whatever the budget: a strip of the largest size that is decoded
    /// whole.
    private static let smallDecoder = 64 << 20

    /// What a decoder keeps cannot go to a scratch file, and a file of a few kilobytes can ask for any
    /// amount of it.
    private static func checkDecoders(_ builder: PyramidBuilder, memory: ByteSize) throws {
        guard builder.decoderBytes > max(memory.bytes, Self.smallDecoder) else { return }
        throw Failure(
            .usage,
            "decoding takes \(builder.decoderBytes.byteText) of memory, and --memory allows "
                + memory.bytes.byteText,
            remedy: "raise --memory, or store the image as PNG without interlacing, as baseline "
                + "JPEG, or as TIFF in smaller blocks")
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
        guard let worst = fit.worst else {
            if !fit.model.meetsAllPoints { return }
            throw Failure(
                .usage,
                "--max-residual cannot judge a \(fit.model.rawValue) fit of "
                    + "\(fit.residuals.count.counted("control point")): it meets them all, and is "
                    + "judged by leaving out each of 4 to \(ControlPointFit.mostLeftOut) points",
                remedy: "leave the option out, or fit --transform affine")
        }
        guard worst.metres > maxResidual else { return }
        let condition = fit.model.meetsAllPoints ? " where it is left out" : ""
        throw Failure(
            .checkFailed,
            "the control point '\(worst.point.name)' misses its place by "
                + "\(worst.metres.text(decimals: 2)) m\(condition), and --max-residual allows "
                + "\(maxResidual.text(decimals: 2)) m",
            remedy: "'tilewright fit' lists all residuals")
    }
}
