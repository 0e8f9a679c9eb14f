import Diagnostics
import Georeferencing
import Pyramid
package import Raster
import Resampling
import Tiling

extension PlacedImage {
    /// How many of the image's pixels, along an edge, may be read as one for larger pixels: no
    /// number if the file cannot be read smaller, or a kernel copies pixels and wants those of
    /// the file.
    ///
    /// Four of the pixels that are read remain to one of the larger ones, whose kernel then hides how they were
    /// made: tiles of a photograph agree with those of the whole image to 48 dB (`area`) and 55 dB
    /// (`cubic`). A crop cuts through pixels that hold colour of both sides, a black frame's for
    /// example: one in eight is hardly seen.
    private func reductions(forCell cellSize: Double, resampling: ResamplingMethod) -> [Int] {
        if resampling.copiesPixels { return [] }
        let pixelsToKeep = isCropped ? 8.0 : 4
        let pixels = mapping.fewestPixels(inCell: cellSize)
        return info.reductions.filter { Double($0) * pixelsToKeep <= pixels }
    }

    /// The image as a layer of a pyramid, read smaller if that is as good.
    ///
    /// - Parameter cellSize: the edge of the smallest pixel that is made of it, in Mercator metres.
    /// - Returns: the layer, and how many of the file's pixels along an edge become one of it.
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

    /// Opens all of the file's pixels by the largest of some reductions for which it turns out to be
    /// fit: a TIFF's overview may hold no averages. Nil if it is fit for none.
    package func opened(by factors: [Int]) throws -> (file: any RasterSource, factor: Int)? {
        for factor in factors.reversed() {
            do { return (try openFile(reducedBy: factor), factor) } catch let failure as Failure {
                if failure.isOfSystem { throw failure }
            }
        }
        return nil
    }
}
