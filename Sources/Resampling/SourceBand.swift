import CKernels
package import Raster
package import Tiling

/// The pixels of a source image as they were decoded: rows in memory, or blocks that are read on demand.
package struct SourceBand: Sendable {
    /// The storage of the pixels.
    package enum Storage: Sendable {
        /// In a band, by their row in the source; the caller knows which rows are in memory. If most blocks
        /// have one colour, rows may be compact; see `UniformBlocks`.
        case rows(RowBand)
        /// In the file; each block may be read at any time.
        case blocks(BlockCache)
    }

    /// The storage of the pixels.
    package let storage: Storage
    /// The format of the pixels; that of a block may differ.
    package let format: PixelFormat
    /// The source column of the first pixel of rows in memory.
    package var firstColumn = 0
    /// Columns of the source.
    package let width: Int
    /// Rows of the source.
    package let height: Int
    /// The image's edges in pixels, if they are not between pixels: the part of a pixel beyond an edge is
    /// transparent.
    package var edges = (
        columns: -Double.infinity...Double.infinity, rows: -Double.infinity...Double.infinity
    )

    /// The pixels on the Earth; nil if all are.
    package var ground: GroundPixels?

    /// The number of columns after which an image of the whole world repeats; nil if it ends at its edges.
    package var columnsPerTurn: Int?

    /// The single-coloured parts of the rows in memory.
    private let uniform: UniformBlocks?

    /// Describes the pixels of a source.
    ///
    /// - Parameter columnsInMemory: the columns of each row in memory; all by default.
    package init(
        _ storage: Storage, format: PixelFormat, width: Int, height: Int, columnsInMemory: Int? = nil
    ) {
        self.storage = storage
        self.format = format
        self.width = width
        self.height = height
        uniform =
            switch storage {
            case .rows(let band): UniformBlocks(width: columnsInMemory ?? width, capacity: band.capacity)
            case .blocks: nil
            }
    }

    /// The height of the runs of rows in which single-coloured parts are found.
    package static let surveyedRows = UniformBlocks.rows

    /// Looks for single-coloured parts in rows that were read into memory.
    ///
    /// Parts that were only examined in pieces count as mixed.
    package func survey(_ rows: Range<Int>) {
        if case .rows(let band) = storage { uniform?.survey(rows, of: band, format: format) }
    }

    /// The buffer for new rows that are to be kept compact; nil if they go straight into the band.
    ///
    /// - Parameter rows: rows of one run of `surveyedRows`.
    package func roomForCompact(_ rows: Range<Int>) -> UnsafeMutableRawPointer? {
        guard case .rows(let band) = storage else { return nil }
        return uniform?.room(for: rows, of: band).map { UnsafeMutableRawPointer($0) }
    }

    /// Keeps the rows in the buffer compact, and looks for single-coloured parts in them.
    package func keepCompact(_ rows: Range<Int>) {
        if case .rows(let band) = storage { uniform?.keepCompact(rows, of: band, format: format) }
    }

    /// The rows of a band that keeps whole rows of blocks, for `rows` rows needed at a time. More are kept: a
    /// new block may begin up to a block's height before the last needed row, and the block that it replaces
    /// may end that far after the first needed row.
    package static func capacity(forRows rows: Int) -> Int {
        let size = UniformBlocks.rows
        return (rows + 2 * (size - 1)) / size * size
    }

    /// Bytes for the colours of rows in memory.
    package static func colorBytes(width: Int, capacity: Int) -> Int {
        UniformBlocks.bytes(width: width, capacity: capacity)
    }

    /// Bytes of the buffer for rows that are to be kept compact.
    package static func incomingBytes(rowBytes: Int) -> Int { UniformBlocks.rows * rowBytes }

    /// Whether enough single-coloured parts are known for asking to pay off.
    package var knowsColors: Bool { ground == nil && uniform?.areMany ?? false }

    /// The colour of a part of the source, if all its pixels are known to have the same.
    ///
    /// - Returns: nil otherwise, or if the part reaches beyond the source or to an edge that cuts pixels.
    package func uniformColor(of part: PixelWindow, with kernels: Kernels) -> DeepColor? {
        guard let uniform, ground == nil, !part.isEmpty,
            part.rows.lowerBound >= 0, part.rows.upperBound <= height,
            hasWholePixels(inColumns: part.columns), isWhole(part.rows, edges.rows)
        else { return nil }
        let columns = part.columns.lowerBound - firstColumn..<part.columns.upperBound - firstColumn
        guard
            let pixel = uniform.pixel(of: PixelWindow(columns: columns, rows: part.rows))
        else { return nil }
        return withUnsafePointer(to: pixel) { DeepColor(unpacking: $0, as: format, with: kernels) }
    }

    /// Whether no edge of the image cuts pixels of some columns, or is before them.
    func hasWholePixels(inColumns columns: Range<Int>) -> Bool {
        columns.lowerBound >= 0 && columns.upperBound <= width && isWhole(columns, edges.columns)
    }

    /// The source in the format of the core. Nil if its pixels are not in memory by rows, or if some pixels
    /// of a part are cut by an edge, are not on the Earth, or are beyond the other end of the world.
    func plainPixels(of part: PixelWindow) -> cr_source? {
        let inside = part.intersection(PixelWindow(columns: 0..<width, rows: 0..<height))
        guard case .rows(let band) = storage, ground == nil, isWhole(inside.columns, edges.columns),
            isWhole(inside.rows, edges.rows), columnsPerTurn == nil || inside.columns == part.columns
        else { return nil }
        return core(band)
    }

    private func core(_ band: RowBand) -> cr_source {
        cr_source(
            rows: cr_row_ring(first: band.row(0), stride: band.stride, capacity: Int32(band.capacity)),
            blocks: uniform?.core ?? cr_block_ring(), first_column: Int32(firstColumn), width: Int32(width),
            height: Int32(height), bytes_per_pixel: Int32(format.bytesPerPixel))
    }

    /// Whether no edge cuts through some pixels.
    private func isWhole(_ pixels: Range<Int>, _ edges: ClosedRange<Double>) -> Bool {
        Double(pixels.lowerBound) >= edges.lowerBound && Double(pixels.upperBound) <= edges.upperBound
    }

    /// Unpacks pixels of a window as deep pixels, rows without gaps. Pixels beyond the source are
    /// transparent, unless the source leads around the world. Pixels that are not needed stay unchanged.
    func unpack(
        _ spans: PixelSpans, into result: DeepPixels, with kernels: Kernels
    ) throws {
        let window = spans.window
        guard let turn = columnsPerTurn else {
            return try unpackWithin(spans, into: result, pixelsPerRow: window.width, with: kernels)
        }
        var column = window.columns.lowerBound
        while column < window.columns.upperBound {
            let isInside = (0..<width).contains(column)
            let start = isInside ? column : column - floorDivide(column, turn) * turn
            let end = min(start + window.columns.upperBound - column, isInside ? width : turn)
            try unpackWithin(
                PixelSpans(all: PixelWindow(columns: start..<end, rows: window.rows)),
                into: result + (column - window.columns.lowerBound) * DeepPixel.channels,
                pixelsPerRow: window.width, with: kernels)
            column += end - start
        }
    }

    private func unpackWithin(
        _ spans: PixelSpans, into result: DeepPixels, pixelsPerRow: Int, with kernels: Kernels
    ) throws {
        let window = spans.window
        func pixels(_ column: Int, _ row: Int) -> DeepPixels {
            let index =
                (row - window.rows.lowerBound) * pixelsPerRow + column - window.columns.lowerBound
            return result + index * DeepPixel.channels
        }
        let inside = window.intersection(PixelWindow(columns: 0..<width, rows: 0..<height))
        if inside != window {
            for row in window.rows {
                let columns = spans.columns(inRow: row)
                pixels(columns.lowerBound, row)
                    .update(repeating: 0, count: columns.count * DeepPixel.channels)
            }
        }
        guard !inside.isEmpty else { return }
        let needed = spans
        let spans = inside == window ? spans : spans.clamped(to: inside)
        try forEachRun(of: spans) { source, format, columns, row in
            kernels.unpack(
                source, as: format, into: pixels(columns.lowerBound, row), count: columns.count)
        }
        if let ground { return ground.spread(over: needed, pixels) }
        for row in inside.rows {
            let columns = spans.columns(inRow: row)
            if !columns.isEmpty { fade(row: row, columns: columns, of: pixels(columns.lowerBound, row)) }
        }
    }

    /// Processes a run of pixels of a row.
    private typealias Run = (
        _ pixels: UnsafeRawPointer, _ format: PixelFormat, _ columns: Range<Int>, _ row: Int
    ) -> Void

    /// Calls `body` with runs of pixels that together are those of a window within the source.
    private func forEachRun(of spans: PixelSpans, _ body: Run) throws {
        let window = spans.window
        switch storage {
        case .rows(let band):
            for row in window.rows {
                let columns = spans.columns(inRow: row)
                if columns.isEmpty || uniform?.isCompact(row) == true { continue }
                let offset = (columns.lowerBound - firstColumn) * format.bytesPerPixel
                body(band.row(row) + offset, format, columns, row)
            }
            forEachCompactRun(of: spans, in: band, body)
        case .blocks(let cache):
            try cache.forEachBlock(of: window) { part in
                guard spans.touches(part) else { return }
                let block = try cache.block(column: part.columns.lowerBound, row: part.rows.lowerBound)
                for row in part.rows {
                    let columns = spans.columns(inRow: row).clamped(to: part.columns)
                    if columns.isEmpty { continue }
                    body(
                        block.pixel(column: columns.lowerBound, row: row), block.format, columns, row)
                }
            }
        }
    }

    /// Does so for compact rows.
    private func forEachCompactRun(of spans: PixelSpans, in band: RowBand, _ body: Run) {
        var next = spans.window.rows.lowerBound
        while next < spans.window.rows.upperBound {
            let end = min((next / Self.surveyedRows + 1) * Self.surveyedRows, spans.window.rows.upperBound)
            if uniform?.isCompact(next) == true { gather(next..<end, of: spans, from: band, body) }
            next = end
        }
    }

    /// Gathers rows of a compact row of blocks.
    private func gather(_ rows: Range<Int>, of spans: PixelSpans, from band: RowBand, _ body: Run) {
        let reach = rows.reduce(0..<0) { reach, row in
            let columns = spans.columns(inRow: row)
            return reach.isEmpty ? columns : columns.isEmpty ? reach : reach.hull(with: columns)
        }
        if reach.isEmpty { return }
        let first = reach.lowerBound / UniformBlocks.columns * UniformBlocks.columns
        // The last block may extend beyond the needed columns.
        let stride = (reach.upperBound - first + UniformBlocks.columns) * format.bytesPerPixel
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: rows.count * stride) { memory in
            guard let start = memory.baseAddress else { return }
            var source = core(band)
            cr_gather_blocks(
                &source, cr_span(rows), cr_span(first..<reach.upperBound), start, stride)
            for row in rows {
                let columns = spans.columns(inRow: row)
                if columns.isEmpty { continue }
                let offset = (columns.lowerBound - first) * format.bytesPerPixel
                body(start + (row - rows.lowerBound) * stride + offset, format, columns, row)
            }
        }
    }

    /// Makes the pixels of a run that an edge cuts transparent in proportion to the part beyond the edge.
    private func fade(row: Int, columns: Range<Int>, of pixels: DeepPixels) {
        let share = edges.rows.part(ofPixel: row).length
        if share < 1 { Self.scale(pixels, by: share, count: columns.count) }
        fade(column: 0, columns: columns, of: pixels)
        if width > 1 { fade(column: width - 1, columns: columns, of: pixels) }
    }

    private func fade(column: Int, columns: Range<Int>, of pixels: DeepPixels) {
        guard columns.contains(column) else { return }
        let share = edges.columns.part(ofPixel: column).length
        let pixel = pixels + (column - columns.lowerBound) * DeepPixel.channels
        if share < 1 { Self.scale(pixel, by: share, count: 1) }
    }

    private static func scale(_ pixels: DeepPixels, by share: Double, count: Int) {
        for index in 0..<count * DeepPixel.channels {
            pixels[index] = Int16((Double(pixels[index]) * share).rounded())
        }
    }
}

extension cr_span {
    fileprivate init(_ range: Range<Int>) {
        self.init(first: Int32(range.lowerBound), end: Int32(range.upperBound))
    }
}
