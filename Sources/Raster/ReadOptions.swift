/// How the samples of a file become pixels.
package struct ReadOptions: Hashable, Sendable {
    /// 1, or one of the file's `RasterInfo.reductions`: 4 means that squares of 4 x 4 pixels are read
    /// as one.
    package var reduction: Int
    /// The bands to take, counted from 1: gray, or red, green and blue, each perhaps with alpha; nil
    /// for the file's own.
    package var bands: [Int]?
    /// The values that become 0 and 255; nil for the range of the file's sample type or data.
    package var range: SampleRange?
    /// The sample value that stands for no data, if something beside the file names one.
    package var nodata: Double?
    /// What samples stand for, if something beside the file says it.
    package var scale: SampleScale?
    /// Whether numbers are taken as sRGB, whatever the file says about its colours.
    package var keepsColors: Bool

    /// Makes options. By default the file decides.
    package init(
        reduction: Int = 1, bands: [Int]? = nil, range: SampleRange? = nil,
        nodata: Double? = nil, scale: SampleScale? = nil, keepsColors: Bool = false
    ) {
        self.reduction = reduction
        self.bands = bands
        self.range = range
        self.nodata = nodata
        self.scale = scale
        self.keepsColors = keepsColors
    }
}
