import Raster
import TestSupport

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

    /// One colour everywhere.
    static func flat(_ color: [UInt8], width: Int, height: Int) -> TestImage {
        TestImage(width: width, height: height, .rgb8) { _, _ in color }
    }

    /// A source that begins with the first row.
    func source() -> any RasterSource { TestSource(self) }
}

private final class TestSource: RasterSource {
    let info: RasterInfo
    private let bytes: [UInt8]
    private var row = 0

    init(_ image: TestImage) {
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
        row += count
    }
}
