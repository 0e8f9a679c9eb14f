import CKernels
package import Raster
package import Tiling

/// The pixels of a source image as they were decoded: rows in memory, or blocks that are read on demand.
package struct SourceBand: Sendable {
    /// The storage of the pixels.
    package enum Storage: Sendable {
        /// By rows; the caller knows which rows are in memory.
        case rows(SourceRows)
        /// In the file; each block may be read at any time.
        case blocks(BlockCache)
    }

    /// The storage of the pixels.
    package let storage: Storage
    /// The format of the pixels; that of a block may differ.
    package let format: PixelFormat
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

    /// Describes the pixels of a source.
    package init(_ storage: Storage, format: PixelFormat, width: Int, height: Int) {
        (self.storage, self.format, self.width, self.height) = (storage, format, width, height)
    }

    /// The rows in memory; nil if the source is read by blocks.
    private var rows: SourceRows? { if case .rows(let rows) = storage { rows } else { nil } }

    /// Whether enough single-coloured parts are known for asking to pay off.
    package var knowsColors: Bool { ground == nil && rows?.knowsColors ?? false }

    /// The colour of a part of the source, if all its pixels are known to have the same.
    ///
    /// - Returns: nil otherwise, or if the part reaches beyond the source or to an edge that cuts pixels.
    package func uniformColor(of part: PixelWindow, with kernels: Kernels) -> DeepColor? {
        guard let rows, ground == nil, !part.isEmpty,
            part.rows.lowerBound >= 0, part.rows.upperBound <= height,
            hasWholePixels(inColumns: part.columns), isWhole(part.rows, edges.rows)
        else { return nil }
        return rows.pixel(of: part).map { pixel in
            withUnsafePointer(to: pixel) { DeepColor(unpacking: $0, as: format, with: kernels) }
        }
    }

    /// Whether no edge of the image cuts pixels of some columns, or is before them.
    func hasWholePixels(inColumns columns: Range<Int>) -> Bool {
        columns.lowerBound >= 0 && columns.upperBound <= width && isWhole(columns, edges.columns)
    }

    /// The source in the format of the core. Nil if its pixels are not in memory by rows, or if some pixels
    /// of a part are cut by an edge, are not on the Earth, or are beyond the other end of the world.
    func plainPixels(of part: PixelWindow) -> cr_source? {
        let inside = part.intersection(PixelWindow(columns: 0..<width, rows: 0..<height))
        guard let rows, ground == nil, isWhole(inside.columns, edges.columns),
            isWhole(inside.rows, edges.rows), columnsPerTurn == nil || inside.columns == part.columns
        else { return nil }
        return rows.source(width: width)
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
        case .rows(let rows):
            rows.forEachRow(of: window) { row, pixels in
                let columns = spans.columns(inRow: row)
                if columns.isEmpty { return }
                body(pixels + columns.lowerBound * format.bytesPerPixel, format, columns, row)
            }
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
