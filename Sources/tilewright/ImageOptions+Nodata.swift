import Georeferencing
import Raster

extension ImageOptions {
    /// How the samples of a file become pixels. A value that a file beside the image says to be no
    /// data counts unless `--nodata` gives a colour.
    func readOptions(for path: String) throws -> ReadOptions {
        var options = ReadOptions(
            bands: bands?.numbers, range: rescale?.range, keepsColors: keepColors)
        if nodata == nil, let values = try Self.nodataValues(beside: path), Set(values).count == 1 {
            options.nodata = values[0]
        }
        return options
    }

    /// The colour of an image that becomes transparent: that of `--nodata`, or one with different
    /// values per band that a file beside the image gives.
    func nodata(for path: String) throws -> NodataColor? {
        if let nodata { return nodata }
        guard let values = try Self.nodataValues(beside: path), Set(values).count > 1 else {
            return nil
        }
        let levels = values.compactMap { UInt8(exactly: $0) }
        guard levels.count == 3 else { return nil }
        return NodataColor(red: levels[0], green: levels[1], blue: levels[2], tolerance: 0)
    }

    private static func nodataValues(beside path: String) throws -> [Double]? {
        try PAMFile.find(beside: path)?.nodataValues
    }
}
