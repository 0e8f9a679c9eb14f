import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing

/// The pages of a TIFF file beyond the first.
@Suite struct TIFFPageTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ name: String, page: Int, _ options: ReadOptions = ReadOptions()) throws
        -> any RasterSource
    {
        try ImageFile.open(ImageReference(directory.path(name), page: page), options: options)
    }

    private func write(_ file: TIFFBuilder) throws {
        try Data(file.bytes).write(to: directory.url.appending(path: "plan.tif"))
    }

    /// A directory of gray pixels, 32 x 64 of them divided by a factor, at whose differences overviews are
    /// told; `seed` makes others.
    private struct Part {
        var seed: Int
        var factor = 1
        var subfile = 0
        var isMask = false

        var pixels: [UInt8] {
            func level(_ x: Int, _ y: Int) -> Int { (x * 37 + y * 91 + (x * y + seed) * 113) % 256 }
            return (0..<2048 / factor / factor).map { place in
                let (x, y) = (place % (32 / factor) * factor, place / (32 / factor) * factor)
                if isMask { return x < 8 ? 0 : 255 }
                let cells = (0..<factor * factor).map { level(x + $0 % factor, y + $0 / factor) }
                return UInt8((cells.reduce(0, +) + cells.count / 2) / cells.count)
            }
        }

        func builder(at offset: Int) -> TIFFBuilder {
            var builder = TIFFBuilder(width: 32 / factor, height: 64 / factor, data: pixels)
            builder.set(254, .long, [subfile])
            if isMask { builder.set(262, .short, [4]) }
            builder.set(273, .long, [8 + offset])
            return builder
        }

        static func overview(_ seed: Int) -> Part { Part(seed: seed, factor: 2, subfile: 1) }
        static var mask: Part { Part(seed: 0, subfile: 4, isMask: true) }
        static var smallMask: Part { Part(seed: 0, factor: 2, subfile: 5, isMask: true) }
    }

    private func write(_ parts: [Part]) throws {
        var (builders, data) = ([TIFFBuilder](), [UInt8]())
        for part in parts {
            builders.append(part.builder(at: data.count))
            data += part.pixels
        }
        builders[0].data = data
        builders[0].others = builders.dropFirst().map(\.fields)
        try write(builders[0])
    }

    @Test("each page has the overviews that follow it")
    func overviews() throws {
        try write([Part(seed: 1), .overview(1), Part(seed: 5), .overview(5), Part(seed: 9)])
        for (page, seed) in [(1, 1), (2, 5)] {
            #expect(try open("plan.tif", page: page).readAll().pixels == Part(seed: seed).pixels)
            #expect(try open("plan.tif", page: page).info.reductions == [2])
            let small = try open("plan.tif", page: page, ReadOptions(reduction: 2)).readAll()
            #expect(small.pixels == Part.overview(seed).pixels)
        }
        let last = try open("plan.tif", page: 3).info
        #expect(last.reductions.isEmpty && last.pageCount == 3)
        #expect(last.summary == "TIFF, 8-bit gray, page 3 of 3")
    }

    // So does GDAL, for which GTIFF_DIR:2:plan.tif has no overviews then.
    @Test("overviews after all pages are the first page's, not the last one's")
    func appended() throws {
        try write([Part(seed: 1), Part(seed: 5), .overview(5)])
        #expect(try open("plan.tif", page: 2).info.reductions.isEmpty)
    }

    @Test("each page has the mask that follows it, and so have its overviews")
    func masks() throws {
        try write([
            Part(seed: 1), .mask, Part(seed: 5), .mask, .overview(5), .smallMask, Part(seed: 9), .overview(9),
        ])
        let alpha = Part.mask.pixels
        for (page, seed) in [(1, 1), (2, 5)] {
            let image = try open("plan.tif", page: page).readAll()
            #expect(image.info.pixelFormat == .rgba8)
            #expect(stride(from: 3, to: image.pixels.count, by: 4).map { image.pixels[$0] } == alpha)
            #expect(
                stride(from: 0, to: image.pixels.count, by: 4).map { image.pixels[$0] }
                    == Part(seed: seed).pixels)
        }
        #expect(try open("plan.tif", page: 2).info.reductions == [2])
        let small = try open("plan.tif", page: 2, ReadOptions(reduction: 2)).readAll()
        #expect(
            stride(from: 3, to: small.pixels.count, by: 4).map { small.pixels[$0] } == Part.smallMask.pixels)
        #expect(try open("plan.tif", page: 3).info.pixelFormat == .gray8)
    }

    @Test("a file of overviews next to the image is the first page's")
    func overviewsBeside() throws {
        try write([Part(seed: 1), Part(seed: 1)])
        var beside = Part.overview(1).builder(at: 0)
        beside.data = Part.overview(1).pixels
        try Data(beside.bytes).write(to: directory.url.appending(path: "plan.tif.ovr"))
        #expect(try open("plan.tif", page: 1).info.reductions == [2])
        #expect(try open("plan.tif", page: 2).info.reductions.isEmpty)
        let path = directory.path("plan.tif")
        #expect(try ImageFile.paths(of: ImageReference(path)) == [path, path + ".ovr"])
        #expect(try ImageFile.paths(of: ImageReference(path, page: 2)) == [path])
    }

    @Test("a missing page is an error that states the number of pages")
    func missing() throws {
        try write([Part(seed: 1), .overview(1), Part(seed: 5)])
        let path = directory.path("plan.tif")
        let failure = #expect(throws: Failure.self) { try open("plan.tif", page: 3) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message == "cannot read page 3 of '\(path)': the file has 2 pages")
        #expect(failure?.remedy == "ask for one of them with --page")
        try write([Part(seed: 1), .overview(1)])
        let single = #expect(throws: Failure.self) { try open("plan.tif", page: 2) }
        #expect(single?.message == "cannot read page 2 of '\(path)': the file has one page")
    }

    @Test("the error of damage in a page names the page")
    func damage() throws {
        try write([Part(seed: 1), Part(seed: 5)])
        var bytes = try [UInt8](Data(contentsOf: directory.url.appending(path: "plan.tif")))
        // The strip of the second page now reaches beyond the end.
        let place = try #require(
            (0..<bytes.count - 4).last { Array(bytes[$0..<$0 + 4]) == [0x08, 0x08, 0, 0] })
        bytes[place + 2] = 0x7F
        try Data(bytes).write(to: directory.url.appending(path: "plan.tif"))
        let failure = #expect(throws: Failure.self) { try open("plan.tif", page: 2).readAll() }
        #expect(failure?.message.hasPrefix("cannot read page 2 of '") == true, "\(failure?.message ?? "")")
        #expect(try open("plan.tif", page: 1).readAll().pixels == Part(seed: 1).pixels)
    }

    /// Three pages of other sizes, types and compressions, as GDAL and Pillow write them, and the pixels that
    /// GDAL reads of each.
    private static let script = """
        import sys, numpy as np
        from osgeo import gdal
        gdal.UseExceptions()
        rng = np.random.default_rng(3)
        def page(w, h, bands, options, type=gdal.GDT_Byte):
            image = gdal.GetDriverByName('MEM').Create('', w, h, bands, type)
            for band in range(bands):
                image.GetRasterBand(band + 1).WriteArray(rng.integers(0, 255, (h, w)))
            gdal.GetDriverByName('GTiff').CreateCopy('scan.tif', image, options=options)
        page(60, 40, 3, ['COMPRESS=LZW', 'PREDICTOR=2'])
        page(70, 33, 1, ['APPEND_SUBDATASET=YES', 'TILED=YES', 'BLOCKXSIZE=16', 'BLOCKYSIZE=16', 'COMPRESS=DEFLATE'])
        page(35, 80, 4, ['APPEND_SUBDATASET=YES', 'INTERLEAVE=BAND', 'ALPHA=YES'])
        for number in range(1, 4):
            image = gdal.Open(f'GTIFF_DIR:{number}:scan.tif')
            array = image.ReadAsArray()
            array = array if array.ndim == 3 else array[None]
            np.moveaxis(array, 0, 2).astype(np.uint8).tofile(f'{number}.raw')
        """

    @Test("pages are those that GDAL reads", .needsPython("numpy", "osgeo.gdal"))
    func sameAsGDAL() throws {
        let outcome = try Python.run(Self.script, with: ["numpy", "osgeo.gdal"], in: directory.url)
        try #require(outcome.status == 0, "\(outcome.errors)")
        for page in 1...3 {
            let expected = try [UInt8](Data(contentsOf: directory.url.appending(path: "\(page).raw")))
            let image = try open("scan.tif", page: page).readAll()
            #expect(image.pixels == expected, "page \(page)")
            #expect(image.info.pageCount == 3)
        }
    }
}
