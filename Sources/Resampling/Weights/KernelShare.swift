internal import Raster
package import Tiling

/// How much of a kernel lies over an image, at a pixel of the result.
package struct KernelShare: Sendable {
    /// The sum of its weights over the image: what an opaque image has of alpha there. With negative weights beyond the
    /// edge it is larger than 1.
    package var mass: Double
    /// The share of its weights' sizes: 1 if nothing of it lies beyond the image.
    package var cover: Double

    /// The kernel lies beside the image.
    package static let none = KernelShare(mass: 0, cover: 0)
    /// The kernel lies over the image.
    package static let all = KernelShare(mass: 1, cover: 1)

    /// Makes a share.
    package init(mass: Double, cover: Double) { (self.mass, self.cover) = (mass, cover) }

    /// Along both axes.
    package static func * (columns: KernelShare, rows: KernelShare) -> KernelShare {
        KernelShare(mass: columns.mass * rows.mass, cover: columns.cover * rows.cover)
    }

    /// Samples a kernel along an axis.
    ///
    /// - Parameters:
    ///   - center: of the kernel, in source pixels.
    ///   - scale: how much it is widened.
    ///   - edges: of the image.
    init(_ kernel: Kernel, at center: Double, widenedBy scale: Double, within edges: ClosedRange<Double>) {
        let reach = Double(kernel.support) * scale
        let (first, last) = (center - reach, center + reach)
        // False for a position that is not a number.
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

extension AxisWeights {
    /// How much of a pixel's kernel lies over a source.
    ///
    /// - Parameter size: of the source along the axis.
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

/// How much of each kernel of a part of the result lies over an image.
package enum KernelShares {
    /// Rows and columns are resampled apart: of each column, and of each row.
    case upright(columns: [KernelShare], rows: [KernelShare], part: PixelWindow)
    /// They are not.
    case warped(
        SourcePositions, Kernel, columns: ClosedRange<Double>, rows: ClosedRange<Double>, part: PixelWindow)

    /// Of an upright image, for a part for all of which there are weights.
    package init(of part: PixelWindow, by weights: SeparableWeights, in source: SourceBand) {
        let isTurn = source.columnsPerTurn != nil
        self = .upright(
            columns: part.columns.map { isTurn ? .all : weights.columns.share(of: $0, within: source.width) },
            rows: part.rows.map { weights.rows.share(of: $0, within: source.height) }, part: part)
    }

    /// Of any other image.
    ///
    /// - Parameter positions: of the part; they must stay until the last share was asked for.
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
