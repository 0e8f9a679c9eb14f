import Georeferencing
import Platform
package import Raster
import Rendering
import Tiling

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
    /// The factors by which the image may be read smaller, along each edge, for larger pixels. Empty if the
    /// file cannot be read smaller, or a kernel copies pixels.
    ///
    /// Along an edge, each pixel that is made still gets at least four of those that are read, so that the
    /// kernel hides the reduction: tiles of a photograph agree with those of the whole image to 48 dB
    /// (`area`) and 55 dB (`cubic`). With a crop, it gets eight: pixels on the crop's edge also hold colour
    /// from outside, such as that of a black frame, and one such pixel in eight is hardly visible.
    private func reductions(forCell cellSize: Double, resampling: ResamplingMethod) -> [Int] {
        if resampling.copiesPixels { return [] }
        let pixelsToKeep = isCropped ? 8.0 : 4
        let pixels = mapping.fewestPixels(inCell: cellSize)
        return info.reductions.filter { Double($0) * pixelsToKeep <= pixels }
    }

    /// The image as a layer of a pyramid, read smaller if tiles look the same.
    ///
    /// - Parameter cellSize: the edge of the smallest pixel that is made of the layer, in Mercator metres.
    /// - Returns: the layer, and the factor by which the file is reduced.
    func layer(
        forCell cellSize: Double, resampling: ResamplingMethod
    ) throws -> (layer: ImageLayer, factor: Int) {
        guard let opened = try opened(by: reductions(forCell: cellSize, resampling: resampling))
        else {
            return (ImageLayer(mapping: mapping, info: info, blockSize: blockSize), 1)
        }
        let source = try counting(opened.file, reducedBy: opened.factor)
        let layer = ImageLayer(
            mapping: mapping(reducedBy: opened.factor), info: source.info,
            blockSize: source.windows?.blockSize)
        return (layer, opened.factor)
    }

    /// The image as a layer of a view: read smaller if the view looks the same, and averaged so that two to
    /// four pixels remain per pixel of the view.
    ///
    /// - Parameter cellSize: the edge of the view's smallest pixel, in Mercator metres.
    /// - Returns: the layer, and a function that opens it.
    func viewLayer(
        forCell cellSize: Double, resampling: ResamplingMethod
    ) throws -> (layer: ImageLayer, open: @Sendable () throws -> any RasterSource) {
        if let drawn {
            let page = PageLayer(drawn, window: window, mapping: mapping, resolvedTo: cellSize)
            var layer = page.layer
            layer.neatline = placement.neatline
            return (layer, { try open(on: page.grid, style: PageStyle()) })
        }
        let (layer, factor) = try layer(forCell: cellSize, resampling: resampling)
        let box = resampling.copiesPixels ? 1 : Self.box(layer, forCell: cellSize)
        if box == 1 { return (layer, { try open(reducedBy: factor, as: layer) }) }
        let boxed = layer.mapping.inPixels(.scale(1 / Double(box)))
        return (
            ImageLayer(boxed, of: layer.info, layer.blockSize, box: box),
            { BoxedSource(try open(reducedBy: factor, as: layer), box: box) }
        )
    }

    /// Opens the pixels of a planned layer.
    ///
    /// - Throws: a `Failure`, also if the pixels no longer have the form for which memory is laid out.
    func open(reducedBy factor: Int, as planned: ImageLayer) throws -> any RasterSource {
        let source = try open(reducedBy: factor)
        let info = source.info
        guard info.width == planned.info.width, info.height == planned.info.height,
            info.pixelFormat == planned.info.pixelFormat,
            (source.windows == nil) == (planned.blockSize == nil)
        else { throw Failure.changed(path) }
        return source
    }

    /// The edge of the squares of pixels that are averaged: a power of two.
    private static func box(_ layer: ImageLayer, forCell cellSize: Double) -> Int {
        let pixels = layer.mapping.fewestPixels(inCell: cellSize)
        var box = 1
        while Double(4 * box) <= pixels, box < max(layer.info.width, layer.info.height) { box *= 2 }
        return box
    }

    /// Opens all of the file's pixels by the largest reduction that works: a TIFF's overview may turn out not
    /// to hold averages. Nil if no reduction works.
    package func opened(by factors: [Int]) throws -> (file: any RasterSource, factor: Int)? {
        for factor in factors.reversed() {
            do { return (try openFile(reducedBy: factor), factor) } catch let failure as Failure {
                if failure.isOfSystem { throw failure }
            }
        }
        return nil
    }
}

extension ImageLayer {
    /// The layer of an image whose squares of pixels are averaged.
    init(_ mapping: ImageMapping, of info: RasterInfo, _ blockSize: (width: Int, height: Int)?, box: Int) {
        self.init(
            mapping: mapping, info: BoxedSource.info(of: info, box: box),
            blockSize: BoxedSource.blockSize(of: blockSize, box: box))
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
        guard let name = getenv("TILEWRIGHT_SIMD").map({ String(cString: $0) }), !name.isEmpty
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
