internal import Platform

/// An image whose rows are shown to someone else while they are read, many at a time.
package final class WatchedSource: RasterSource {
    /// The image's.
    package let info: RasterInfo
    /// How long the image's own rows have taken.
    package private(set) var decodingTime = Duration.zero

    private let base: any RasterSource
    private let watch: (_ rows: Range<Int>, _ pixels: UnsafeRawPointer) -> Void
    private let memory: MappedMemory
    private let rowBytes: Int
    private let rowsAtOnce: Int
    /// The rows that are in memory.
    private var held = 0..<0
    private var row = 0

    /// Rows that are decoded at once of a file that has no pieces.
    private static let fewRows = 64

    /// Watches an image that is read to its end.
    ///
    /// - Parameter watch: is shown rows without gaps, once each and in order.
    /// - Throws: a `Failure` if there is not enough memory.
    package init(
        _ base: any RasterSource, watch: @escaping (_ rows: Range<Int>, _ pixels: UnsafeRawPointer) -> Void
    ) throws {
        (self.base, self.watch, info) = (base, watch, base.info)
        rowBytes = info.width * info.pixelFormat.bytesPerPixel
        rowsAtOnce = base.windows?.blockSize.height ?? Self.fewRows
        memory = try MappedMemory(rowBytes * min(rowsAtOnce, max(1, info.height)))
    }

    /// Decodes the next rows; see `RasterSource`.
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
