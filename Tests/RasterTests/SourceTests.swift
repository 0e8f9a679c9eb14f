import Platform
import Raster
import Testing
import Tiling

@Suite struct SourceTests {
    /// An image in memory, by rows and by windows.
    private final class Picture: RasterSource, WindowReader, @unchecked Sendable {
        let info: RasterInfo
        let pixels: [UInt8]
        let blockSize = (width: 3, height: 2)
        // Tests read it by one task.
        private var row = 0

        init(width: Int, pixels: [UInt8], format: PixelFormat) {
            self.pixels = pixels
            info = RasterInfo(
                width: width, height: pixels.count / width / format.bytesPerPixel, pixelFormat: format,
                summary: "a picture")
        }

        var windows: (any WindowReader)? { self }

        func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) {
            let rows = PixelWindow(columns: 0..<info.width, rows: row..<row + count)
            read(rows, into: destination, stride: stride)
            row += count
        }

        func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) {
            let size = info.pixelFormat.bytesPerPixel
            for y in window.rows {
                let first = (y * info.width + window.columns.lowerBound) * size
                let line = UnsafeMutableRawBufferPointer(
                    start: destination + (y - window.rows.lowerBound) * stride,
                    count: window.width * size)
                line.copyBytes(from: pixels[first..<first + line.count])
            }
        }
    }

    private static func gray() -> Picture {
        Picture(width: 6, pixels: (0..<30).map { UInt8($0 * 8) }, format: .gray8)
    }

    private func rows(_ source: any RasterSource) throws -> [UInt8] {
        try window(
            PixelWindow(columns: 0..<source.info.width, rows: 0..<source.info.height),
            of: source.info.pixelFormat
        ) { try source.readRows($0.height, into: $1, stride: $2) }
    }

    private func window(
        _ window: PixelWindow, of format: PixelFormat,
        _ read: (PixelWindow, UnsafeMutableRawPointer, Int) throws -> Void
    ) throws -> [UInt8] {
        let stride = window.width * format.bytesPerPixel
        var pixels = [UInt8](repeating: 0xA5, count: stride * window.height)
        try pixels.withUnsafeMutableBytes { try read(window, #require($0.baseAddress), stride) }
        return pixels
    }

    @Test("one colour becomes transparent, even in gray, by rows and by windows")
    func nodata() throws {
        // 80 and its neighbours at a distance of 8.
        let color = ColorKey(red: 80, green: 80, blue: 80, tolerance: 8)
        let source = ConvertedSource(Self.gray(), nodata: color)
        let expected = Self.gray().pixels.flatMap { level -> [UInt8] in
            [level, level, level, (72...88).contains(level) ? 0 : 255]
        }
        #expect(try rows(source) == expected)
        let windows = try #require(source.windows)
        #expect(windows.blockSize == (3, 2))
        let part = PixelWindow(columns: 2..<5, rows: 1..<4)
        let found = try window(part, of: .rgba8) { try windows.read($0, into: $1, stride: $2) }
        let wanted = part.rows.flatMap { (row: Int) -> ArraySlice<UInt8> in
            expected[24 * row + 8..<24 * row + 20]
        }
        #expect(found == wanted)
        // It is one colour, not one value.
        let yellow = Picture(width: 1, pixels: [80, 80, 0], format: .rgb8)
        #expect(try rows(ConvertedSource(yellow, nodata: color)) == [80, 80, 0, 255])
    }

    @Test("a part of an image is counted from its own corner, by rows and by windows")
    func crop() throws {
        let whole = Self.gray()
        let source = CroppedSource(whole, window: PixelWindow(columns: 1..<5, rows: 2..<5))
        let expected = (2..<5).flatMap { (row: Int) -> ArraySlice<UInt8> in
            whole.pixels[6 * row + 1..<6 * row + 5]
        }
        #expect(source.info.width == 4 && source.info.height == 3)
        #expect(try rows(source) == expected)
        let windows = try #require(source.windows)
        #expect(windows.blockSize == (3, 2))
        let part = PixelWindow(columns: 1..<3, rows: 0..<2)
        let found = try window(part, of: .gray8) { try windows.read($0, into: $1, stride: $2) }
        let wanted = part.rows.flatMap { (row: Int) -> ArraySlice<UInt8> in
            expected[4 * row + 1..<4 * row + 3]
        }
        #expect(found == wanted)
    }

    @Test("memory that no machine has is refused with a message")
    func memory() throws {
        let asked = #expect(throws: Failure.self) { try MappedMemory.checkMemory(1 << 60) }
        #expect(asked?.kind == .systemLimit)
        #expect(asked?.message.hasPrefix("cannot allocate 1099511627776 MiB of memory: ") == true)
        let rows = #expect(throws: Failure.self) {
            try RowBand(rowBytes: 1 << 60, marginBytes: 0, capacity: 1)
        }
        #expect(rows?.kind == .systemLimit)
        #expect(rows?.message.hasPrefix("cannot allocate 1152921504606846976 bytes for rows: ") == true)
    }

    @Test("a missing folder for scratch files is refused with a message")
    func scratch() throws {
        let failure = #expect(throws: Failure.self) {
            try RowBand(rowBytes: 64, marginBytes: 0, capacity: 2, scratchDirectory: "/nowhere/at/all")
        }
        #expect(failure?.kind == .outputRefused)
        let reason = "cannot make a scratch file of 128 bytes in '/nowhere/at/all': "
        #expect(failure?.message.hasPrefix(reason) == true)
    }
}
