import Georeferencing
import Raster

extension RasterInfo {
    /// The tags that say where a GeoTIFF lies; nil for other files. Pixels know nothing of the Earth
    /// and the Earth nothing of files of pixels, so that the two meet here.
    var geoTIFFTags: GeoTIFFTags? {
        GeoTIFFTags(numbers: fileTags.numbers, text: fileTags.text)
    }
}
