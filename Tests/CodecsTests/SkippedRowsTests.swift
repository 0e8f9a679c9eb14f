import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing
import Tiling

/// Skipped rows: the rows below them are the same as if all were read.
@Suite(.needsPython("numpy", "PIL")) struct SkippedRowsTests {
    private static let files = [
        "444.jpg", "422.jpg", "420.jpg", "gray.jpg", "cmyk.jpg", "progressive.jpg", "restart.jpg", "rgba.png",
    ]

    /// Noise on ramps, 150 x 331.
    private static let script = """
        import numpy, PIL.Image
        y, x = numpy.mgrid[0:331, 0:150]
        noise = numpy.random.default_rng(5).integers(0, 60, (331, 150, 4))
        data = (noise + numpy.stack([x, y // 2, 150 - x, 90 + y // 3], -1)).clip(0, 255).astype(numpy.uint8)
        image = PIL.Image.fromarray(data, 'RGBA')
        rgb = image.convert('RGB')
        for index, name in enumerate(['444', '422', '420']):
            rgb.save(name + '.jpg', quality=80, subsampling=index)
        rgb.convert('L').save('gray.jpg')
        rgb.convert('CMYK').save('cmyk.jpg')
        rgb.save('progressive.jpg', progressive=True)
        rgb.save('restart.jpg', restart_marker_blocks=7)
        image.save('rgba.png')
        """

    @Test("Rows below skipped rows are those of the whole image", arguments: files.some(3))
    func rowsBelow(file: String) throws {
        let directory = try TemporaryDirectory()
        let outcome = try Python.run(Self.script, with: ["numpy", "PIL"], in: directory.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let path = directory.path(file)
        for reduction in file.hasSuffix("jpg") ? [1, 2, 8] : [1] {
            let options = ReadOptions(reduction: reduction)
            let whole = try ImageFile.open(path: path, options: options).readAll()
            let (height, size) = (whole.info.height, whole.info.width * whole.info.pixelFormat.bytesPerPixel)
            for skipped in [1, 7, 64, 65, 97, 200, height - 1, height].filter({ $0 <= height }) {
                let source = try ImageFile.open(path: path, options: options)
                // In two goes.
                try source.skipRows(skipped / 3)
                try source.skipRows(skipped - skipped / 3)
                let rest = try Self.rows(height - skipped, of: source)
                #expect(rest == Array(whole.pixels[(skipped * size)...]), "\(skipped) rows, 1/\(reduction)")
            }
        }
    }

    @Test("A part of an image skips from the part's top")
    func part() throws {
        let directory = try TemporaryDirectory()
        #expect(try Python.run(Self.script, with: ["numpy", "PIL"], in: directory.url).status == 0)
        let window = PixelWindow(columns: 10..<60, rows: 20..<300)
        func open() throws -> CroppedSource {
            CroppedSource(try ImageFile.open(path: directory.path("420.jpg")), window: window)
        }
        let (whole, source) = (try Self.rows(280, of: open()), try open())
        try source.skipRows(170)
        #expect(try Self.rows(110, of: source) == Array(whole[(170 * 50 * 3)...]))
    }

    @Test("Damage in skipped rows is found")
    func damage() throws {
        let directory = try TemporaryDirectory()
        #expect(try Python.run(Self.script, with: ["numpy", "PIL"], in: directory.url).status == 0)
        var bytes = try Data(contentsOf: directory.url.appending(path: "420.jpg"))
        bytes.replaceSubrange(
            bytes.count / 3..<bytes.count / 3 + 40, with: [UInt8](repeating: 255, count: 40))
        try bytes.write(to: directory.url.appending(path: "420.jpg"))
        let source = try ImageFile.open(path: directory.path("420.jpg"))
        #expect(throws: Failure.self) { try source.skipRows(320) }
    }

    private static func rows(_ count: Int, of source: any RasterSource) throws -> [UInt8] {
        let size = source.info.width * source.info.pixelFormat.bytesPerPixel
        return try [UInt8](unsafeUninitializedCapacity: max(1, count * size)) { buffer, filled in
            filled = count * size
            if count == 0 { return }
            let base = try #require(buffer.baseAddress)
            try source.readRows(count, into: base, stride: size)
        }
    }
}
