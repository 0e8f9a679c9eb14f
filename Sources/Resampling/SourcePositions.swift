import CKernels
import Tiling

/// The source positions of a block of pixels of the result, row by row: columns and rows of the
/// source from its top-left corner; not a number if a pixel has no source.
///
/// One is used for many blocks: fresh memory for each would cost as much as a tenth of rendering it.
package final class SourcePositions {
    /// Pixels per row of the block.
    package private(set) var width: Int
    /// Rows of the block.
    package private(set) var height: Int
    /// Source columns; there is room for more behind those of the block.
    package var columns: [Double]
    /// Source rows likewise.
    package var rows: [Double]
    /// How they change; one for the block, which is small.
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

    /// Begins another block, of whose pixels nothing is known.
    package func begin(width: Int, height: Int, jacobian: Jacobian) {
        (self.width, self.height, self.jacobian) = (width, height, jacobian)
        let missing = max(0, width * height - columns.count)
        columns.append(contentsOf: repeatElement(.nan, count: missing))
        rows.append(contentsOf: repeatElement(.nan, count: missing))
    }

    /// Calls with the column and the row of the first pixel of a part.
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
    /// Writes positions that lie evenly on a line: `start + step * (first + index)`.
    package func interpolate(
        from start: Double, step: Double, first: Double, into result: UnsafeMutableBufferPointer<Double>
    ) {
        guard let line = result.baseAddress else { return }
        table.pointee.interpolate_row(start, step, first, line, result.count)
    }
}

/// How the source position changes with the pixel of the result: source pixels per pixel.
package struct Jacobian: Hashable, Sendable {
    /// Source columns per step right.
    package var columnPerX: Double
    /// Source columns per step down.
    package var columnPerY: Double
    /// Source rows per step right.
    package var rowPerX: Double
    /// Source rows per step down.
    package var rowPerY: Double

    /// Makes a Jacobian from its four derivatives.
    package init(columnPerX: Double, columnPerY: Double, rowPerX: Double, rowPerY: Double) {
        self.columnPerX = columnPerX
        self.columnPerY = columnPerY
        self.rowPerX = rowPerX
        self.rowPerY = rowPerY
    }

    /// How much a kernel along source rows must widen to cover the result's pixel; at least 1.
    package var columnScale: Double { max(1, Self.length(columnPerX, columnPerY)) }

    /// How much a kernel down source columns must widen; at least 1.
    package var rowScale: Double { max(1, Self.length(rowPerX, rowPerY)) }

    /// Half the width of the box around the result's pixel in the source.
    package var columnReach: Double { (abs(columnPerX) + abs(columnPerY)) / 2 }

    /// Half the height of that box.
    package var rowReach: Double { (abs(rowPerX) + abs(rowPerY)) / 2 }

    /// The derivatives of columns, and those of rows, rounded to a multiple of the larger's power of
    /// two over `2^bits`; each on their own, so that pixels a hundred times as long as wide keep both.
    ///
    /// Weights are computed once per distinct Jacobian. Rounding it makes neighbours share them,
    /// and keeps the last bits of a coordinate transform from choosing weights.
    package func rounded(bits: Int) -> Jacobian {
        func rounded(_ x: Double, _ y: Double) -> (Double, Double) {
            let largest = max(abs(x), abs(y))
            guard largest > 0, largest.isFinite else { return (x, y) }
            let step = Double(sign: .plus, exponent: largest.exponent - bits, significand: 1)
            return ((x / step).rounded() * step, (y / step).rounded() * step)
        }
        let (columns, rows) = (rounded(columnPerX, columnPerY), rounded(rowPerX, rowPerY))
        return Jacobian(
            columnPerX: columns.0, columnPerY: columns.1, rowPerX: rows.0, rowPerY: rows.1)
    }

    /// The derivatives, limited so that no kernel is wider than is worth its time and memory.
    ///
    /// Elsewhere than at the edge of an extreme perspective, only methods that copy pixels shrink by
    /// more than a few. A weighted sum spans at most 64 pixels then: a table of `area` takes 2 MB.
    /// The box of `mode` spans at most 2048: 50 MB of counts.
    package func limited(for method: ResamplingMethod) -> Jacobian {
        let limit = method.copiesPixels ? 1024.0 : 64
        func cut(_ value: Double) -> Double { min(max(value, -limit), limit) }
        return Jacobian(
            columnPerX: cut(columnPerX), columnPerY: cut(columnPerY), rowPerX: cut(rowPerX),
            rowPerY: cut(rowPerY))
    }

    private static func length(_ a: Double, _ b: Double) -> Double {
        (a * a + b * b).squareRoot()
    }
}

/// The source positions of a part of a block, fixed to fractions of a pixel, and the source pixels
/// that their kernels touch.
struct FixedPositions {
    /// Columns as the core takes them; `Int32.min` if a pixel's kernel does not touch the source.
    let columns: UnsafeMutablePointer<Int32>
    /// Rows likewise; 0 if the column is `Int32.min`.
    let rows: UnsafeMutablePointer<Int32>
    /// The source pixels that the kernels of mixed parts touch; they may lie beyond the source. Nil if there are none.
    let spans: PixelSpans?
    /// Parts whose kernels see one colour alone, and mixed ones. In pixels of the block.
    let parts: SolidRegions

    /// Fixes positions.
    ///
    /// - Parameters:
    ///   - reach: source pixels that a kernel reaches from its position.
    ///   - scratch: holds the positions until others are fixed with it.
    init(
        _ part: PixelWindow, of positions: SourcePositions, on grid: PositionGrid,
        in source: SourceBand, reach: (columns: Int, rows: Int), with kernels: Kernels,
        scratch: PositionScratch
    ) {
        // Around the world, a position may lie up to half a turn beyond an edge.
        let beyond = max(reach.columns, (source.columnsPerTurn ?? 0) / 2)
        let limits = cr_position_limits(
            low_x: -Double(beyond), high_x: Double(source.width + beyond),
            low_y: -Double(reach.rows), high_y: Double(source.height + reach.rows))
        let (column, row) = scratch.positions(part.width * part.height)
        var touched: [PixelWindow] = []
        let squareSize = source.knowsColors ? UniformBlocks.columns : Self.squareSize
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

    /// Pixels along the edge of the squares whose kernels are taken together: small enough that what a
    /// turned block does not need, up to half of its window, is left out, and large enough to take next
    /// to no time.
    private static let squareSize = 32
}

/// Room for the fixed positions of one worker.
final class PositionScratch {
    private var memory = Scratch<Int32>()

    /// Room for some columns and as many rows, until others are asked for; their values are not defined.
    func positions(_ count: Int) -> (columns: UnsafeMutablePointer<Int32>, rows: UnsafeMutablePointer<Int32>)
    {
        let first = memory.room(2 * count)
        return (first, first + count)
    }
}

/// The fractions of a pixel to which source positions are fixed, and the point from which they count.
///
/// Fixing a position before it chooses pixels or weights keeps the last bits of a coordinate
/// transform, which differ between machines, out of the result.
struct PositionGrid {
    /// The grid as the core takes it. A step is moved up to where the core expects whole pixels.
    let core: cr_position_grid
    private let bitsPerPixel: Int32

    init(method: ResamplingMethod, jacobian: Jacobian, footprints: FootprintPrecision) {
        switch method {
        case .nearest, .mode:
            // Whole pixels: half a pixel off, rounding is rounding down.
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

    /// The source pixels that kernels touch around positions.
    func touched(_ extent: cr_position_extent, reach: (columns: Int, rows: Int)) -> PixelWindow {
        func whole(_ fixed: Int32) -> Int { Int(fixed >> bitsPerPixel) }
        return PixelWindow(
            columns: whole(extent.min_x) - reach.columns..<whole(extent.max_x) + reach.columns + 1,
            rows: whole(extent.min_y) - reach.rows..<whole(extent.max_y) + reach.rows + 1)
    }
}
