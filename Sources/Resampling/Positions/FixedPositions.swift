internal import CKernels
internal import Tiling

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

extension SourcePositions {
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
