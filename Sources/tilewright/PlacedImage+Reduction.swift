import Georeferencing
import Pyramid
import Raster
import Resampling
import Tiling

extension PlacedImage {
    /// How many of the image's pixels, along an edge, can be read as one for tiles of a matrix: 1
    /// where the file cannot be read smaller, or a kernel copies pixels and wants those of the file.
    ///
    /// Four of the larger pixels remain to one of the matrix, whose kernel then hides how they were
    /// made: tiles of a photograph agree with those of the whole image to 48 dB (`area`) and 55 dB
    /// (`cubic`). A crop cuts through pixels that hold colour of both sides, a black frame's for
    /// example: one in eight is hardly seen.
    func reductionFactor(for matrix: TileMatrix, resampling: ResamplingMethod) -> Int {
        if resampling.copiesPixels { return 1 }
        let pixelsToKeep = isCropped ? 8.0 : 4
        let pixels = mapping.fewestPixels(in: matrix)
        return info.reductions.last { Double($0) * pixelsToKeep <= pixels } ?? 1
    }

    /// The image as a layer of a pyramid, read smaller where that is as good.
    ///
    /// - Returns: the layer, and how many of the file's pixels along an edge become one of it.
    func layer(
        for matrix: TileMatrix, resampling: ResamplingMethod
    ) throws -> (layer: ImageLayer, factor: Int) {
        let factor = reductionFactor(for: matrix, resampling: resampling)
        if factor == 1 {
            return (ImageLayer(mapping: mapping, info: info, blockSize: blockSize), 1)
        }
        let source = try open(reducedBy: factor)
        let layer = ImageLayer(
            mapping: mapping(reducedBy: factor), info: source.info,
            blockSize: source.windows?.blockSize)
        return (layer, factor)
    }
}
