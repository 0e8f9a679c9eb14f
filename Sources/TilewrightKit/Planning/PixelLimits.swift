import Platform
import Georeferencing
import Pyramid
import Raster
import Tiling

/// How many pixels a build may read and render.
struct PixelLimits {
    private let limit: Int
    private let isAdjustable: Bool

    /// - Parameter isAdjustable: whether the user can ask for more.
    init(_ limit: Int, isAdjustable: Bool = true) {
        (self.limit, self.isAdjustable) = (limit, isAdjustable)
    }

    /// Refuses an image that has more pixels.
    func check(width: Int, height: Int) throws {
        try check(Double(width) * Double(height), of: "the image has")
    }

    /// Refuses images that have more pixels, or would have at the maximum zoom.
    func check(_ images: [PlacedImage], at matrix: TileMatrix) throws {
        let pixels = images.reduce(0) {
            $0 + Double($1.fileInfo.width) * Double($1.fileInfo.height)
        }
        try check(pixels, of: images.count == 1 ? "the image has" : "the images have")
        for image in images { try check(image.mapping, at: matrix) }
    }

    /// Refuses a part of a pyramid that would have more at its finest zoom, by what it is told of the whole.
    func check(_ whole: WholePyramid) throws {
        // The box around images was rounded outwards.
        let (width, height) = (max(0, whole.window.width - 4), max(0, whole.window.height - 4))
        try check(Double(width) * Double(height), of: "the whole pyramid has")
    }

    /// Refuses more pixels.
    ///
    /// - Parameter subject: what has them, and the verb.
    func check(_ pixels: Double, of subject: String) throws {
        guard pixels > Double(limit) else { return }
        guard isAdjustable else {
            throw Failure(
                .usage,
                "\(subject) \(pixels.countText) pixels, and \(Count(limit)) are read at most",
                remedy: "cut it into parts, and build each into an OUTPUT of its own")
        }
        throw Failure(
            .usage, "\(subject) \(pixels.countText) pixels, and --max-pixels allows \(Count(limit))",
            remedy: "raise --max-pixels if that is what you want")
    }

    private func check(_ mapping: ImageMapping, at matrix: TileMatrix) throws {
        guard let box = BoundingBox(around: mapping.outline) else { return }
        let pixels = box.width * box.height / (matrix.cellSize * matrix.cellSize)
        try checkVisible(box, mapping: mapping, matrix: matrix)
        guard pixels > Double(limit) else { return }
        throw Failure(
            .usage,
            "zoom \(matrix.zoom) would have \(pixels.countText) pixels in about "
                + "\((pixels / Double(matrix.tileSize * matrix.tileSize)).countText) "
                + "tiles, and --max-pixels allows \(Count(limit))",
            remedy: "the image's own resolution is that of zoom "
                + mapping.nativeZoom(tileSize: matrix.tileSize).text(decimals: 1)
                + ": ask for a lower --zoom, or raise --max-pixels")
    }

    /// An image that is less than a pixel at its highest zoom is a mistake; its kernels, which grow
    /// as the image shrinks, would have no bounds either.
    private func checkVisible(
        _ box: BoundingBox, mapping: ImageMapping, matrix: TileMatrix
    ) throws {
        guard max(box.width, box.height) < matrix.cellSize else { return }
        throw Failure(
            .usage, "the image is smaller than a pixel at zoom \(matrix.zoom)",
            remedy: "its own resolution is that of zoom "
                + mapping.nativeZoom(tileSize: matrix.tileSize).text(decimals: 1)
                + ": ask for a higher --zoom, or check its position")
    }

    /// Refuses a pyramid whose finest zoom has more pixels. The box around an image that is long,
    /// thin and turned is far larger than the image, and all of it counts at a zoom that is rendered
    /// near the image's own scale; so does all that lies between several images.
    func check(_ pyramid: PyramidPlan) throws {
        guard let finest = pyramid.levels.first, !finest.isWritten || pyramid.layers.count > 1
        else { return }
        let pixels = Double(finest.window.width) * Double(finest.window.height)
        guard pixels > Double(limit) else { return }
        throw Failure(
            .usage,
            "zoom \(pyramid.options.zooms.upperBound) would be made of \(pixels.countText) pixels at "
                + "zoom \(finest.matrix.zoom), and --max-pixels allows "
                + Count(limit).description,
            remedy: pyramid.layers.count > 1
                ? "build images that lie far apart into tilesets of their own, or raise --max-pixels"
                : "cut the image into parts with --crop, or raise --max-pixels")
    }
}
