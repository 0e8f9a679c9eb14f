internal import CKernels
internal import Tiling

/// A window of an upright image that is made some rows at a time, from the first one on.
///
/// Its memory is its resampler's, which ends it when it begins with another window.
package struct UprightWindow {
    /// Where the pixels go. It may hold fewer rows than the window has: each takes the place of an earlier one.
    package let band: LevelBand

    private let columns: Range<Int>
    private let source: SourceBand
    private let weights: SeparableWeights
    private let grouped: cr_grouped_taps
    private let memory: cr_upright_scratch
    private let pixels: cr_source
    private let kernels: Kernels

    /// - Parameter pixels: of the source, all that the window reads.
    init(
        _ window: PixelWindow, from source: SourceBand, _ pixels: cr_source, weights: SeparableWeights,
        _ grouped: cr_grouped_taps, in scratch: UprightScratch, with kernels: Kernels, into band: LevelBand
    ) {
        columns = window.columns
        (self.source, self.pixels, self.weights, self.grouped) = (source, pixels, weights, grouped)
        (self.kernels, self.band) = (kernels, band)
        memory = scratch.begin(window, of: pixels, by: weights)
    }

    /// Makes the next rows.
    package func render(_ rows: Range<Int>) {
        if rows.isEmpty { return }
        let result = band.pixels.ring(column: columns.lowerBound, row: rows.lowerBound)
        withExtendedLifetime((source, band)) {
            weights.columns.withRun(columns) { starts, columnWeights in
                weights.rows.withReads(rows) { reads, rowWeights in
                    var upright = cr_upright_weights(
                        starts: starts, weights: columnWeights, taps: Int32(weights.columns.taps),
                        columns: columns.count, grouped: grouped, reads: reads, row_weights: rowWeights,
                        row_taps: Int32(weights.rows.taps), rows: rows.count)
                    cr_resample_window(
                        kernels.table, pixels, &upright, memory, result.rows, result.row,
                        band.pixels.planes?.core ?? cr_planes())
                }
            }
        }
    }
}
