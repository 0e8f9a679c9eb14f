import CKernels
import Raster
package import Tiling

/// Resamples an image under any mapping: block by block, with a kernel that widens with the local
/// scale. One per worker.
///
/// Kernels are aligned to the axes of the source, as interpolation needs and as in GDAL's warper; `area` uses
/// the exact parallelogram of the result's pixel instead.
package final class Warper {
    let method: ResamplingMethod
    private let kernels: Kernels
    private let footprints: FootprintTables
    private var window = Scratch<Int16>()
    private var positionScratch = Scratch<Int32>()
    private var phaseTables: [PhaseKey: PhaseTable] = [:]

    private struct PhaseKey: Hashable {
        let scale: Double
        let axis: PhaseTable.Axis
    }

    /// The number of tables that are kept before all are dropped; a mapping of a building needs a few.
    private static let keptTables = 256

    /// The maximum number of source pixels of a window, 4 MB; with more, a block is rendered in parts. A
    /// method that does not widen its kernel may shrink the whole image into a block.
    static let windowPixels = 1 << 19

    /// The current size of its window in bytes.
    var windowBytes: Int { window.bytes }

    /// Makes a warper.
    ///
    /// - Parameter footprints: the weights of `area`, which warpers can share.
    package init(
        method: ResamplingMethod, kernels: Kernels, footprints: FootprintTables = FootprintTables(.exact)
    ) {
        self.method = method
        self.kernels = kernels
        self.footprints = footprints
    }

    /// The reach of the kernel from a position in source pixels, across and down, rounded up.
    package static func reach(
        of method: ResamplingMethod, at jacobian: Jacobian
    ) -> (columns: Int, rows: Int) {
        if let kernel = Kernel(method) {
            // Half of the taps, and one for the fraction.
            func reach(_ scale: Double, _ axis: PhaseTable.Axis) -> Int {
                PhaseTable.taps(of: kernel, scale: scale, axis: axis) / 2 + 1
            }
            return (reach(jacobian.columnScale, .across), reach(jacobian.rowScale, .down))
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
    ///   - positions: the positions of its pixels in the source, whose rows must be in memory.
    ///   - result: returns the address of the first pixel of a row of the block.
    package func render(
        _ positions: SourcePositions, from source: SourceBand,
        into result: (_ row: Int) -> DeepPixels
    ) throws {
        let block = PixelWindow(columns: 0..<positions.width, rows: 0..<positions.height)
        try render(block, of: positions, from: source, into: result)
    }

    /// Renders a part of a block, in halves if its window in the source is too large.
    private func render(
        _ part: PixelWindow, of positions: SourcePositions, from source: SourceBand,
        into result: (_ row: Int) -> DeepPixels
    ) throws {
        let reach = Self.reach(of: method, at: positions.jacobian)
        let grid = PositionGrid(
            method: method, jacobian: positions.jacobian, footprints: footprints.precision)
        let fixed = FixedPositions(
            part, of: positions, on: grid, in: source, reach: reach, with: kernels,
            scratch: &positionScratch)
        if let window = fixed.spans?.window, window.width * window.height > Self.windowPixels,
            part.width * part.height > 1
        {
            for half in part.halves {
                try render(half, of: positions, from: source, into: result)
            }
            return
        }
        func pixels(_ column: Int, _ row: Int) -> DeepPixels { result(row) + column * DeepPixel.channels }
        for (square, color) in fixed.parts.uniform {
            for row in square.rows {
                color.fill(pixels(square.columns.lowerBound, row), count: square.width)
            }
        }
        guard let spans = fixed.spans else { return }
        let area = try unpack(spans, of: source)
        render(from: area, jacobian: positions.jacobian) { kernel in
            for mixed in fixed.parts.mixed {
                for row in mixed.rows {
                    let column = mixed.columns.lowerBound
                    let first = (row - part.rows.lowerBound) * part.width + column - part.columns.lowerBound
                    kernel(fixed.columns + first, fixed.rows + first, pixels(column, row), mixed.width)
                }
            }
        }
    }

    /// Unpacks pixels of the source; pixels beyond the source are transparent.
    private func unpack(_ spans: PixelSpans, of source: SourceBand) throws -> cr_window {
        let part = spans.window
        let pixels = window.pixels(part.width * part.height)
        try source.unpack(spans, into: pixels, with: kernels)
        let first = part.rows.lowerBound * part.width + part.columns.lowerBound
        return cr_window(origin: pixels - first * DeepPixel.channels, pixels_per_row: part.width)
    }

    /// A kernel of the core with its window and weights filled in; its arguments are positions, result and
    /// count.
    private typealias RowKernel = (
        UnsafePointer<Int32>, UnsafePointer<Int32>, DeepPixels, Int
    ) -> Void

    /// Calls `body` with the kernel of the method; its weights are valid until `body` returns.
    private func render(
        from area: cr_window, jacobian: Jacobian, _ body: (RowKernel) -> Void
    ) {
        let table = kernels.table.pointee
        switch method {
        case .nearest:
            body { cr_pick_row(area, $0, $1, $2, $3) }
        case .mode:
            let mode = ModeScratch(jacobian)
            body { mode.render(area, $0, $1, into: $2, count: $3) }
        case .area:
            footprints.table(jacobian).withFootprint { footprint in
                body { table.warp_row_footprint(area, $0, $1, footprint, $2, $3) }
            }
        case .bilinear, .cubic, .lanczos:
            phaseTable(jacobian.columnScale, .across).withPhases { across in
                phaseTable(jacobian.rowScale, .down).withPhases { down in
                    body { table.warp_row(area, $0, $1, across, down, $2, $3) }
                }
            }
        }
    }

    private func phaseTable(_ scale: Double, _ axis: PhaseTable.Axis) -> PhaseTable {
        let key = PhaseKey(scale: scale, axis: axis)
        if let table = phaseTables[key] { return table }
        guard let kernel = Kernel(method) else { preconditionFailure("\(method) has no kernel") }
        if phaseTables.count >= Self.keptTables { phaseTables.removeAll() }
        let table = PhaseTable(kernel: kernel, scale: scale, axis: axis)
        phaseTables[key] = table
        return table
    }

    /// The columns of a block's row at which the kernel reads nothing beyond the source.
    package func interior(
        of positions: SourcePositions, row: Int, in source: SourceBand
    ) -> Range<Int> {
        let reach = Self.reach(of: method, at: positions.jacobian)
        let isTurn = source.columnsPerTurn != nil
        let left = isTurn ? -.infinity : Double(reach.columns)
        let right = isTurn ? .infinity : Double(source.width - reach.columns)
        let (top, bottom) = (Double(reach.rows), Double(source.height - reach.rows))
        func isInside(_ index: Int) -> Bool {
            let (x, y) = (positions.columns[index], positions.rows[index])
            return x >= left && x <= right && y >= top && y <= bottom
        }
        let indices = row * positions.width..<(row + 1) * positions.width
        guard let first = indices.first(where: isInside), let last = indices.last(where: isInside)
        else { return 0..<0 }
        return first - indices.lowerBound..<last + 1 - indices.lowerBound
    }

    /// Its memory in bytes, with the positions of a block of `edge * edge` pixels: its window in the source,
    /// which is widest at a turn of 45 degrees and at most `windowPixels`; positions, as doubles and in fixed
    /// point; and the weights of one shape.
    ///
    /// - Parameter scale: source pixels per pixel of the block, along an axis.
    package static func bytes(edge: Int, scale: Double, method: ResamplingMethod) -> Int {
        let turned = scale / 2.0.squareRoot()
        let jacobian = Jacobian(
            columnPerX: turned, columnPerY: turned, rowPerX: -turned, rowPerY: turned
        ).limited(for: method)
        let reach = reach(of: method, at: jacobian)
        let middle = Int((Double(edge) * jacobian.columnReach).rounded(.up))
        let side = 2 * (middle + max(reach.columns, reach.rows))
        let positions = edge * edge * (2 * MemoryLayout<Double>.size + 2 * MemoryLayout<Int32>.size)
        return min(side * side, windowPixels) * DeepPixel.bytes + positions
            + (method == .area ? FootprintTable.bytes(jacobian) : 0)
    }
}

extension PixelWindow {
    /// The two halves across the longer side.
    fileprivate var halves: [PixelWindow] {
        func halves(_ range: Range<Int>) -> [Range<Int>] {
            let middle = range.lowerBound + range.count / 2
            return [range.lowerBound..<middle, middle..<range.upperBound]
        }
        if width > height {
            return halves(columns).map { PixelWindow(columns: $0, rows: rows) }
        }
        return halves(rows).map { PixelWindow(columns: columns, rows: $0) }
    }
}

/// Counts the pixels that a pixel of the result covers, and returns the most frequent.
struct ModeScratch {
    private let reach: (columns: Int, rows: Int)
    private let values: [UInt64]

    /// Prepares for a Jacobian. The box around the result's pixel has an odd width and height in pixels.
    init(_ jacobian: Jacobian) {
        reach = (Int(jacobian.columnReach), Int(jacobian.rowReach))
        values = Array(repeating: 0, count: (2 * reach.columns + 1) * (2 * reach.rows + 1))
    }

    /// Renders a row of pixels.
    func render(
        _ area: cr_window, _ x: UnsafePointer<Int32>, _ y: UnsafePointer<Int32>,
        into result: DeepPixels, count: Int
    ) {
        var values = values
        var counts = values.map { _ in UInt32(0) }
        cr_mode_row(
            area, x, y, Int32(reach.columns), Int32(reach.rows), &values, &counts, result, count)
    }
}
