import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing
import Tiling

/// Colours that a TIFF file declares by a profile, and the sRGB that comes of them.
///
/// Expected values were computed from the formulas alone, as those of `ColorConversionTests`.
@Suite struct TIFFColorTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(
        _ file: TIFFBuilder, _ options: ReadOptions = ReadOptions()
    ) throws -> any RasterSource {
        try Data(file.bytes).write(to: directory.url.appending(path: "plan.tif"))
        return try ImageFile.open(path: directory.path("plan.tif"), options: options)
    }

    private func read(
        _ file: TIFFBuilder, _ options: ReadOptions = ReadOptions()
    ) throws -> DecodedImage { try open(file, options).readAll() }

    /// One row of pixels.
    private static func row(
        _ samples: [UInt8], of count: Int, photometric: Int, bits: Int = 8, extra: [Int] = [],
        profile: ICCProfile?
    ) -> TIFFBuilder {
        let width = samples.count / count / (bits / 8)
        var file = TIFFBuilder(width: width, height: 1, data: samples)
        file.setSamples(count, photometric: photometric, bits: bits, extra: extra)
        if let profile { file.setProfile(profile) }
        return file
    }

    // RGB

    private static let colors: [UInt8] = [255, 255, 255, 0, 0, 0, 200, 30, 60, 10, 120, 40]
    /// Those of Display P3 as sRGB.
    private static let ofP3 = [254.97, 255, 254.97, 0, 0, 0, 218.47, 0, 54.28, 0, 122.29, 22.82]
    private static let converted = ColorProfile(
        description: "Display P3", treatment: .converted)

    @Test("RGB of 8 and 16 bits becomes sRGB by the profile")
    func rgb() throws {
        let image = try read(Self.row(Self.colors, of: 3, photometric: 2, profile: .displayP3))
        expect(image.pixels, Self.ofP3)
        #expect(image.info.pixelFormat == .rgb8 && image.info.colorProfile == Self.converted)
        #expect(image.info.warnings.isEmpty)
        let deep = try read(
            Self.row(
                Self.colors.flatMap { [$0, $0] }, of: 3, photometric: 2, bits: 16,
                profile: .displayP3))
        expect(deep.pixels, Self.ofP3)
    }

    @Test("16 bits with a profile have the range of their type")
    func typeRange() throws {
        // 0x2000 to 0x4000, which become 32 and 64 of 255.
        let samples: [UInt8] = [0, 32, 0, 64, 0, 48]
        func file(_ profile: ICCProfile?) -> TIFFBuilder {
            Self.row(samples, of: 3, photometric: 2, bits: 16, profile: profile)
        }
        for options in [ReadOptions(), ReadOptions(keepsColors: true)] {
            let image = try read(file(.srgb), options)
            #expect(image.pixels == [32, 64, 48] && image.info.sampleRange == nil)
        }
        for (profile, options) in [
            (nil, ReadOptions()), (ICCProfile([1, 2, 3]), ReadOptions()),
            (.srgb, ReadOptions(bands: [1, 2, 3])),
        ] as [(ICCProfile?, ReadOptions)] {
            let stretched = try read(file(profile), options)
            #expect(stretched.pixels == [0, 255, 128])
            #expect(stretched.info.sampleRange == 0x2000...0x4000)
        }
    }

    @Test("A requested range is stretched, then converted")
    func range() throws {
        let halves = Self.colors.map { $0 / 2 }
        let image = try read(
            Self.row(halves, of: 3, photometric: 2, profile: .displayP3),
            ReadOptions(range: SampleRange(0...127.5)))
        // 255 / 2 loses its half.
        expect(image.pixels, Self.ofP3, within: 2)
    }

    @Test("Alpha and nodata stay unchanged")
    func transparency() throws {
        let beside = try read(
            Self.row(
                [200, 30, 60, 77, 10, 120, 40, 255], of: 4, photometric: 2, extra: [2],
                profile: .displayP3))
        expect(beside.pixels, [218.47, 0, 54.28, 77, 0, 122.29, 22.82, 255])
        // 30 is the number in the file.
        let gray = try read(
            Self.row([30, 30, 30, 10, 120, 40], of: 3, photometric: 2, profile: .displayP3),
            ReadOptions(nodata: 30))
        #expect(gray.info.pixelFormat == .rgba8 && gray.pixels[3] == 0)
        expect(Array(gray.pixels[4...]), [0, 122.29, 22.82, 255])
    }

    @Test("Colours are kept on demand, and if bands are chosen")
    func keptColors() throws {
        let file = Self.row(Self.colors, of: 3, photometric: 2, profile: .displayP3)
        for options in [ReadOptions(keepsColors: true), ReadOptions(bands: [1, 2, 3])] {
            let image = try read(file, options)
            #expect(image.pixels == Self.colors && image.info.warnings.isEmpty)
            #expect(image.info.colorProfile?.treatment == .kept)
        }
        let same = try read(Self.row(Self.colors, of: 3, photometric: 2, profile: .srgb))
        #expect(same.pixels == Self.colors && same.info.colorProfile?.treatment == .isSRGB)
    }

    @Test("A palette's colours are converted")
    func palette() throws {
        var file = Self.row([1, 0], of: 1, photometric: 3, profile: .displayP3)
        var map = [Int](repeating: 0, count: 768)
        for (place, value) in [10, 200, 120, 30, 40, 60].enumerated() {
            map[place / 2 * 256 + place % 2] = value * 257
        }
        file.set(320, .short, map)
        expect(try read(file).pixels, [218.47, 0, 54.28, 0, 122.29, 22.82])
    }

    // Gray

    private static let linear = ICCProfile.gray("linear", curve: .gamma(1))

    @Test("Gray stays gray, even if 0 is white, and with alpha")
    func gray() throws {
        let (grays, expected) = (
            [0, 10, 50, 128, 255] as [UInt8], [0, 55.76, 122.42, 187.84, 255]
        )
        let image = try read(Self.row(grays, of: 1, photometric: 1, profile: Self.linear))
        expect(image.pixels, expected, within: 0.51)
        #expect(image.info.pixelFormat == .gray8)
        let inverted = try read(
            Self.row(grays.map { 255 - $0 }, of: 1, photometric: 0, profile: Self.linear))
        expect(inverted.pixels, expected, within: 0.51)
        // 25 of 128 is 50 of 255.
        let multiplied = try read(
            Self.row([25, 128, 50, 255], of: 2, photometric: 1, extra: [1], profile: Self.linear))
        expect(
            multiplied.pixels, [122.42, 122.42, 122.42, 128, 122.42, 122.42, 122.42, 255],
            within: 0.51)
    }

    // Inks

    /// Only magenta counts, and takes lightness from 100 to 0.
    private static let magenta = ICCProfile.inks("magenta alone") { [$0[1] ? 0 : 100, 0, 0] }
    private static let inks: [UInt8] = [51, 102, 153, 25, 255, 0, 0, 0, 0, 153, 0, 255]
    private static let lights = [144.55, 255, 94.23]

    @Test("Inks become light by their profile, and by multiplication without it")
    func inks() throws {
        func file(_ profile: ICCProfile?) -> TIFFBuilder {
            Self.row(Self.inks, of: 4, photometric: 5, profile: profile)
        }
        let image = try read(file(Self.magenta))
        expect(
            image.pixels, Self.lights.flatMap { light -> [Double] in [light, light, light] },
            within: 2)
        #expect(image.info.pixelFormat == .rgb8)
        #expect(image.info.colorProfile?.description == "magenta alone")
        let plain: [UInt8] = [184, 138, 92, 0, 255, 255, 0, 0, 0]
        #expect(try read(file(nil)).pixels == plain)
        #expect(try read(file(Self.magenta), ReadOptions(keepsColors: true)).pixels == plain)
        let wrong = try read(file(.displayP3))
        #expect(wrong.pixels == plain)
        #expect(
            wrong.info.warnings.map(\.text) == [
                "the colours of '\(directory.path("plan.tif"))' are taken as they are: "
                    + "its colour profile is for RGB, and its pixels are CMYK"
            ])
        let deep = Self.row(
            Self.inks.flatMap { [$0, $0] }, of: 4, photometric: 5, bits: 16, profile: Self.magenta)
        expect(
            try read(deep).pixels,
            Self.lights.flatMap { light -> [Double] in [light, light, light] }, within: 2)
    }

    @Test("Inks keep their alpha and their nodata")
    func transparentInks() throws {
        let withAlpha = Self.inks.enumerated().flatMap { place, ink -> [UInt8] in
            place % 4 == 3 ? [ink, UInt8(place * 20)] : [ink]
        }
        let image = try read(
            Self.row(withAlpha, of: 5, photometric: 5, extra: [2], profile: Self.magenta))
        #expect(image.info.pixelFormat == .rgba8)
        let expected = zip(Self.lights, [60.0, 140, 220]).flatMap { light, alpha -> [Double] in
            [light, light, light, alpha]
        }
        expect(image.pixels, expected, within: 2)
        let paper = try read(
            Self.row([0, 0, 0, 0] + Self.inks, of: 4, photometric: 5, profile: Self.magenta),
            ReadOptions(nodata: 0))
        expect(
            Array(paper.pixels[3...]),
            [0] + Self.lights.flatMap { light -> [Double] in [light, light, light, 255] }, within: 2
        )
    }

    @Test("Inks that were multiplied by alpha are divided before they become light")
    func premultipliedInks() throws {
        func file(_ profile: ICCProfile?) -> TIFFBuilder {
            // 51 of 128 is 102 of 255.
            Self.row([0, 51, 0, 0, 128], of: 5, photometric: 5, extra: [1], profile: profile)
        }
        expect(try read(file(Self.magenta)).pixels, [144.55, 144.55, 144.55, 128], within: 2)
        #expect(try read(file(nil)).pixels == [255, 153, 255, 128])
    }

    // What cannot be used

    @Test("A profile of signed samples or floats is ignored with a warning")
    func stretchedSamples() throws {
        for (format, kind) in [(2, "signed"), (3, "floating-point")] {
            let bytes = [0, 1 << 30, 1 << 29].flatMap { value in
                [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
            }
            var file = Self.row(bytes, of: 3, photometric: 2, bits: 32, profile: .displayP3)
            file.set(339, .short, [format, format, format])
            let image = try read(file)
            #expect(image.info.colorProfile == nil && image.info.sampleRange != nil)
            #expect(
                image.info.warnings.map(\.text) == [
                    "the colours of '\(directory.path("plan.tif"))' are taken as they are: "
                        + "its ICC profile does not apply to \(kind) samples"
                ])
        }
    }

    // Windows and overviews

    /// RGB of a size, whose pixels are all different from their neighbours.
    private static func pattern(width: Int, height: Int, samples: Int = 3) -> [UInt8] {
        (0..<width * height).flatMap { place -> [UInt8] in
            let (x, y) = (place % width, place / width)
            return (0..<samples).map { UInt8((x * 37 + y * 91 + $0 * 60) % 256) }
        }
    }

    @Test("Windows are parts of the rows, of strips and of tiles", arguments: [false, true])
    func windows(isTiled: Bool) throws {
        let (width, height) = (16, 160)
        var file = TIFFBuilder(
            width: width, height: height, data: Self.pattern(width: width, height: height))
        file.setSamples(3, photometric: 2)
        file.setProfile(.adobeRGB)
        if isTiled {
            // A tile is as wide as the image, and its rows are.
            file.setTiles(width: 16, height: 16, count: 10)
            file.set(324, .long, (0..<10).map { 8 + $0 * 768 })
            file.set(325, .long, (0..<10).map { _ in 768 })
        }
        let source = try open(file)
        let whole = try source.readAll(atATime: 100).pixels
        // A PNG of the same pixels.
        let rows = stride(from: 0, to: file.data.count, by: width * 3).map {
            [0] + file.data[$0..<$0 + width * 3]
        }
        var png = PNGBuilder(width: width, height: height, colorType: 2)
        let (name, chunk) = ColoredFile.iccp(.adobeRGB)
        png.add(name, chunk)
        png.finish(rows: rows)
        try Data(png.bytes).write(to: directory.url.appending(path: "plan.png"))
        #expect(whole == (try ImageFile.open(path: directory.path("plan.png")).readAll().pixels))
        let windows = try #require(source.windows)
        let window = PixelWindow(columns: 3..<11, rows: 5..<150)
        let expected = window.rows.flatMap { row in
            let first = (row * 16 + 3) * 3
            return whole[first..<first + 8 * 3]
        }
        #expect(try windows.pixels(of: window, bytesPerPixel: 3) == expected)
    }

    @Test("An overview is converted as the image is", arguments: [false, true])
    func overviews(hasInks: Bool) throws {
        let samples = hasInks ? 4 : 3
        let profile = hasInks ? Self.magenta : .adobeRGB
        func file(_ size: Int, _ data: [UInt8]) -> TIFFBuilder {
            var file = TIFFBuilder(width: size, height: size, data: data)
            file.setSamples(samples, photometric: hasInks ? 5 : 2)
            file.setProfile(profile)
            return file
        }
        let pixels = Self.pattern(width: 64, height: 64, samples: samples)
        let means = (0..<32 * 32 * samples).map { place -> UInt8 in
            let (x, y) = (place / samples % 32 * 2, place / samples / 32 * 2)
            let sum = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(0) {
                $0 + Int(pixels[((y + $1.1) * 64 + x + $1.0) * samples + place % samples])
            }
            return UInt8((sum + 2) / 4)
        }
        var overview = file(32, means)
        overview.set(254, .long, [1])
        try Data(overview.bytes).write(to: directory.url.appending(path: "plan.tif.ovr"))
        #expect(try open(file(64, pixels)).info.reductions == [2])
        let reduced = try read(file(64, pixels), ReadOptions(reduction: 2))
        try FileManager.default.removeItem(at: directory.url.appending(path: "plan.tif.ovr"))
        #expect(reduced.pixels == (try read(file(32, means)).pixels))
        #expect(reduced.info.colorProfile?.treatment == .converted)
    }
}
