import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing

/// CIELAB in TIFF. Expected colours are those of the formulas: L*, a* and b* under D50 (CIE 15) to XYZ, to D65 by
/// Bradford's matrix, to sRGB (IEC 61966-2-1); lcms2, which converts here, has the same to one in 255.
@Suite struct TIFFLabTests {
    /// A colour, and its sRGB by the formulas.
    private static let colors: [(lab: (Double, Double, Double), rgb: [Int])] = [
        ((0, 0, 0), [0, 0, 0]), ((100, 0, 0), [255, 255, 255]), ((50, 0, 0), [119, 119, 119]),
        ((54, 81, 70), [254, 0, 0]), ((60, -50, 30), [26, 166, 88]), ((30, 20, -60), [31, 63, 166]),
        ((80, -10, 90), [211, 202, 0]), ((20, 40, 10), [99, 5, 36]),
    ]

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(
        _ file: TIFFBuilder, _ options: ReadOptions = ReadOptions()
    ) throws -> DecodedImage {
        try Data(file.bytes).write(to: directory.url.appending(path: "plan.tif"))
        return try ImageFile.open(path: directory.path("plan.tif"), options: options).readAll()
    }

    /// The samples of the colours, as one of the interpretations has them.
    private static func samples(_ photometric: Int, bits: Int) -> [[Int]] {
        let unit = bits == 8 ? 1.0 : 256
        let largest = bits == 8 ? 255.0 : photometric == 9 ? 65280 : 65535
        return colors.map { color in
            let (l, a, b) = color.lab
            let lightness = Int((l * largest / 100).rounded())
            switch photometric {
            case 8:
                let pair = [a, b].map { Int(($0 * unit).rounded()) & (Int(256 * unit) - 1) }
                return [lightness] + pair
            case 9: return [lightness] + [a, b].map { Int((($0 + 128) * unit).rounded()) }
            default:
                return [
                    lightness, Int((a * 255 / 170 + 128).rounded()), Int((b * 255 / 200 + 96).rounded()),
                ]
            }
        }
    }

    private static func bytes(_ samples: [Int], bits: Int) -> [UInt8] {
        samples.flatMap { bits == 8 ? [UInt8($0)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
    }

    private static func file(_ photometric: Int, bits: Int, alpha: [Int]? = nil) -> TIFFBuilder {
        let pixels = zip(samples(photometric, bits: bits), alpha ?? []).map { $0 + [$1] }
        let all = alpha == nil ? samples(photometric, bits: bits) : pixels
        var file = TIFFBuilder(width: colors.count, height: 1, data: bytes(all.flatMap(\.self), bits: bits))
        file.setSamples(all[0].count, photometric: photometric, bits: bits, extra: alpha == nil ? [] : [2])
        return file
    }

    private func expect(
        _ pixels: some Collection<UInt8>, within tolerance: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let expected = Self.colors.flatMap(\.rgb)
        let differences = zip(pixels, expected).map { abs(Int($0) - $1) }
        #expect(pixels.count == expected.count, sourceLocation: sourceLocation)
        #expect((differences.max() ?? 0) <= tolerance, "\(Array(pixels))", sourceLocation: sourceLocation)
    }

    // Eight bits round L*, a* and b* to a half, which is up to 4 in the darkest and the most saturated colours;
    // ITULab's are coarser by the factor of its ranges and saturated beyond them.
    @Test(
        "CIELAB, ICCLAB and ITULab of 8 and 16 bits become sRGB",
        arguments: [(8, 8, 1), (8, 16, 1), (9, 8, 1), (9, 16, 1), (10, 8, 4)])
    func colors(photometric: Int, bits: Int, tolerance: Int) throws {
        let image = try open(Self.file(photometric, bits: bits))
        expect(image.pixels, within: bits == 8 ? max(tolerance, 2) : tolerance)
        #expect(image.info.colorProfile?.treatment == .converted)
        #expect(image.info.summary == "TIFF, \(bits)-bit CIELAB" && image.info.sampleRange == nil)
    }

    @Test("planes, alpha and several rows work as with other colours")
    func layouts() throws {
        let alpha = (0..<8).map { $0 * 36 }
        let beside = try open(Self.file(8, bits: 8, alpha: alpha))
        #expect(beside.info.pixelFormat == .rgba8)
        expect(stride(from: 0, to: 32, by: 4).flatMap { beside.pixels[$0..<$0 + 3] }, within: 2)
        #expect(stride(from: 3, to: 32, by: 4).map { Int(beside.pixels[$0]) } == alpha)

        let samples = Self.samples(8, bits: 8)
        let planes = (0..<3).flatMap { band in samples.map { UInt8($0[band]) } }
        var planar = TIFFBuilder(width: 8, height: 1, data: planes)
        planar.setSamples(3, photometric: 8)
        planar.set(284, .short, [2])
        planar.set(273, .long, [8, 16, 24])
        planar.set(279, .long, [8, 8, 8])
        expect(try open(planar).pixels, within: 2)
    }

    @Test("ITULab's ranges are those of its tag Decode")
    func decode() throws {
        var file = Self.file(10, bits: 8)
        let samples = Self.samples(9, bits: 8)
        file.data = Self.bytes(samples.flatMap(\.self), bits: 8)
        // 0 to 100, and twice -128 to 127: numerators and denominators.
        let ranges = [0, 1, 100, 1, -128, 1, 127, 1, -128, 1, 127, 1]
        file.fields[433] = TIFFBuilder.Field(
            kind: .rational, count: 6,
            bytes: ranges.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } })
        // SRATIONAL.
        var bytes = file.bytes
        let entry = try #require(bytes.indices.first { Array(bytes[$0..<$0 + 4]) == [0xB1, 1, 5, 0] })
        bytes[entry + 2] = 10
        try Data(bytes).write(to: directory.url.appending(path: "plan.tif"))
        expect(try ImageFile.open(path: directory.path("plan.tif")).readAll().pixels, within: 2)
    }

    @Test(
        "chosen bands of CIELAB are the file's numbers; otherwise it is converted in spite of --keep-colors")
    func bands() throws {
        let file = Self.file(9, bits: 8)
        let lightness = try open(file, ReadOptions(bands: [1])).pixels
        #expect(lightness.map(Int.init) == Self.samples(9, bits: 8).map { $0[0] })
        expect(try open(file, ReadOptions(keepsColors: true)).pixels, within: 2)
    }

    @Test("CIELAB of other forms is refused with the reason")
    func refusals() throws {
        var deep = Self.file(8, bits: 8)
        deep.setSamples(3, photometric: 8, bits: 4)
        var floats = Self.file(8, bits: 8)
        floats.setSamples(3, photometric: 8, bits: 32)
        floats.set(339, .short, [3, 3, 3])
        var premultiplied = Self.file(8, bits: 8, alpha: [Int](repeating: 9, count: 8))
        premultiplied.set(338, .short, [1])
        for (file, reason) in [
            (deep, "CIELAB is supported only with 8 or 16 bits, but it has 4"),
            (floats, "CIELAB is supported only with 8 or 16 bits, but it has floats"),
            (premultiplied, "its colours are CIELAB that was multiplied by alpha"),
        ] {
            let failure = #expect(throws: Failure.self) { try open(file) }
            #expect(failure?.kind == .badInput)
            #expect(failure?.message.hasSuffix(reason) == true, "\(failure?.message ?? "")")
        }
        let failure = #expect(throws: Failure.self) {
            try open(Self.file(8, bits: 8), ReadOptions(range: SampleRange(0...99)))
        }
        #expect(failure?.kind == .usage && failure?.message.hasSuffix("its colours are CIELAB") == true)
    }

    /// A photograph's colours as Pillow writes them, and as lcms2 makes sRGB of them there.
    private static let script = """
        import numpy as np
        from PIL import Image, ImageCms
        y, x = np.mgrid[0:64, 0:96]
        rgb = np.stack([x * 255 // 95, y * 255 // 63, (x * 7 + y * 3) % 256], -1).astype(np.uint8)
        srgb, lab = ImageCms.createProfile('sRGB'), ImageCms.createProfile('LAB')
        there = ImageCms.buildTransform(srgb, lab, 'RGB', 'LAB')
        ImageCms.applyTransform(Image.fromarray(rgb), there).save('lab.tif', compression='tiff_lzw')
        # Relative colorimetric, with black point compensation and without a table.
        back = ImageCms.buildTransform(lab, srgb, 'LAB', 'RGB', renderingIntent=1, flags=0x2100)
        np.array(ImageCms.applyTransform(Image.open('lab.tif'), back)).tofile('lab.raw')
        """

    @Test("a file of Pillow becomes what Pillow makes of it", .needsPython("numpy", "PIL.ImageCms"))
    func sameAsPillow() throws {
        let outcome = try Python.run(Self.script, with: ["numpy", "PIL.ImageCms"], in: directory.url)
        try #require(outcome.status == 0, "\(outcome.errors)")
        let expected = try [UInt8](Data(contentsOf: directory.url.appending(path: "lab.raw")))
        let pixels = try ImageFile.open(path: directory.path("lab.tif")).readAll().pixels
        try #require(pixels.count == expected.count)
        #expect(zip(pixels, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }
}
