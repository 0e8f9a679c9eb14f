internal import CKernels
internal import Tiling

/// The source positions of a part of a block, fixed to fractions of a pixel, and the source pixels
/// that their kernels touch.
struct FixedPositions {
    /// Columns as the core takes them; `Int32.min` if a pixel's kernel does not touch the source.
    let columns: [Int32]
    /// Rows likewise; 0 if the column is `Int32.min`.
    let rows: [Int32]
    /// The source pixels that all kernels together touch; may reach beyond the source.
    let window: PixelWindow

    /// Fixes positions; nil if no kernel touches the source.
    ///
    /// - Parameter reach: source pixels that a kernel reaches from its position.
    init?(
        _ part: PixelWindow, of positions: SourcePositions, on grid: PositionGrid,
        in source: SourceBand, reach: (columns: Int, rows: Int), with kernels: Kernels
    ) {
        // Around the world, a position may lie up to half a turn beyond an edge.
        let beyond = max(reach.columns, (source.columnsPerTurn ?? 0) / 2)
        let limits = cr_position_limits(
            low_x: -Double(beyond), high_x: Double(source.width + beyond),
            low_y: -Double(reach.rows), high_y: Double(source.height + reach.rows))
        var extent = cr_position_extent(
            min_x: .max, max_x: .min, min_y: .max, max_y: .min)
        var columns = [Int32](repeating: 0, count: part.width * part.height)
        var rows = columns
        columns.withUnsafeMutableBufferPointer { columns in
            rows.withUnsafeMutableBufferPointer { rows in
                positions.forEachRow(of: part) { first, x, y in
                    guard let column = columns.baseAddress, let row = rows.baseAddress else {
                        return
                    }
                    kernels.table.pointee.fix_row(
                        x, y, grid.core, limits, column + first, row + first, &extent, part.width)
                }
            }
        }
        guard extent.min_x <= extent.max_x else { return nil }
        (self.columns, self.rows) = (columns, rows)
        window = PixelWindow(
            columns: grid.whole(extent.min_x) - reach.columns..<grid.whole(extent.max_x)
                + reach.columns + 1,
            rows: grid.whole(extent.min_y) - reach.rows..<grid.whole(extent.max_y) + reach.rows + 1)
    }
}

extension SourcePositions {
    /// Calls with the columns and rows of each row of a part, and where that row begins in the part.
    fileprivate func forEachRow(
        of part: PixelWindow, _ body: (Int, UnsafePointer<Double>, UnsafePointer<Double>) -> Void
    ) {
        columns.withUnsafeBufferPointer { columns in
            rows.withUnsafeBufferPointer { rows in
                guard let x = columns.baseAddress, let y = rows.baseAddress else { return }
                for (index, row) in part.rows.enumerated() {
                    let first = row * width + part.columns.lowerBound
                    body(index * part.width, x + first, y + first)
                }
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

    /// The whole pixel of a fixed position.
    func whole(_ fixed: Int32) -> Int { Int(fixed >> bitsPerPixel) }
}
