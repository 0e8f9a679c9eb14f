import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing
import Tiling

/// Masks in separate files, `.msk`, next to an image.
@Suite struct MaskFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ name: String, _ options: ReadOptions = ReadOptions()) throws -> any RasterSource {
        try ImageFile.open(path: directory.path(name), options: options)
    }

    private func alpha(_ name: String, _ options: ReadOptions = ReadOptions()) throws -> [UInt8] {
        let image = try open(name, options).readAll()
        try #require(image.info.pixelFormat == .rgba8)
        return stride(from: 3, to: image.pixels.count, by: 4).map { image.pixels[$0] }
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: directory.url.appending(path: name))
    }

    /// 4 x 2 gray pixels.
    private static let plan = TIFFBuilder(width: 4, height: 2, data: [10, 20, 30, 40, 50, 60, 70, 80])

    // As GDAL's warper, for which any value but 0 is valid.
    @Test("in a mask, 0 is transparent and every other value opaque")
    func values() throws {
        try write(Self.plan.bytes, to: "plan.tif")
        let mask = TIFFBuilder(width: 4, height: 2, data: [0, 1, 2, 100, 254, 255, 0, 0])
        try write(mask.bytes, to: "plan.tif.msk")
        let expected: [UInt8] = [0, 255, 255, 255, 255, 255, 0, 0]
        #expect(try alpha("plan.tif") == expected)
        #expect(try open("plan.tif").info.summary == "TIFF, 8-bit gray with mask")
        // Of one bit, also if the file says that it is a mask, or that 0 is white.
        for photometric in [0, 1, 4] {
            var bits = TIFFBuilder(width: 4, height: 2, data: [0b0111_0000, 0b1100_0000])
            bits.setSamples(1, photometric: photometric, bits: 1)
            try write(bits.bytes, to: "plan.tif.msk")
            #expect(try alpha("plan.tif") == expected)
        }
    }

    @Test("a mask inside the file comes first, as in GDAL")
    func inside() throws {
        var file = Self.plan
        var mask = TIFFBuilder(width: 4, height: 2, data: [255, 0, 255, 0, 255, 0, 255, 0])
        mask.set(254, .long, [4])
        mask.set(273, .long, [8 + 8])
        file.data += mask.data
        file.others = [mask.fields]
        try write(file.bytes, to: "plan.tif")
        try write(
            TIFFBuilder(width: 4, height: 2, data: [UInt8](repeating: 0, count: 8)).bytes, to: "plan.tif.msk")
        #expect(try alpha("plan.tif") == [255, 0, 255, 0, 255, 0, 255, 0])
    }

    @Test("a mask belongs to the first page, and is an input of the image")
    func pages() throws {
        var file = Self.plan
        file.others = [file.fields]
        try write(file.bytes, to: "plan.tif")
        try write(Self.plan.bytes, to: "plan.tif.msk")
        let path = directory.path("plan.tif")
        #expect(try ImageFile.open(ImageReference(path, page: 2)).info.pixelFormat == .gray8)
        #expect(try ImageFile.paths(of: ImageReference(path)) == [path, path + ".msk"])
        try write(Self.plan.bytes, to: "plan.tif.ovr")
        try write(Self.plan.bytes, to: "plan.tif.msk.ovr")
        #expect(
            try ImageFile.paths(of: ImageReference(path))
                == [path, path + ".ovr", path + ".msk", path + ".msk.ovr"])
        #expect(try ImageFile.paths(of: ImageReference(path, page: 2)) == [path])
    }

    private static let unfitMasks: [(String, [UInt8], String)] = [
        (
            "another size", TIFFBuilder(width: 2, height: 4, data: plan.data).bytes,
            "it has 2 x 4 pixels, but the image 4 x 2"
        ),
        (
            "a band for each of the image's",
            {
                var mask = TIFFBuilder(width: 4, height: 2, data: [UInt8](repeating: 1, count: 24))
                mask.setSamples(3, photometric: 2)
                return mask.bytes
            }(), "it has 3 bands, but a mask of the whole image has one"
        ),
        ("not a TIFF", Array("no mask".utf8), "it is not a TIFF"),
        ("nothing", [], "it is not a TIFF"),
        ("cut off", Array(plan.bytes.prefix(20)), "the file ends too early"),
        (
            "floats",
            {
                var mask = TIFFBuilder(width: 4, height: 2, data: [UInt8](repeating: 1, count: 32))
                mask.setSamples(1, photometric: 1, bits: 32)
                mask.set(339, .short, [3])
                return mask.bytes
            }(), "mask"
        ),
    ]

    @Test("a mask that does not fit, or is damaged, is an error that names it", arguments: unfitMasks.indices)
    func unfit(index: Int) throws {
        let (_, bytes, reason) = Self.unfitMasks[index]
        try write(Self.plan.bytes, to: "plan.tif")
        let png = try PNGImage.encode(rgba: [UInt8](repeating: 9, count: 32), width: 4, height: 2)
        try write(png, to: "plan.png")
        for name in ["plan.tif", "plan.png"] {
            try write(bytes, to: name + ".msk")
            let failure = #expect(throws: Failure.self) { try open(name) }
            #expect(failure?.kind == .badInput)
            let message = failure?.message ?? ""
            #expect(message.contains("\(name).msk'") && message.contains(reason), "\(message)")
        }
    }

    @Test("a mask whose pixels are damaged is an error that names it")
    func damagedPixels() throws {
        var mask = Self.plan
        mask.set(273, .long, [1 << 20])
        try write(Self.plan.bytes, to: "plan.tif")
        let png = try PNGImage.encode(rgba: [UInt8](repeating: 9, count: 32), width: 4, height: 2)
        try write(png, to: "plan.png")
        for name in ["plan.tif", "plan.png"] {
            try write(mask.bytes, to: name + ".msk")
            let failure = #expect(throws: Failure.self) { try open(name).readAll() }
            #expect(failure?.message.contains(".msk") == true, "\(failure?.message ?? "")")
        }
    }

    @Test("a pixel has the smaller alpha of the image and the mask")
    func alphaAndMask() throws {
        let rgba = (0..<8).flatMap { index -> [UInt8] in [10, 20, 30, UInt8(index * 36)] }
        try write(try PNGImage.encode(rgba: rgba, width: 4, height: 2), to: "plan.png")
        try write(TIFFBuilder(width: 4, height: 2, data: [0, 0, 0, 0, 9, 9, 9, 9]).bytes, to: "plan.png.msk")
        #expect(try alpha("plan.png") == [0, 0, 0, 0, 144, 180, 216, 252])
        #expect(try open("plan.png").info.summary.hasSuffix(", with mask"))
    }

    /// Images with masks by GDAL, and the masks as it reads them: of a TIFF in tiles with overviews of both, in
    /// files beside it; of a JPEG; of a PNG, whose mask is tiled.
    private static let script = """
        import numpy as np, shutil
        from osgeo import gdal
        gdal.UseExceptions()
        gdal.SetConfigOption('GDAL_TIFF_INTERNAL_MASK', 'NO')
        y, x = np.mgrid[0:120, 0:160]
        mask = np.where((x - 70) ** 2 + (y - 60) ** 2 < 2500, 255, 0).astype(np.uint8)
        source = gdal.GetDriverByName('MEM').Create('', 160, 120, 3)
        rng = np.random.default_rng(2)
        for band in range(3):
            source.GetRasterBand(band + 1).WriteArray(rng.integers(0, 255, (120, 160)))
        for driver, name, options in [
                ('GTiff', 'plan.tif', ['TILED=YES', 'BLOCKXSIZE=32', 'BLOCKYSIZE=32']),
                ('JPEG', 'plan.jpg', []), ('PNG', 'plan.png', [])]:
            gdal.GetDriverByName(driver).CreateCopy(name, source, options=options)
            image = gdal.Open(name)
            image.CreateMaskBand(gdal.GMF_PER_DATASET)
            band = image.GetRasterBand(1).GetMaskBand()
            band.WriteArray(mask)
            band = image = None
        image = gdal.Open('plan.tif')
        image.BuildOverviews('AVERAGE', [2])
        image = None
        gdal.Translate('tiled.msk', 'plan.png.msk', format='GTiff', creationOptions=[
            'TILED=YES', 'BLOCKXSIZE=64', 'BLOCKYSIZE=32', 'COMPRESS=DEFLATE'])
        shutil.move('tiled.msk', 'plan.png.msk')
        for name in ['plan.tif', 'plan.jpg', 'plan.png']:
            image = gdal.Open(name)
            image.GetRasterBand(1).GetMaskBand().ReadAsArray().tofile(name + '.raw')
            if name == 'plan.tif':
                small = image.GetRasterBand(1).GetOverview(0).GetMaskBand().ReadAsArray()
                small.tofile('small.raw')
        """

    @Test("masks are those that GDAL reads, next to TIFF, JPEG and PNG", .needsPython("numpy", "osgeo.gdal"))
    func sameAsGDAL() throws {
        let outcome = try Python.run(Self.script, with: ["numpy", "osgeo.gdal"], in: directory.url)
        try #require(outcome.status == 0, "\(outcome.errors)")
        func bytes(_ name: String) throws -> [UInt8] {
            try [UInt8](Data(contentsOf: directory.url.appending(path: name)))
        }
        for name in ["plan.tif", "plan.jpg", "plan.png"] {
            let mask = try bytes(name + ".raw")
            #expect(Set(mask) == [0, 255])
            #expect(try alpha(name) == mask, "\(name)")
            let colors = try open(name).readAll(atATime: 7)
            try FileManager.default.moveItem(
                at: directory.url.appending(path: name + ".msk"), to: directory.url.appending(path: "moved"))
            let plain = try open(name).readAll()
            try FileManager.default.moveItem(
                at: directory.url.appending(path: "moved"), to: directory.url.appending(path: name + ".msk"))
            let opaque = zip(plain.rgba, colors.pixels).enumerated().allSatisfy {
                $0.offset % 4 == 3 || $0.element.0 == $0.element.1
            }
            #expect(opaque && plain.info.pixelFormat == .rgb8)
        }
        // The overviews of both, in files of their own.
        #expect(FileManager.default.fileExists(atPath: directory.path("plan.tif.msk.ovr")))
        #expect(try open("plan.tif").info.reductions == [2])
        #expect(try alpha("plan.tif", ReadOptions(reduction: 2)) == bytes("small.raw"))
        #expect(try open("plan.jpg").info.reductions.isEmpty)
        // Windows.
        let source = try open("plan.tif")
        let windows = try #require(source.windows)
        let window = PixelWindow(columns: 30..<100, rows: 10..<90)
        let part = try windows.pixels(of: window, bytesPerPixel: 4)
        let mask = try bytes("plan.tif.raw")
        let expected = window.rows.flatMap { row in window.columns.map { mask[row * 160 + $0] } }
        #expect(stride(from: 3, to: part.count, by: 4).map { part[$0] } == expected)
    }
}
