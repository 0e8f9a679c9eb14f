import CKernels
package import Tiling

/// The source positions of a block of the result's pixels, row by row: columns and rows of the source from
/// its top-left corner; nan if a pixel has no source.
///
/// One object is reused for many blocks: new memory for each would cost as much as a tenth of rendering it.
package final class SourcePositions {
    /// Pixels per row of the block.
    package private(set) var width: Int
    /// Rows of the block.
    package private(set) var height: Int
    /// Source columns; the array may be longer than the block.
    package var columns: [Double]
    /// Source rows, likewise.
    package var rows: [Double]
    /// The change of the positions; one Jacobian is enough for the block, which is small.
    package private(set) var jacobian: Jacobian

    /// Makes a block of positions; both arrays hold `width * height` elements.
    package init(
        width: Int, height: Int, columns: [Double], rows: [Double], jacobian: Jacobian
    ) {
        self.width = width
        self.height = height
        self.columns = columns
        self.rows = rows
        self.jacobian = jacobian
    }

    /// Begins another block, with undefined positions.
    package func begin(width: Int, height: Int, jacobian: Jacobian) {
        (self.width, self.height, self.jacobian) = (width, height, jacobian)
        let missing = max(0, width * height - columns.count)
        columns.append(contentsOf: repeatElement(.nan, count: missing))
        rows.append(contentsOf: repeatElement(.nan, count: missing))
    }

    /// Calls `body` with the column and the row of the first pixel of a part.
    fileprivate func withPixels(
        of part: PixelWindow, _ body: (UnsafePointer<Double>, UnsafePointer<Double>) -> Void
    ) {
        let first = part.rows.lowerBound * width + part.columns.lowerBound
        columns.withUnsafeBufferPointer { columns in
            rows.withUnsafeBufferPointer { rows in
                guard let x = columns.baseAddress, let y = rows.baseAddress else { return }
                body(x + first, y + first)
            }
        }
    }
}

extension Kernels {
    /// Writes evenly spaced positions on a line: `start + step * (first + index)`.
    package func interpolate(
        from start: Double, step: Double, first: Double, into result: UnsafeMutableBufferPointer<Double>
    ) {
        guard let line = result.baseAddress else { return }
        table.pointee.interpolate_row(start, step, first, line, result.count)
    }
}

/// The source positions of a part of a block, rounded to fractions of a pixel, and the source pixels that
/// their kernels touch.
struct FixedPositions {
    /// Columns in the format of the core; `Int32.min` if a pixel's kernel does not touch the source.
    let columns: UnsafeMutablePointer<Int32>
    /// Rows, likewise; 0 if the column is `Int32.min`.
    let rows: UnsafeMutablePointer<Int32>
    /// The source pixels that the kernels of mixed parts touch, which may be beyond the source; nil if there
    /// are none.
    let spans: PixelSpans?
    /// The parts whose kernels read only one colour, and the mixed parts, in pixels of the block.
    let parts: SolidRegions

    /// Rounds positions.
    ///
    /// - Parameters:
    ///   - reach: the reach of a kernel from its position in source pixels.
    ///   - scratch: holds the positions until its next use.
    init(
        _ part: PixelWindow, of positions: SourcePositions, on grid: PositionGrid,
        in source: SourceBand, reach: (columns: Int, rows: Int), with kernels: Kernels,
        scratch: inout Scratch<Int32>
    ) {
        // Around the world, a position may be up to half a turn beyond an edge.
        let beyond = max(reach.columns, (source.columnsPerTurn ?? 0) / 2)
        let limits = cr_position_limits(
            low_x: -Double(beyond), high_x: Double(source.width + beyond),
            low_y: -Double(reach.rows), high_y: Double(source.height + reach.rows))
        let count = part.width * part.height
        let column = scratch.room(2 * count)
        let row = column + count
        var touched: [PixelWindow] = []
        let squareSize = source.knowsColors ? SourceRows.blockColumns : Self.squareSize
        let across = part.columns.cut(every: squareSize)
        var colors: [DeepColor?] = []
        for squareRows in part.rows.cut(every: squareSize) {
            for square in across.map({ PixelWindow(columns: $0, rows: squareRows) }) {
                var extent = cr_position_extent(min_x: .max, max_x: .min, min_y: .max, max_y: .min)
                let first =
                    (square.rows.lowerBound - part.rows.lowerBound) * part.width
                    + square.columns.lowerBound - part.columns.lowerBound
                positions.withPixels(of: square) { x, y in
                    let block = cr_position_block(
                        x: x, y: y, stride: positions.width, fixed_x: column + first, fixed_y: row + first,
                        fixed_stride: part.width, columns: square.width, rows: square.height)
                    kernels.table.pointee.fix_block(block, grid.core, limits, &extent)
                }
                guard extent.min_x <= extent.max_x else {
                    colors.append(.transparent)
                    continue
                }
                let reads = grid.touched(extent, reach: reach)
                colors.append(source.uniformColor(of: reads, with: kernels))
                if colors.last == .some(nil) { touched.append(reads) }
            }
        }
        (columns, rows, spans) = (column, row, PixelSpans(around: touched))
        parts = SolidRegions(of: part, size: squareSize) { _, column, row in
            colors[row * across.count + column]
        }
    }

    /// Pixels along the edge of the squares whose kernels are combined. They are small enough to skip the
    /// part of the window that a turned block does not need, up to half of it, and large enough to cost
    /// almost no time.
    private static let squareSize = 32
}

/// The fractions of a pixel to which source positions are rounded, and the origin from which they count.
///
/// The last bits of a coordinate transform differ between machines. Rounding a position before it selects
/// pixels or weights keeps them out of the result.
struct PositionGrid {
    /// The grid in the format of the core. A step is shifted left to where the core expects whole pixels.
    let core: cr_position_grid
    private let bitsPerPixel: Int32

    init(method: ResamplingMethod, jacobian: Jacobian, footprints: FootprintPrecision) {
        switch method {
        case .nearest, .mode:
            // Whole pixels: with an offset of half a pixel, rounding is rounding down.
            core = cr_position_grid(origin: 0.5, steps: 1, unit: 1)
            bitsPerPixel = 0
        case .area:
            let phaseBits = footprints.phaseBits(of: jacobian)
            core = cr_position_grid(
                origin: 0, steps: Double(1 << phaseBits),
                unit: 1 << (CR_POSITION_BITS - Int32(phaseBits)))
            bitsPerPixel = CR_POSITION_BITS
        case .bilinear, .cubic, .lanczos:
            core = cr_position_grid(origin: 0.5, steps: Double(1 << CR_POSITION_BITS), unit: 1)
            bitsPerPixel = CR_POSITION_BITS
        }
    }

    /// The source pixels that kernels at the given positions touch.
    func touched(_ extent: cr_position_extent, reach: (columns: Int, rows: Int)) -> PixelWindow {
        func whole(_ fixed: Int32) -> Int { Int(fixed >> bitsPerPixel) }
        return PixelWindow(
            columns: whole(extent.min_x) - reach.columns..<whole(extent.max_x) + reach.columns + 1,
            rows: whole(extent.min_y) - reach.rows..<whole(extent.max_y) + reach.rows + 1)
    }
}

extension Jacobian {
    /// The derivatives, limited so that no kernel is wider than its time and memory are worth.
    ///
    /// Except at the edge of an extreme perspective, only methods that copy pixels shrink by more than a
    /// small factor. A weighted sum spans at most 64 pixels: then a table of `area` takes 2 MB. The box of
    /// `mode` spans at most 2048 pixels: 50 MB of counts.
    package func limited(for method: ResamplingMethod) -> Jacobian {
        let limit = method.copiesPixels ? 1024.0 : 64
        func cut(_ value: Double) -> Double { min(max(value, -limit), limit) }
        return Jacobian(
            columnPerX: cut(columnPerX), columnPerY: cut(columnPerY), rowPerX: cut(rowPerX),
            rowPerY: cut(rowPerY))
    }
}
