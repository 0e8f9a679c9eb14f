import Raster
import Synchronization
import TestSupport
import Tiling
@testable import Rendering

/// An image in memory, which is read like any other.
struct TestImage: Sendable {
    let info: RasterInfo
    let bytes: [UInt8]

    init(
        width: Int, height: Int, _ format: PixelFormat,
        _ pixel: (_ column: Int, _ row: Int) -> [UInt8]
    ) {
        info = RasterInfo(width: width, height: height, pixelFormat: format, summary: "a test")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * format.bytesPerPixel)
        for row in 0..<height {
            for column in 0..<width { bytes += pixel(column, row) }
        }
        self.bytes = bytes
    }

    /// Gray noise of all frequencies.
    static func noise(width: Int, height: Int) -> TestImage {
        var random = SplitMix(seed: 51)
        return TestImage(width: width, height: height, .gray8) { column, row in
            [UInt8((column * 2 + row) & 127) + UInt8(random.next() & 127)]
        }
    }

    /// Gray that changes slowly in all directions.
    static func smooth(width: Int, height: Int) -> TestImage {
        TestImage(width: width, height: height, .gray8) { column, row in
            [UInt8(64 + (column / 4 + row / 3) % 64)]
        }
    }

    /// One colour everywhere.
    static func flat(_ color: [UInt8], width: Int, height: Int) -> TestImage {
        TestImage(width: width, height: height, .rgb8) { _, _ in color }
    }

    /// A source that begins with the first row, and has windows if it has blocks.
    ///
    /// - Parameter log: where every read is noted.
    func source(
        blockSize: (width: Int, height: Int)? = nil, log: ReadLog? = nil
    ) -> any RasterSource {
        TestSource(
            self, windows: blockSize.map { TestWindows(image: self, blockSize: $0, log: log) },
            log: log)
    }
}

/// What is read of an image. Safe to share.
final class ReadLog: Sendable {
    private let state = Mutex<[PixelWindow]>([])

    /// The windows that were read, in the order of the reads.
    var windows: [PixelWindow] { state.withLock { $0 } }

    /// The rows from the first that was read to the last, and the columns likewise; nil if none was.
    var hull: PixelWindow? {
        let windows = windows
        guard let left = windows.map(\.columns.lowerBound).min(),
            let right = windows.map(\.columns.upperBound).max(),
            let top = windows.map(\.rows.lowerBound).min(),
            let bottom = windows.map(\.rows.upperBound).max()
        else { return nil }
        return PixelWindow(columns: left..<right, rows: top..<bottom)
    }

    fileprivate func add(_ window: PixelWindow) {
        state.withLock { $0.append(window) }
    }
}

private final class TestSource: RasterSource {
    let info: RasterInfo
    let windows: (any WindowReader)?
    private let bytes: [UInt8]
    private let log: ReadLog?
    private var row = 0

    init(_ image: TestImage, windows: (any WindowReader)?, log: ReadLog?) {
        self.windows = windows
        self.log = log
        info = image.info
        bytes = image.bytes
    }

    func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) {
        precondition(row + count <= info.height, "a source is read once, to its end")
        let rowBytes = info.width * info.pixelFormat.bytesPerPixel
        bytes.withUnsafeBytes { bytes in
            for index in 0..<count {
                let line = UnsafeRawBufferPointer(
                    rebasing: bytes[(row + index) * rowBytes..<(row + index + 1) * rowBytes])
                UnsafeMutableRawBufferPointer(start: destination + index * stride, count: rowBytes)
                    .copyMemory(from: line)
            }
        }
        log?.add(PixelWindow(columns: 0..<info.width, rows: row..<row + count))
        row += count
    }
}

private struct TestWindows: WindowReader {
    let image: TestImage
    let blockSize: (width: Int, height: Int)
    let log: ReadLog?

    func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) {
        let size = image.info.pixelFormat.bytesPerPixel
        let inside = PixelWindow(columns: 0..<image.info.width, rows: 0..<image.info.height)
        precondition(window.intersection(inside) == window, "a window lies within the image")
        log?.add(window)
        for (index, row) in window.rows.enumerated() {
            let first = (row * image.info.width + window.columns.lowerBound) * size
            image.bytes[first..<first + window.width * size].withUnsafeBytes {
                (destination + index * stride).copyMemory(
                    from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count)
            }
        }
    }
}

/// Its pixels as a build reads them.
extension TestImage {
    private func rows(keeping count: Int? = nil) throws -> SourceRows {
        try SourceRows(
            columns: 0..<info.width, format: info.pixelFormat,
            capacity: SourceRows.capacity(forRows: count ?? info.height), height: info.height)
    }

    private func band(_ rows: SourceRows) -> SourceBand {
        SourceBand(.rows(rows), format: info.pixelFormat, width: info.width, height: info.height)
    }

    /// All of it, read from the top: blocks of one colour are not stored if there are many.
    func band() throws -> SourceBand {
        let rows = try rows()
        try rows.read(0..<info.height, from: source())
        return band(rows)
    }

    /// All of it, read by windows of some rows.
    func windowBand(rowsAtOnce count: Int) throws -> SourceBand {
        let (rows, windows) = (try rows(), TestWindows(image: self, blockSize: (16, 16), log: nil))
        for part in (0..<info.height).cut(every: count) { try rows.read(part, from: windows) }
        return band(rows)
    }

    /// All of it, without known colours.
    func plainBand() throws -> SourceBand { try windowBand(rowsAtOnce: 1) }

    /// Reads it from the top, into a ring of some rows.
    ///
    /// - Parameter body: is called whenever rows have come in.
    func read(keeping count: Int, _ body: (_ source: SourceBand, _ rows: Range<Int>) throws -> Void) throws {
        let (rows, source) = (try rows(keeping: count), source())
        for part in (0..<info.height).cut(every: SourceRows.blockRows) {
            try rows.read(part, from: source)
            try body(band(rows), part)
        }
    }
}

extension LevelBand {
    /// The samples of a window, row by row.
    func samples(of window: PixelWindow) -> [Int16] {
        window.rows.flatMap { row in
            Array(
                UnsafeBufferPointer(
                    start: pixel(column: window.columns.lowerBound, row: row),
                    count: window.width * DeepPixel.channels))
        }
    }
}
