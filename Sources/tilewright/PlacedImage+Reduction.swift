import Georeferencing
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
        return source.info.reductions.last { Double($0) * pixelsToKeep <= pixels } ?? 1
    }
}
