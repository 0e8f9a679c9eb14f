internal import Resampling
internal import Tiling

/// Mends pixels where sheets meet and kernels have negative weights.
///
/// An edge that cuts such a kernel leaves more or less than 1 of its weights, and sheets that overlap by less than the
/// kernel reaches do not make up for each other: a faint line would show between two opaque sheets. Where sheets cover the
/// whole kernel, their mixture is divided by the sum of the weights that made it.
///
/// What is decided for a pixel depends on the pixel alone, and not on the window.
struct SheetSeams {
    /// A sheet in a window: its kernels' shares, for a part of the columns.
    typealias Sheet = (part: PixelWindow, shares: KernelShares)

    /// The share of a kernel that sheets must cover together. The rest changes a pixel too little to see, and shares
    /// that were sampled at different fractions of a pixel add up to 1 only to about so much.
    private static let enough = 0.95

    /// The least sum of weights that is divided by: with less of the kernel, an edge of the whole cuts the pixel.
    private static let leastMass = 0.5

    /// Mends a window.
    ///
    /// - Parameters:
    ///   - sheets: in the order in which they lie over each other.
    ///   - band: the pixels of all sheets together.
    static func mend(_ window: PixelWindow, _ sheets: [Sheet], in band: LevelBand) {
        for row in window.rows {
            for column in window.columns {
                var sum = Mixture()
                for sheet in sheets where sheet.part.columns.contains(column) {
                    sum.lay(sheet.shares.share(column: column, row: row))
                }
                if sum.cutSheets > 1, sum.cover >= enough, sum.mass >= leastMass {
                    band.divide(column: column, row: row, by: sum.mass)
                }
            }
        }
    }

    /// What opaque sheets, each over the ones before it, would make of a pixel.
    private struct Mixture {
        var mass = 0.0
        var cover = 0.0
        /// Sheets of which an edge cuts the kernel, above the last that has all of it.
        var cutSheets = 0

        mutating func lay(_ share: KernelShare) {
            if share.cover == 0 { return }
            if share.cover == 1 {
                (mass, cover, cutSheets) = (1, 1, 0)
                return
            }
            mass = share.mass + mass * Self.weight(below: mass, above: share.mass)
            cover = min(1, cover + share.cover)
            cutSheets += 1
        }

        /// As `cr_join` weighs pixels.
        private static func weight(below: Double, above: Double) -> Double {
            if below == 0 { return 1 }
            let over = 1 - above
            return min(max(over / below, min(over, 1)), max(over, 1))
        }
    }
}
