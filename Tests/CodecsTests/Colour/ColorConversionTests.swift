import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// Colours that a file declares, and the resulting sRGB.
///
/// Expected values were computed from the formulas alone, without a colour management library: the
/// profile's curve and its matrix into CIE XYZ, the inverse of sRGB's matrix, and the curve of
/// IEC 61966-2-1; CIE L*a*b* by CIE 15; black point compensation by ISO 18619.
@Suite struct ColorConversionTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ file: Data, _ options: ReadOptions = ReadOptions()) throws
        -> any RasterSource
    {
        try directory.openImage(file, options)
    }

    private static let colors: [[UInt8]] = [
        [255, 255, 255], [0, 0, 0], [200, 30, 60], [10, 120, 40], [90, 100, 220], [128, 128, 128],
        [255, 128, 0], [20, 20, 30],
    ]

    struct Screen: Sendable, CustomTestStringConvertible {
        var name: String
        var profile: @Sendable () -> ICCProfile
        var expected: [Double]
        var testDescription: String { name }
    }

    @Test(
        "Screens' profiles give the colours of their curve and matrix",
        arguments: [
            Screen(
                name: "Display P3", profile: { .displayP3 },
                expected: [
                    254.97, 255, 254.97, 0, 0, 0, 218.47, 0, 54.28, 0, 122.29, 22.82,
                    87.55, 100.41, 227.74, 127.99, 128.01, 127.98, 255, 118.53, 0, 20, 20, 30.82,
                ]),
            Screen(
                name: "Compatible with Adobe RGB", profile: { .adobeRGB },
                expected: [
                    254.98, 255, 254.97, 0, 0, 0, 233.13, 23.86, 58.41, 0, 120.82, 24.72,
                    84.93, 100.08, 224.36, 129.02, 129.04, 129.01, 255, 129.04, 0,
                    12.08, 12.08, 24.22,
                ]),
            Screen(
                name: "ProPhoto RGB", profile: { .proPhoto },
                expected: [
                    254.97, 255, 254.97, 0, 0, 0, 255, 0, 78.47, 0, 152.53, 6.28,
                    0, 120.98, 238.71, 146.39, 146.42, 146.39, 255, 100.01, 0,
                    19.72, 25.8, 41.85,
                ]),
        ])
    func screens(screen: Screen) throws {
        let chunk = ColoredFile.iccp(screen.profile())
        let samples = Self.colors.flatMap { $0 }
        let image = try open(ColoredFile.png(samples, chunks: [chunk])).readAll()
        expect(image.pixels, screen.expected)
        #expect(image.info.pixelFormat == .rgb8 && image.info.warnings.isEmpty)
        #expect(
            image.info.colorProfile
                == ColorProfile(description: screen.name, treatment: .converted))
        // Alpha and 16 bits go other ways to the same colours.
        let withAlpha = try open(
            ColoredFile.png(
                Self.colors.enumerated().flatMap { $1 + [UInt8($0 * 36)] }, colorType: 6,
                chunks: [chunk])
        ).readAll()
        let (found, alphas) = (withAlpha.pixels, stride(from: 3, to: 32, by: 4))
        expect(found.indices.filter { $0 % 4 != 3 }.map { found[$0] }, screen.expected)
        #expect(alphas.map { found[$0] } == (0..<8).map { $0 * 36 })
        let deep = ColoredFile.png(samples.flatMap { [$0, $0] }, depth: 16, chunks: [chunk])
        expect(try open(deep).readAll().pixels, screen.expected)
    }

    @Test("A profile of sRGB changes no numbers")
    func srgb() throws {
        let samples = (0...UInt8.max).flatMap { (v: UInt8) -> [UInt8] in [v, 255 - v, v &* 7] }
        let chunk = ColoredFile.iccp(.srgb)
        let image = try open(ColoredFile.png(samples, chunks: [chunk])).readAll()
        #expect(image.pixels == samples)
        #expect(
            image.info.colorProfile == ColorProfile(description: "sRGB", treatment: .isSRGB))
    }

    @Test("Colours are kept on demand, without a warning")
    func keptColors() throws {
        let samples = Self.colors.flatMap { $0 }
        let options = ReadOptions(keepsColors: true)
        let p3 = ColoredFile.png(samples, chunks: [ColoredFile.iccp(.displayP3)])
        let image = try open(p3, options).readAll()
        #expect(image.pixels == samples)
        #expect(
            image.info.colorProfile == ColorProfile(description: "Display P3", treatment: .kept))
        let damaged = ColoredFile.png(samples, chunks: [("iCCP", [65, 0, 0, 1, 2, 3])])
        #expect(try open(damaged, options).info.warnings.isEmpty)
        // Inks without a profile: (255 - C) * (255 - K) / 255.
        let inks = ColoredFile.jpeg(ColoredFile.inks, profile: .inks("press") { _ in [0, 0, 0] })
        expect(try Array(open(inks, options).readAll().pixels.prefix(3)), [184, 138, 92])
    }

    @Test("A palette and a transparent colour are converted with their alpha")
    func palette() throws {
        let palette = Self.colors.flatMap { $0 }
        let file = ColoredFile.png(
            [2, 3, 4], colorType: 3, palette: palette, chunks: [ColoredFile.iccp(.displayP3)])
        expect(
            try open(file).readAll().pixels,
            [218.47, 0, 54.28, 0, 122.29, 22.82, 87.55, 100.41, 227.74])
    }

    // Gamma

    private static let grays: [UInt8] = [0, 1, 2, 10, 50, 128, 200, 255]
    private static let linearGrays = [0, 12.71, 21.66, 55.76, 122.42, 187.84, 229.1, 255]

    @Test("Linear gray stays gray, even with alpha, and in JPEG with a profile")
    func linearGray() throws {
        let gamma = ColoredFile.gama(1)
        let gray = try open(ColoredFile.png(Self.grays, colorType: 0, chunks: [gamma])).readAll()
        expect(gray.pixels, Self.linearGrays, within: 0.51)
        #expect(gray.info.pixelFormat == .gray8)
        #expect(
            gray.info.colorProfile
                == ColorProfile(description: "gamma 1.00", treatment: .converted))
        let beside = try open(
            ColoredFile.png(Self.grays.flatMap { [$0, 77] }, colorType: 4, chunks: [gamma])
        ).readAll()
        expect(
            beside.pixels, Self.linearGrays.flatMap { [$0, $0, $0, 77] }, within: 0.51)
        let profiles = [
            ICCProfile.gray("linear", curve: .gamma(1)),
            // Of equal amounts of three colours.
            .screen(
                "linear RGB",
                primaries: [
                    [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708],
                    [0.14307, 0.06061, 0.71410],
                ], curve: .gamma(1)),
        ]
        let sample = try JPEGSample.named("gray")
        for profile in profiles {
            let image = try open(ColoredFile.jpeg(sample.file, profile: profile)).readAll()
            #expect(image.info.pixelFormat == .gray8)
            expect(image.pixels, sample.pixels.map(Self.encoded))
        }
    }

    /// Linear light, 0 to 255, by the curve of sRGB.
    private static func encoded(_ value: UInt8) -> Double {
        let light = Double(value) / 255
        return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
    }

    @Test("Linear light of 16 bits keeps its dark steps")
    func linearLightOf16Bits() throws {
        let values: [UInt16] = [0, 20, 60, 100, 257, 1000, 5000, 30000, 65535]
        let samples = values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let expected = [0, 1.01, 3.02, 5.03, 12.71, 33.07, 78.06, 180.24, 255]
        let gamma = ColoredFile.gama(1)
        let gray = ColoredFile.png(samples, colorType: 0, depth: 16, chunks: [gamma])
        expect(try open(gray).readAll().pixels, expected, within: 0.51)
        let triples = stride(from: 0, to: samples.count, by: 2).flatMap { place -> [UInt8] in
            let sample = Array(samples[place..<place + 2])
            return sample + sample + sample
        }
        let color = ColoredFile.png(triples, depth: 16, chunks: [gamma])
        expect(try open(color).readAll().pixels, expected.flatMap { [$0, $0, $0] })
    }

    @Test("An interlaced image of 16 bits reports its memory")
    func memoryOf16Bits() throws {
        var png = PNGBuilder(width: 8, height: 8, depth: 16, colorType: 0, interlaced: true)
        png.add("gAMA", ColoredFile.gama(1).1)
        png.finish(rows: [])
        // Two stored rows, and the image, at 2 bytes per pixel.
        #expect(try open(Data(png.bytes)).info.decoderBytes == 2 * 16 + 8 * 8 * 2)
    }

    @Test(
        "The gamma of sRGB is recognised, however it was rounded",
        arguments: [0.45455, 0.45454, 0.4545, 0.45])
    func gammaOfSRGB(gamma: Double) throws {
        let samples = Self.colors.flatMap { $0 }
        let image = try open(ColoredFile.png(samples, chunks: [ColoredFile.gama(gamma)])).readAll()
        #expect(image.pixels == samples && image.info.colorProfile == nil)
    }

    // What counts

    struct Chunks: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var chunks: [(String, [UInt8])]
        /// The treatment, and what (200, 30, 60) becomes.
        var description: String?
        var expected: [Double]
    }

    private static let p3 = [218.48, 0, 54.29]

    @Test(
        "If a PNG has several chunks on colour, the first in the specification's order is used",
        arguments: [
            Chunks(testDescription: "none", chunks: [], expected: [200, 30, 60]),
            Chunks(
                testDescription: "cHRM alone", chunks: [ColoredFile.chrmOfP3],
                expected: [200, 30, 60]),
            Chunks(
                testDescription: "gAMA and cHRM",
                chunks: [ColoredFile.gama(1), ColoredFile.chrmOfP3],
                description: "gamma 1.00 and chromaticities", expected: [247.49, 84.44, 132.79]),
            Chunks(
                testDescription: "sRGB before gAMA and cHRM",
                chunks: [ColoredFile.gama(1), ColoredFile.chrmOfP3, ("sRGB", [0])],
                expected: [200, 30, 60]),
            Chunks(
                testDescription: "iCCP before sRGB",
                chunks: [("sRGB", [0]), ColoredFile.iccp(.displayP3), ColoredFile.gama(1)],
                description: "Display P3", expected: p3),
            Chunks(
                testDescription: "cICP before iCCP",
                chunks: [ColoredFile.iccp(.adobeRGB), ("cICP", [12, 13, 0, 1])],
                description: "the curve of sRGB and chromaticities", expected: p3),
            Chunks(
                testDescription: "cICP of sRGB",
                chunks: [ColoredFile.iccp(.adobeRGB), ("cICP", [1, 13, 0, 1])],
                expected: [200, 30, 60]),
            Chunks(
                testDescription: "cICP of BT.2020, linear", chunks: [("cICP", [9, 8, 0, 1])],
                description: "gamma 1.00 and chromaticities", expected: [255, 51.43, 133.68]),
            Chunks(
                testDescription: "cICP of BT.2020, gamma 2.2", chunks: [("cICP", [9, 4, 0, 1])],
                description: "gamma 2.20 and chromaticities", expected: [251, 0, 52.39]),
            Chunks(
                testDescription: "cICP of DCI-P3", chunks: [("cICP", [11, 13, 0, 1])],
                description: "the curve of sRGB and chromaticities", expected: [213.15, 0, 54.93]),
            Chunks(
                testDescription: "cICP of gamma 2.8", chunks: [("cICP", [1, 5, 0, 1])],
                description: "gamma 2.80", expected: [188.6, 8.23, 35.71]),
            Chunks(
                testDescription: "the first gAMA of the right size",
                chunks: [("gAMA", [0, 0, 1]), ColoredFile.gama(1 / 2.8), ColoredFile.gama(1)],
                description: "gamma 2.80", expected: [188.6, 8.23, 35.71]),
        ])
    func precedence(chunks: Chunks) throws {
        let image = try open(ColoredFile.png([200, 30, 60], chunks: chunks.chunks)).readAll()
        expect(image.pixels, chunks.expected)
        #expect(image.info.colorProfile?.description == chunks.description)
        #expect(image.info.warnings.isEmpty)
    }

    @Test("The curve of BT.709 is undone")
    func curveOfBT709() throws {
        let file = ColoredFile.png(
            [0, 10, 20, 60, 128, 200, 255], colorType: 0, chunks: [("cICP", [1, 1, 0, 1])])
        expect(
            try open(file).readAll().pixels, [0, 23.26, 35.75, 75.35, 139.81, 205.73, 255])
    }

    @Test("A screen's profile may tint gray; a gray profile may be sRGB's, or have no curve")
    func grayByProfiles() throws {
        let grays: [UInt8] = [0, 10, 50, 128, 200, 255]
        // sRGB's columns with half of the red.
        let tinted = ICCProfile.screen(
            "half red",
            primaries: [
                [0.218035, 0.111245, 0.00696], [0.38515, 0.71687, 0.09708],
                [0.14307, 0.06061, 0.71410],
            ], curve: .srgb)
        let image = try open(
            ColoredFile.png(grays, colorType: 0, chunks: [ColoredFile.iccp(tinted)])
        ).readAll()
        #expect(image.info.pixelFormat == .rgb8)
        let reds = [0, 5, 33.94, 92.37, 146.31, 187.52]
        expect(image.pixels, zip(reds, grays).flatMap { [$0, Double($1), Double($1)] })
        let same = try open(
            ColoredFile.png(
                grays, colorType: 0, chunks: [ColoredFile.iccp(.gray("sRGB's  ", curve: .srgb))])
        ).readAll()
        #expect(same.pixels == grays)
        // Blanks at the end of the name are not shown.
        #expect(same.info.colorProfile == ColorProfile(description: "sRGB's", treatment: .isSRGB))
        let without = ICCProfile(class: "mntr", space: "GRAY", pcs: "XYZ ", tags: [])
        let kept = try open(
            ColoredFile.png(grays, colorType: 0, chunks: [ColoredFile.iccp(without)])
        ).readAll()
        #expect(kept.pixels == grays && kept.info.warnings.count == 1)
    }

    @Test("Alpha of 16 bits with linear light is rounded to 8")
    func alphaOf16Bits() throws {
        let file = ColoredFile.png(
            [0x20, 0, 0x20, 0, 0x20, 0, 0x80, 0], colorType: 6, depth: 16,
            chunks: [ColoredFile.gama(1)])
        // An eighth of the light; 0x8000 * 255 / 65535.
        expect(try open(file).readAll().pixels, [99.09, 99.09, 99.09, 127.5], within: 0.51)
    }

    @Test("Tables of floating-point elements are not read")
    func elements() throws {
        let profile = ICCProfile.adobeRGB.adding(
            "D2B1", Array("mpet".utf8) + [UInt8](repeating: 9, count: 40))
        let file = ColoredFile.png([200, 30, 60], chunks: [ColoredFile.iccp(profile)])
        expect(try open(file).readAll().pixels, [233.13, 23.86, 58.41])
    }

    // JPEG

    @Test("A profile in several markers, in any order, and a reduced image")
    func profileInParts() throws {
        let sample = try JPEGSample.named("ycbcr444")
        let whole = ColoredFile.jpeg(sample.file, profile: .adobeRGB)
        let parts = ColoredFile.jpeg(
            sample.file, profile: .adobeRGB, partSize: 200, parts: [2, 0, 1])
        let image = try open(whole).readAll()
        #expect(image.pixels != Array(sample.pixels))
        #expect(image.info.colorProfile?.description == "Compatible with Adobe RGB")
        #expect(try open(parts).readAll().pixels == image.pixels)
        // The converted mean of smooth pixels is near the mean of converted ones.
        let half = try open(whole, ReadOptions(reduction: 2)).readAll()
        #expect(half.info.width == 10 && half.info.colorProfile == image.info.colorProfile)
        let mean = [0, 3, 60, 63].map { Double(image.pixels[$0]) }.reduce(0, +) / 4
        #expect(abs(Double(half.pixels[0]) - mean) < 4)
    }

    @Test("Inks become the colours of their profile, whether inverted or not", arguments: 0..<4)
    func inks(ink: Int) throws {
        // Only one ink counts, and takes lightness from 100 to 0: whatever way a table is
        // interpolated, it is linear.
        let profile = ICCProfile.inks("one ink") { [$0[ink] ? 0 : 100, 0, 0] }
        let expected: [Int: Double] = [
            0: 255, 25: 226.89, 51: 198.33, 102: 144.55, 153: 94.23, 204: 48.29, 230: 27.07, 255: 0,
        ]
        let stored = [(0, [51, 102, 153, 25]), (15 * 3, [255, 0, 0, 0])]
        let image = try open(ColoredFile.jpeg(ColoredFile.inks, profile: profile)).readAll()
        #expect(image.info.pixelFormat == .rgb8)
        #expect(image.info.colorProfile?.description == "one ink")
        let plain = try open(ColoredFile.jpeg(ColoredFile.uninvertedInks, profile: profile))
            .readAll()
        for (place, inks) in stored {
            let gray = try #require(expected[inks[ink]])
            expect(Array(image.pixels[place..<place + 3]), [gray, gray, gray], within: 2)
            let opposite = try #require(expected[255 - inks[ink]])
            expect(
                Array(plain.pixels[place..<place + 3]), [opposite, opposite, opposite], within: 2)
        }
    }

    @Test("The darkest ink becomes black, and all others are scaled with it")
    func blackPoint() throws {
        let profile = ICCProfile.inks("gray ink") { [$0[0] ? 20 : 100, 0, 0] }
        let image = try open(ColoredFile.jpeg(ColoredFile.inks, profile: profile)).readAll()
        expect(Array(image.pixels[0..<3]), [207.83, 207.83, 207.83], within: 2)
        expect(Array(image.pixels[45..<48]), [0, 0, 0])
    }

    @Test("A combination of inks has the colour that the profile measured")
    func inkColor() throws {
        let profile = ICCProfile.inks("press", deviceClass: "prtr") {
            if $0 == [true, false, false, false] { return [60, -20, -30] }
            return [$0.contains(true) ? 0 : 100, 0, 0]
        }
        let image = try open(ColoredFile.jpeg(ColoredFile.inks, profile: profile)).readAll()
        expect(Array(image.pixels[45..<48]), [54.38, 156.25, 196.77], within: 1.5)
    }

    // No data

    /// The alphas of an image whose options say that a value stands for no data.
    private func alphas(_ file: Data, nodata: Double) throws -> [UInt8] {
        let image = try open(file, ReadOptions(nodata: nodata)).readAll()
        #expect(image.info.pixelFormat == .rgba8 && image.info.reductions.isEmpty)
        return stride(from: 3, to: image.pixels.count, by: 4).map { image.pixels[$0] }
    }

    @Test("The nodata value is the file's number, not the converted one")
    func nodata() throws {
        // Adobe RGB (128, 128, 128) is seen as (129, 129, 129).
        let samples: [UInt8] = [128, 128, 128, 129, 129, 129, 128, 128, 129]
        let file = ColoredFile.png(samples, chunks: [ColoredFile.iccp(.adobeRGB)])
        #expect(try alphas(file, nodata: 128) == [0, 255, 255])
        #expect(try alphas(file, nodata: 129) == [255, 0, 255])
        let image = try open(file, ReadOptions(nodata: 128)).readAll()
        expect(Array(image.pixels.prefix(8)), [129.02, 129.04, 129.01, 0, 130, 130, 130, 255])
        let besideAlpha = ColoredFile.png(
            [128, 128, 128, 200, 129, 129, 129, 201], colorType: 6,
            chunks: [ColoredFile.iccp(.adobeRGB)])
        #expect(try alphas(besideAlpha, nodata: 128) == [0, 201])
    }

    @Test("The nodata value is compared with gray, and with all 16 bits")
    func nodataOfGray() throws {
        let linear = [ColoredFile.gama(1)]
        let gray = ColoredFile.png(Self.grays, colorType: 0, chunks: linear)
        let image = try open(gray, ReadOptions(nodata: 50)).readAll()
        let expected = zip(Self.grays, Self.linearGrays).flatMap { gray, light -> [Double] in
            [light, light, light, gray == 50 ? 0 : 255]
        }
        expect(image.pixels, expected, within: 0.51)
        // 0x0301, 0x0302: neighbours that 8 bits do not tell apart.
        let deep = ColoredFile.png(
            [3, 1, 3, 1, 3, 1, 3, 2, 3, 2, 3, 2], depth: 16, chunks: linear)
        #expect(try alphas(deep, nodata: 0x0302) == [255, 0])
    }

    @Test("The nodata value is compared with the light of inks without their profile")
    func nodataOfInks() throws {
        // On the right, full magenta, yellow and black: no light.
        let file = ColoredFile.jpeg(
            ColoredFile.uninvertedInks, profile: .inks("press") { [$0[3] ? 20 : 100, 0, 0] })
        let row = [UInt8](repeating: 255, count: 8) + [UInt8](repeating: 0, count: 8)
        #expect(try alphas(file, nodata: 0) == (0..<8).flatMap { _ in row })
    }
}
