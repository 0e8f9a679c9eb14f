import Platform
package import Tiling

/// Parts of an image that have been decoded: they can be read any number of times and in any order.
package final class HeldPixels: RasterSource, WindowReader, @unchecked Sendable {
    // Unchecked: pixels are stored before any are read.

    /// A part of the image.
    package struct Part: Sendable {
        let window: PixelWindow
        let memory: MappedMemory

        /// Describes a part, whose rows have no gaps.
        package init(window: PixelWindow, memory: MappedMemory) {
            (self.window, self.memory) = (window, memory)
        }
    }

    /// The image's description, without its decoder's memory.
    package let info: RasterInfo
    /// Columns and rows of the pieces in which it is read.
    package let blockSize = (width: 256, height: 256)

    private let parts: [Part]
    /// The next row for reading from the top.
    private var row = 0

    /// Makes an image of decoded parts, which do not overlap.
    package init(_ info: RasterInfo, parts: [Part]) {
        var held = info
        (held.decoderBytes, held.decoderBytesPerTask, held.mostTasks) = (0, 0, .max)
        (held.reductions, held.secondsPerPixel) = ([], 0)
        (self.info, self.parts) = (held, parts)
    }

    /// Allocates memory for all of an image, whose rows are stored later.
    ///
    /// - Throws: a `Failure` if there is not enough memory.
    package convenience init(whole info: RasterInfo) throws {
        let memory = try MappedMemory(max(1, info.pixelBytes))
        self.init(info, parts: [Part(window: info.window, memory: memory)])
    }

    /// Stores the parts of some rows, which have no gaps.
    package func store(_ rows: Range<Int>, from pixels: UnsafeRawPointer) {
        let bytes = info.pixelFormat.bytesPerPixel
        for part in parts {
            for row in rows.clamped(to: part.window.rows) {
                let source = (row - rows.lowerBound) * info.width + part.window.columns.lowerBound
                (part.memory.start + (row - part.window.rows.lowerBound) * part.window.width * bytes)
                    .copyMemory(
                        from: pixels + source * bytes, byteCount: part.window.width * bytes)
            }
        }
    }

    /// The image itself: it can be read by windows.
    package var windows: (any WindowReader)? { self }

    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        read(PixelWindow(columns: 0..<info.width, rows: row..<row + count), into: destination, stride: stride)
        row += count
    }

    /// Copies a window; pixels that were not kept are zero.
    package func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) {
        let bytes = info.pixelFormat.bytesPerPixel
        if !parts.contains(where: { $0.window.intersection(window) == window }) {
            for row in 0..<window.height {
                (destination + row * stride).initializeMemory(
                    as: UInt8.self, repeating: 0, count: window.width * bytes)
            }
        }
        for part in parts {
            let common = part.window.intersection(window)
            for row in common.rows where !common.isEmpty {
                let source =
                    (row - part.window.rows.lowerBound) * part.window.width + common.columns.lowerBound
                    - part.window.columns.lowerBound
                let target =
                    (row - window.rows.lowerBound) * stride
                    + (common.columns.lowerBound - window.columns.lowerBound) * bytes
                (destination + target).copyMemory(
                    from: part.memory.start + source * bytes, byteCount: common.width * bytes)
            }
        }
    }
}

/// An image that also passes its rows to a watcher while they are read, many at a time.
package final class WatchedSource: RasterSource {
    /// The image's description.
    package let info: RasterInfo
    /// The time that decoding the rows has taken.
    package private(set) var decodingTime = Duration.zero

    private let base: any RasterSource
    private let watch: (_ rows: Range<Int>, _ pixels: UnsafeRawPointer) -> Void
    private let memory: MappedMemory
    private let rowBytes: Int
    private let rowsAtOnce: Int
    /// The rows that are in memory.
    private var held = 0..<0
    private var row = 0

    /// Rows that are decoded at a time if the file has no blocks.
    private static let fewRows = 64

    /// Watches an image that is read to its end.
    ///
    /// - Parameter watch: gets rows without gaps, each once and in order.
    /// - Throws: a `Failure` if there is not enough memory.
    package init(
        _ base: any RasterSource, watch: @escaping (_ rows: Range<Int>, _ pixels: UnsafeRawPointer) -> Void
    ) throws {
        (self.base, self.watch, info) = (base, watch, base.info)
        rowBytes = info.width * info.pixelFormat.bytesPerPixel
        rowsAtOnce = base.windows?.blockSize.height ?? Self.fewRows
        memory = try MappedMemory(rowBytes * min(rowsAtOnce, max(1, info.height)))
    }

    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        for index in 0..<count {
            if row == held.upperBound { try decode() }
            (destination + index * stride).copyMemory(
                from: memory.start + (row - held.lowerBound) * rowBytes, byteCount: rowBytes)
            row += 1
        }
    }

    private func decode() throws {
        held = held.upperBound..<min(held.upperBound + rowsAtOnce, info.height)
        let (clock, base) = (ContinuousClock(), base)
        let start = clock.now
        try base.readRows(held.count, into: memory.start, stride: rowBytes)
        decodingTime += clock.now - start
        watch(held, memory.start)
    }
}
