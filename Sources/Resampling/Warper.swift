internal import CRaster
internal import Raster

/// Resamples an image under any mapping: block by block, with a kernel that widens with the local
/// scale. One per worker.
///
/// Kernels lie along the axes of the source, as interpolation needs them and as GDAL's warper has
/// them; `area` takes the exact parallelogram of the result's pixel instead.
package final class Warper {
    private let source: SourceBand
    private let method: ResamplingMethod
    private let kernels: Kernels
    private let window = PixelScratch()
    private var columns: [Int32] = []
    private var rows: [Int32] = []
    private var phaseTables: [Double: PhaseTable] = [:]
    private var footprintTables: [Jacobian: FootprintTable] = [:]

    /// Tables that are kept before all are dropped; a mapping of a building needs a handful.
    private static let keptTables = 256

    /// Makes a warper.
    package init(source: SourceBand, method: ResamplingMethod, kernels: Kernels) {
        self.source = source
        self.method = method
        self.kernels = kernels
    }

    /// Source pixels that the kernel reaches from a position, across and down, rounded up.
    package static func reach(
        of method: ResamplingMethod, at jacobian: Jacobian
    ) -> (columns: Int, rows: Int) {
        if let kernel = Kernel(method) {
            // Half the padded taps, and one for the fraction.
            func reach(_ scale: Double) -> Int {
                FixedWeights.paddedTaps(2 * Int((kernel.support * scale).rounded(.up))) / 2 + 1
            }
            return (reach(jacobian.columnScale), reach(jacobian.rowScale))
        }
        // A row of a footprint is padded on its right, by at most `tapMultiple`.
        return (
            Int(jacobian.columnReach.rounded(.up)) + 1 + FixedWeights.tapMultiple,
            Int(jacobian.rowReach.rounded(.up)) + 2
        )
    }

    /// Renders a block.
    ///
    /// - Parameters:
    ///   - positions: where its pixels lie in the source; the rows that they need must be in memory.
    ///   - result: calls for the first pixel of a row of the block.
    package func render(_ positions: SourcePositions, into result: (_ row: Int) -> DeepPixels) {
        let reach = Self.reach(of: method, at: positions.jacobian)
        guard let box = quantise(positions, reach: reach) else {
            for row in 0..<positions.height {
                result(row).update(repeating: 0, count: positions.width * DeepPixel.channels)
            }
            return
        }
        let width = box.columns.count
        let pixels = window.pixels(width * box.rows.count)
        for (index, row) in box.rows.enumerated() {
            let line = pixels + index * width * DeepPixel.channels
            source.unpack(row: row, columns: box.columns, into: line, with: kernels)
        }
        let origin =
            pixels - (box.rows.lowerBound * width + box.columns.lowerBound) * DeepPixel.channels
        let area = cr_window(origin: origin, pixels_per_row: width)
        renderRows(of: positions, from: area, into: result)
    }

    /// Fixes positions to fractions of a pixel, relative to the source, and gives the source pixels
    /// that their kernels touch; nil where there are none.
    private func quantise(
        _ positions: SourcePositions, reach: (columns: Int, rows: Int)
    ) -> (columns: Range<Int>, rows: Range<Int>)? {
        let grid = PositionGrid(method: method, jacobian: positions.jacobian)
        let count = positions.width * positions.height
        columns.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
        var (minX, maxX, minY, maxY) = (Int32.max, Int32.min, Int32.max, Int32.min)
        let (limitX, limitY) = (
            Double(source.width + reach.columns), Double(source.height + reach.rows)
        )
        for index in 0..<count {
            let (x, y) = (positions.columns[index], positions.rows[index])
            guard x > Double(-reach.columns), y > Double(-reach.rows), x < limitX, y < limitY else {
                columns.append(Int32.min)
                rows.append(0)
                continue
            }
            let (fixedX, fixedY) = (grid.fixed(x), grid.fixed(y))
            columns.append(fixedX)
            rows.append(fixedY)
            (minX, maxX) = (min(minX, fixedX), max(maxX, fixedX))
            (minY, maxY) = (min(minY, fixedY), max(maxY, fixedY))
        }
        guard minX <= maxX else { return nil }
        return (
            grid.whole(minX) - reach.columns..<grid.whole(maxX) + reach.columns + 1,
            grid.whole(minY) - reach.rows..<grid.whole(maxY) + reach.rows + 1
        )
    }

    private func renderRows(
        of positions: SourcePositions, from area: cr_window, into result: (_ row: Int) -> DeepPixels
    ) {
        typealias Row = (UnsafePointer<Int32>, UnsafePointer<Int32>, DeepPixels) -> Void
        let count = positions.width
        func forEachRow(_ render: Row) {
            columns.withUnsafeBufferPointer { columns in
                rows.withUnsafeBufferPointer { rows in
                    guard let x = columns.baseAddress, let y = rows.baseAddress else { return }
                    for row in 0..<positions.height {
                        render(x + row * count, y + row * count, result(row))
                    }
                }
            }
        }
        switch method {
        case .nearest:
            forEachRow { cr_pick_row(area, $0, $1, $2, count) }
        case .mode:
            let mode = ModeScratch(positions.jacobian)
            forEachRow { mode.render(area, $0, $1, into: $2, count: count) }
        case .area:
            footprintTable(positions.jacobian).withFootprint { footprint in
                forEachRow {
                    kernels.table.pointee.warp_row_footprint(area, $0, $1, footprint, $2, count)
                }
            }
        case .bilinear, .cubic, .lanczos:
            phaseTable(positions.jacobian.columnScale).withPhases { across in
                phaseTable(positions.jacobian.rowScale).withPhases { down in
                    forEachRow {
                        kernels.table.pointee.warp_row(area, $0, $1, across, down, $2, count)
                    }
                }
            }
        }
    }

    private func footprintTable(_ jacobian: Jacobian) -> FootprintTable {
        if let table = footprintTables[jacobian] { return table }
        if footprintTables.count >= Self.keptTables { footprintTables.removeAll() }
        let table = FootprintTable(jacobian)
        footprintTables[jacobian] = table
        return table
    }

    private func phaseTable(_ scale: Double) -> PhaseTable {
        if let table = phaseTables[scale] { return table }
        guard let kernel = Kernel(method) else { preconditionFailure("\(method) has no kernel") }
        if phaseTables.count >= Self.keptTables { phaseTables.removeAll() }
        let table = PhaseTable(kernel: kernel, scale: scale)
        phaseTables[scale] = table
        return table
    }
}
