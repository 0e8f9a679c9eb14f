import Platform
import Raster
import Rendering
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Zooms that are rendered together: the finest from images, and each other zoom from the next finer one.
struct RenderPass: Sendable {
    /// The source of an image's pixels.
    enum Source: Sendable {
        /// The image's file, reduced by a factor.
        case file(reducedBy: Int)
        /// A page, drawn onto a grid.
        case drawn(PageGrid, PageStyle)
        /// Pixels that were decoded before, with squares of `box` pixels averaged.
        case held(HeldPixels, box: Int)
    }

    /// The zooms and tiles.
    let pyramid: PyramidPlan
    /// The source of each image's pixels.
    let sources: [Source]

    /// The pass that renders only some tiles; nil if the images touch none of them.
    func confined(to window: TileWindow) -> RenderPass? {
        pyramid.confined(to: window).map { RenderPass(pyramid: $0, sources: sources) }
    }

    /// Opens the pixels of an image.
    ///
    /// - Throws: a `Failure` if the file cannot be read, or if its pixels no longer have the planned form.
    func open(_ index: Int, of images: [PlacedImage]) throws -> any RasterSource {
        switch sources[index] {
        case .file(let factor): try images[index].open(reducedBy: factor, as: pyramid.layers[index])
        case .drawn(let grid, let style): try images[index].open(on: grid, style: style)
        case .held(let pixels, let box): box == 1 ? pixels : BoxedSource(pixels, box: box)
        }
    }
}

/// The images of a plan as layers of its pyramid, and the sources of their pixels.
struct PlannedLayers {
    /// The layers, in the order of the images.
    let layers: [ImageLayer]

    private let sources: [RenderPass.Source]
    /// The zoom that pages are drawn for.
    private let finest: Int

    /// Plans files for the maximum zoom's pixels. They decide the finest zoom, for which pages are planned.
    ///
    /// - Parameter finest: the finest zoom, at which images are rendered, if it is known.
    init(_ images: [PlacedImage], options: PyramidOptions, finest known: Int? = nil) throws {
        let maximum = TileMatrix(zoom: options.zooms.upperBound, tileSize: options.tileSize)
        let files = try images.map { image in
            image.drawn == nil
                ? try image.layer(forCell: maximum.cellSize, resampling: options.resampling) : nil
        }
        finest = known ?? PyramidPlan.finestZoom(of: files.compactMap { $0?.layer }, options: options)
        let matrix = TileMatrix(zoom: finest, tileSize: options.tileSize)
        let planned = try zip(images, files).map { image, file in
            if let file { return (file.layer, RenderPass.Source.file(reducedBy: file.factor)) }
            return try image.drawnLayer(on: matrix, PageStyle(isAliased: options.resampling.copiesPixels))
        }
        (layers, sources) = (planned.map(\.0), planned.map(\.1))
    }

    /// The passes that render a pyramid of the layers: one for each zoom if all images are drawn and their
    /// overviews should be drawn, too; else one for all zooms.
    func passes(
        of pyramid: PyramidPlan, images: [PlacedImage], overviews: PyramidRequest.Overviews
    ) throws -> [RenderPass] {
        guard images.allSatisfy({ $0.isRedrawn(overviews) }) else {
            return [RenderPass(pyramid: pyramid, sources: sources)]
        }
        return try pyramid.levels.filter(\.isWritten).compactMap { level in
            let style = PageStyle(
                zoomsOut: pyramid.options.zooms.upperBound - level.zoom,
                isAliased: pyramid.options.resampling.copiesPixels)
            let planned =
                level.zoom == finest
                ? Array(zip(layers, sources)) : try images.map { try $0.drawnLayer(on: level.matrix, style) }
            return try pyramid.alone(zoom: level.zoom, of: planned.map(\.0)).map {
                RenderPass(pyramid: $0, sources: planned.map(\.1))
            }
        }
    }
}

extension PlacedImage {
    /// The page as a layer of tiles, and the grid that it is drawn onto.
    fileprivate func drawnLayer(
        on matrix: TileMatrix, _ style: PageStyle
    ) throws -> (ImageLayer, RenderPass.Source) {
        guard let drawn else { preconditionFailure("an image that is not drawn has a file of pixels") }
        let planned = try PageLayer(drawn, window: window, mapping: mapping, on: matrix)
        var layer = planned.layer
        layer.neatline = placement.neatline
        return (layer, .drawn(planned.grid, style))
    }

    /// Whether each zoom is drawn separately.
    fileprivate func isRedrawn(_ overviews: PyramidRequest.Overviews) -> Bool {
        guard let drawn else { return false }
        switch overviews {
        case .auto: return drawn.isVector
        case .drawn: return true
        case .halved: return false
        }
    }
}

extension PyramidRequest {
    /// The largest enlargement, in zooms, for which an average is used. A quarter of a zoom enlarges by a
    /// fifth.
    private static let farthestForAverage = 0.25

    /// The kernels at the maximum zoom and for the zooms below it, with defaults for those that the user left
    /// open.
    ///
    /// Lossless tiles are for drawings, others for photographs. An average suits drawings: it is exact,
    /// leaves no ringing next to walls, and keeps flat colours flat, so that files are a seventh to a quarter
    /// smaller. Photographs need the sharpness of `cubic`. So does an image that is clearly enlarged: an
    /// average would show its pixels as blocks.
    ///
    /// - Parameter zoomsBeyondNative: the number of zooms by which the maximum zoom is finer than the image.
    func kernels(zoomsBeyondNative: Double) -> (finest: ResamplingMethod, overviews: ResamplingMethod) {
        let isDrawing = encoding.isLossless
        let isEnlarged = zoomsBeyondNative > Self.farthestForAverage
        let finest = resampling ?? (isDrawing && !isEnlarged ? .area : .cubic)
        return (
            finest,
            overviewResampling ?? (finest.copiesPixels ? finest : isDrawing ? .area : .cubic)
        )
    }
}

extension Kernels {
    /// The SIMD variant that the environment variable `TILEWRIGHT_SIMD` names, to compare variants or to find
    /// a fault; the fastest if it is not set.
    ///
    /// - Throws: `.usage` if this machine has no variant of that name.
    static func wanted() throws -> Kernels {
        guard let name = ProcessInfo.processInfo.environment["TILEWRIGHT_SIMD"], !name.isEmpty
        else { return .best }
        guard let kernels = all.first(where: { $0.name == name }) else {
            let names = all.map(\.name).joined(separator: ", ")
            throw Failure(
                .usage, "this machine has no SIMD variant '\(name)' (TILEWRIGHT_SIMD)",
                remedy: "it has \(names)")
        }
        return kernels
    }
}
