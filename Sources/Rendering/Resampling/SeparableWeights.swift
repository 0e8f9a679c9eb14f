import Raster
package import Tiling

/// The weights of a separable resampling along both axes.
package struct SeparableWeights: Sendable {
    /// The weights along rows, for each column of the result.
    package let columns: AxisWeights
    /// The weights down columns, for each row of the result.
    package let rows: AxisWeights

    /// The columns of the result at which the kernels read nothing beyond the source, including all columns
    /// between the first and the last of them.
    ///
    /// Computed once, over all columns: weights that round to zero leave gaps near an edge, so that a part of
    /// the columns could begin and end elsewhere.
    let interiorColumns: Range<Int>

    /// Bytes of memory.
    package var bytes: Int { columns.bytes + rows.bytes }

    /// Makes weights for both axes.
    ///
    /// - Parameter sourceWidth: columns of the source.
    package init(columns: AxisWeights, rows: AxisWeights, sourceWidth: Int) {
        self.columns = columns
        self.rows = rows
        interiorColumns = columns.interior(within: sourceWidth)
    }

    /// All source pixels that a window reads, including padding.
    func reach(of window: PixelWindow) -> PixelWindow {
        PixelWindow(columns: columns.sourceReach(of: window.columns), rows: rows.sourceReach(of: window.rows))
    }

    /// The columns of a row at which the kernels read nothing beyond the source.
    package func interior(of window: PixelWindow, row: Int, in source: SourceBand) -> Range<Int> {
        let none = window.columns.lowerBound..<window.columns.lowerBound
        guard rows.lies(within: source.height, at: row) else { return none }
        if source.columnsPerTurn != nil { return window.columns }
        return interiorColumns.clamped(to: window.columns)
    }
}

extension AxisWeights {
    /// Whether a result pixel reads only pixels of a source.
    fileprivate func lies(within size: Int, at pixel: Int) -> Bool {
        let reads = sourcePixels(of: pixel)
        return reads.lowerBound >= 0 && reads.upperBound <= size
    }

    /// From the first to the last result pixel that reads only pixels of a source.
    func interior(within size: Int) -> Range<Int> {
        guard let first = pixels.first(where: { lies(within: size, at: $0) }),
            let last = pixels.last(where: { lies(within: size, at: $0) })
        else { return pixels.lowerBound..<pixels.lowerBound }
        return first..<last + 1
    }

    /// The part of a pixel's kernel over a source.
    ///
    /// - Parameter size: the size of the source along the axis.
    fileprivate func share(of pixel: Int, within size: Int) -> KernelShare {
        var (inside, all) = (KernelShare.none, 0.0)
        let reads = sourcePixels(of: pixel)
        withWeights(of: pixel) { weights in
            for (index, source) in reads.enumerated() {
                let weight = Double(weights[index]) / Double(FixedWeights.one)
                all += abs(weight)
                if source < 0 || source >= size { continue }
                inside.mass += weight
                inside.cover += abs(weight)
            }
        }
        return all > 0 ? KernelShare(mass: inside.mass, cover: inside.cover / all) : .none
    }
}

/// The part of a kernel that is over an image, at a pixel of the result.
package struct KernelShare: Sendable {
    /// The sum of its weights over the image: the alpha that an opaque image has there. With negative weights
    /// beyond the edge it is larger than 1.
    package var mass: Double
    /// The share of its absolute weights that is over the image; 1 if no part of it is beyond.
    package var cover: Double

    /// The kernel is outside of the image.
    package static let none = KernelShare(mass: 0, cover: 0)
    /// The kernel is within the image.
    package static let all = KernelShare(mass: 1, cover: 1)

    /// Makes a share.
    package init(mass: Double, cover: Double) { (self.mass, self.cover) = (mass, cover) }

    /// The share along both axes.
    package static func * (columns: KernelShare, rows: KernelShare) -> KernelShare {
        KernelShare(mass: columns.mass * rows.mass, cover: columns.cover * rows.cover)
    }

    /// Samples a kernel along an axis.
    ///
    /// - Parameters:
    ///   - center: the kernel's centre in source pixels.
    ///   - scale: the factor by which it is widened.
    ///   - edges: the image's edges.
    init(_ kernel: Kernel, at center: Double, widenedBy scale: Double, within edges: ClosedRange<Double>) {
        let reach = Double(kernel.support) * scale
        let (first, last) = (center - reach, center + reach)
        // False for nan.
        guard last > edges.lowerBound, first < edges.upperBound else {
            self = .none
            return
        }
        if first >= edges.lowerBound, last <= edges.upperBound {
            self = .all
            return
        }
        var (inside, all) = (KernelShare.none, KernelShare.none)
        for pixel in Int((first - 0.5).rounded(.up))...Int((last - 0.5).rounded(.down)) {
            let weight = kernel.weight(at: (Double(pixel) + 0.5 - center) / scale)
            let part = (Double(pixel)...Double(pixel + 1)).clamped(to: edges).length
            inside.add(weight, part)
            all.add(weight, 1)
        }
        self.init(mass: inside.mass / all.mass, cover: inside.cover / all.cover)
    }

    private mutating func add(_ weight: Double, _ part: Double) {
        mass += weight * part
        cover += abs(weight) * part
    }
}

/// The shares of each kernel over an image, for a part of the result.
package enum KernelShares {
    /// Rows and columns are resampled separately: the share of each column, and of each row.
    case upright(columns: [KernelShare], rows: [KernelShare], part: PixelWindow)
    /// Rows and columns are not resampled separately.
    case warped(
        SourcePositions, Kernel, columns: ClosedRange<Double>, rows: ClosedRange<Double>, part: PixelWindow)

    /// The shares for an upright image and a part whose pixels all have weights.
    package init(of part: PixelWindow, by weights: SeparableWeights, in source: SourceBand) {
        let isTurn = source.columnsPerTurn != nil
        self = .upright(
            columns: part.columns.map { isTurn ? .all : weights.columns.share(of: $0, within: source.width) },
            rows: part.rows.map { weights.rows.share(of: $0, within: source.height) }, part: part)
    }

    /// The shares for any other image.
    ///
    /// - Parameter positions: the positions of the part, which must stay valid until the last call of
    ///   `share`.
    package init(
        of part: PixelWindow, at positions: SourcePositions, kernel: Kernel, in source: SourceBand
    ) {
        let everywhere = -Double.infinity...Double.infinity
        self = .warped(
            positions, kernel,
            columns: source.columnsPerTurn == nil
                ? source.edges.columns.clamped(to: 0...Double(source.width)) : everywhere,
            rows: source.edges.rows.clamped(to: 0...Double(source.height)), part: part)
    }

    /// Whether an edge of the image may cut any of the kernels.
    package var areCut: Bool {
        switch self {
        case .upright(let columns, let rows, _):
            func isWhole(_ shares: [KernelShare]) -> Bool { shares.allSatisfy { $0.cover == 1 } }
            func isNone(_ shares: [KernelShare]) -> Bool { shares.allSatisfy { $0.cover == 0 } }
            return !(isWhole(columns) && isWhole(rows)) && !isNone(columns) && !isNone(rows)
        case .warped(let positions, let kernel, let columns, let rows, _):
            let count = positions.width * positions.height
            let support = Double(kernel.support)
            func isCut(_ places: [Double], _ scale: Double, _ edges: ClosedRange<Double>) -> Bool {
                let reach = support * scale
                return !places.prefix(count).allSatisfy {
                    $0 - reach >= edges.lowerBound && $0 + reach <= edges.upperBound
                }
            }
            return isCut(positions.columns, positions.jacobian.columnScale, columns)
                || isCut(positions.rows, positions.jacobian.rowScale, rows)
        }
    }

    /// The share at a pixel of the part.
    package func share(column: Int, row: Int) -> KernelShare {
        switch self {
        case .upright(let columns, let rows, let part):
            return columns[column - part.columns.lowerBound] * rows[row - part.rows.lowerBound]
        case .warped(let positions, let kernel, let columns, let rows, let part):
            let index = (row - part.rows.lowerBound) * positions.width + column - part.columns.lowerBound
            let jacobian = positions.jacobian
            return KernelShare(
                kernel, at: positions.columns[index], widenedBy: jacobian.columnScale, within: columns)
                * KernelShare(kernel, at: positions.rows[index], widenedBy: jacobian.rowScale, within: rows)
        }
    }
}
