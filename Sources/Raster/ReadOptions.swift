/// How the samples of a file become pixels.
package struct ReadOptions: Hashable, Sendable {
    /// 1, or one of the `RasterInfo.reductions` that the file has: squares of so many pixels are
    /// read as one.
    package var reduction: Int
    /// The bands to take, counted from 1, in the order of gray or of red, green, blue, and perhaps
    /// alpha; nil for those of the file.
    package var bands: [Int]?
    /// The sample values that become 0 and 255; nil for those of the file's type or data.
    package var range: ClosedRange<Double>?
    /// The sample value that stands for no data, where something beside the file names it.
    package var nodata: Double?
    /// Whether numbers are taken as sRGB, whatever colours the file says that they are.
    package var keepsColors: Bool

    /// Makes options; without any, the file decides.
    package init(
        reduction: Int = 1, bands: [Int]? = nil, range: ClosedRange<Double>? = nil,
        nodata: Double? = nil, keepsColors: Bool = false
    ) {
        self.reduction = reduction
        self.bands = bands
        self.range = range
        self.nodata = nodata
        self.keepsColors = keepsColors
    }
}
