import Georeferencing
import Raster
import Tiling

extension RasterInfo {
    /// The tags that say where a GeoTIFF lies; nil for other files. Pixels know nothing of the Earth
    /// and the Earth nothing of files of pixels, so that the two meet here.
    var geoTIFFTags: GeoTIFFTags? {
        GeoTIFFTags(numbers: fileTags.numbers, text: fileTags.text)
    }

    /// The pixels of the file, and what else a TIFF says of them.
    var pixelUnits: PixelUnits {
        // ResolutionUnit of TIFF 6.0: an inch, or a centimetre.
        let unitsPerInch: [Double: Double] = [2: 1, 3: 2.54]
        let units = fileTags.numbers(296).first.flatMap { unitsPerInch[$0] }
        let scale = resolution.flatMap { resolution in
            units.map { Point(x: resolution.across / $0, y: resolution.down / $0) }
        }
        return PixelUnits(width: width, height: height, pixelsPerUnit: scale, tags: geoTIFFTags)
    }
}
