import Platform
import Georeferencing
package import Raster
import Rendering
import Tiling

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

extension AffineTransform {
    /// A change of scale along both axes.
    static func scale(_ x: Double, _ y: Double? = nil) -> AffineTransform {
        AffineTransform(a: x, b: 0, c: 0, d: 0, e: y ?? x, f: 0)
    }
}
