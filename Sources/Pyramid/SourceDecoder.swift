internal import Raster

/// Decodes a source's rows into its band, a few at a time, from one task at a time.
final class SourceDecoder: @unchecked Sendable {
    // Unchecked, because sources are not safe to share; the builder starts one decoding task after
    // the other.

    /// Rows per task: enough to make the task cheap, few enough to let a stage start early.
    static let rowsPerTask = 128

    private let source: any RasterSource
    private let band: RowBand
    private let height: Int

    init(source: any RasterSource, band: RowBand) {
        self.source = source
        self.band = band
        height = source.info.height
    }

    /// Decodes a run of rows, which must be the next ones.
    func decode(_ rows: Range<Int>) throws {
        var row = rows.lowerBound
        while row < rows.upperBound {
            // Up to the ring's seam at once.
            let count = min(rows.upperBound - row, band.capacity - row % band.capacity)
            try source.readRows(count, into: band.row(row), stride: band.stride)
            row += count
        }
    }
}
