import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing

/// Colours that a file declares, but that cannot be used.
@Suite struct UnusableColorTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    struct Unusable: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var file: @Sendable () throws -> Data
        var reason: String
    }

    /// A deflate stream of zeros: a literal, then matches of 258 bytes at a distance of one, in the
    /// fixed codes of RFC 1951, 3.2.6, thirteen bits each.
    private static func bomb(matches: Int) -> [UInt8] {
        var (bits, bytes) = ([1, 1, 0] as [UInt8], [0x78, 0x01] as [UInt8])
        bits += [0, 0, 1, 1, 0, 0, 0, 0]
        for _ in 0..<matches { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
        bits += [0, 0, 0, 0, 0, 0, 0]
        for start in stride(from: 0, to: bits.count, by: 8) {
            let byte = bits[start..<min(start + 8, bits.count)]
            bytes.append(byte.reversed().reduce(0) { $0 << 1 | $1 })
        }
        return bytes
    }

    private static func withProfile(_ profile: ICCProfile) -> @Sendable () -> Data {
        let bytes = profile.bytes
        return {
            let chunk = ("iCCP", [65, 0, 0] + PNGBuilder.zlib(bytes))
            return ColoredFile.png([200, 30, 60], chunks: [chunk])
        }
    }

    @Test(
        "Unusable colours leave the numbers unchanged, with one warning",
        arguments: ([
            Unusable(
                testDescription: "inks' profile in an RGB file",
                file: withProfile(.inks("press") { _ in [50, 0, 0] }),
                reason: "its colour profile is for CMYK, and its pixels are RGB"),
            Unusable(
                testDescription: "gray's profile in an RGB file",
                file: withProfile(.gray("gray", curve: .gamma(2.2))),
                reason: "its colour profile is for gray, and its pixels are RGB"),
            Unusable(
                testDescription: "a link of two devices",
                file: withProfile(
                    ICCProfile(class: "link", space: "RGB ", pcs: "RGB ", tags: [])),
                reason: "its colour profile is not a device profile"),
            Unusable(
                testDescription: "no tags",
                file: withProfile(
                    ICCProfile(class: "mntr", space: "RGB ", pcs: "XYZ ", tags: [])),
                reason: "its colour profile is damaged"),
            Unusable(
                testDescription: "a table of 255 x 255 x 255 x 255",
                file: withProfile(
                    ICCProfile(
                        class: "mntr", space: "RGB ", pcs: "XYZ ",
                        tags: [("A2B0", Array("mft1".utf8) + [0, 0, 0, 0, 3, 3, 255, 0])])),
                reason: "its colour profile is damaged"),
            Unusable(
                testDescription: "a table that is there in part, and would take 100 MB",
                file: withProfile(
                    ICCProfile(
                        class: "mntr", space: "RGB ", pcs: "XYZ ",
                        tags: [
                            (
                                "A2B0",
                                Array("mft1".utf8) + [0, 0, 0, 0, 3, 3, 255, 0]
                                    + [UInt8](repeating: 1, count: 36 + 768 + 99)
                            )
                        ])),
                reason: "its colour profile is damaged"),
            Unusable(
                testDescription: "a name without an end",
                file: {
                    let chunk = [UInt8](repeating: 65, count: 100)
                    return ColoredFile.png([200, 30, 60], chunks: [("iCCP", chunk)])
                },
                reason: "its colour profile is damaged or too large"),
            Unusable(
                testDescription: "a chunk of more than 8 MiB",
                file: {
                    let chunk = [65, 0, 0] + [UInt8](repeating: 0, count: 8 << 20)
                    return ColoredFile.png([200, 30, 60], chunks: [("iCCP", chunk)])
                },
                reason: "its colour profile is damaged or too large"),
            Unusable(
                testDescription: "a red of x = -1",
                file: {
                    let numbers = [31270, 32900, -100_000, 33000, 30000, 60000, 15000, 6000]
                    return ColoredFile.png(
                        [200, 30, 60],
                        chunks: [
                            ColoredFile.gama(1), ("cHRM", numbers.flatMap(PNGBuilder.big)),
                        ])
                },
                reason: "its gamma or chromaticities are not plausible"),
            Unusable(
                testDescription: "primaries of BT.470",
                file: { ColoredFile.png([200, 30, 60], chunks: [("cICP", [5, 13, 0, 1])]) },
                reason: "its cICP chunk says 5, 13, 0, 1, which is not known"),
            Unusable(
                testDescription: "a zlib stream that is none",
                file: { ColoredFile.png([200, 30, 60], chunks: [("iCCP", [65, 0, 0, 1, 2, 3])]) },
                reason: "its colour profile is damaged or too large"),
            Unusable(
                testDescription: "zlib that inflates to 10 MB",
                file: {
                    let chunk = [65, 0, 0] + bomb(matches: 40_000) + PNGBuilder.big(0)
                    return ColoredFile.png([200, 30, 60], chunks: [("iCCP", chunk)])
                },
                reason: "its colour profile is damaged or too large"),
            Unusable(
                testDescription: "gamma 0",
                file: { ColoredFile.png([200, 30, 60], chunks: [ColoredFile.gama(0)]) },
                reason: "its gamma or chromaticities are not plausible"),
            Unusable(
                testDescription: "three primaries in one place",
                file: {
                    let point = [31270, 32900].flatMap(PNGBuilder.big)
                    return ColoredFile.png(
                        [200, 30, 60],
                        chunks: [
                            ColoredFile.gama(1), ("cHRM", point + point + point + point),
                        ])
                },
                reason: "its gamma or chromaticities are not plausible"),
            Unusable(
                testDescription: "light beyond white",
                file: { ColoredFile.png([200, 30, 60], chunks: [("cICP", [9, 16, 0, 1])]) },
                reason: "its cICP chunk says 9, 16, 0, 1, which is not known"),
        ]).some(6))
    func unusableColors(unusable: Unusable) throws {
        let image = try directory.openImage(unusable.file()).readAll()
        #expect(image.pixels == [200, 30, 60] && image.info.colorProfile == nil)
        let path = directory.path("image")
        #expect(
            image.info.warnings.map(\.text)
                == ["the colours of '\(path)' are taken as they are: \(unusable.reason)"])
    }

    @Test("An incomplete profile is ignored")
    func missingPart() throws {
        let sample = try JPEGSample.named("ycbcr444")
        let file = ColoredFile.jpeg(sample.file, profile: .adobeRGB, partSize: 200, parts: [0, 2])
        let image = try directory.openImage(file).readAll()
        #expect(image.pixels == Array(sample.pixels))
        #expect(image.info.warnings.count == 1)
        #expect(
            image.info.warnings.first?.text.hasSuffix("parts of its colour profile are missing") == true)
    }

    @Test("Wherever a profile is cut or changed, the image is read", .long)
    func damagedProfiles() throws {
        let sample = try JPEGSample.named("ycbcr444")
        let inks = ICCProfile.inks("press") { [$0[3] ? 0 : 100, 0, 0] }
        var random = SplitMix(seed: 7)
        for (file, profile) in [(sample.file, ICCProfile.adobeRGB), (ColoredFile.inks, inks)] {
            for _ in 0..<60 {
                var bytes = profile.bytes
                if random.next() % 2 == 0 {
                    bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
                }
                for _ in 0..<3 where !bytes.isEmpty {
                    let place = Int(random.next() % UInt64(min(bytes.count, 400)))
                    bytes[place] = UInt8(truncatingIfNeeded: random.next())
                }
                let damaged = ICCProfile(bytes)
                let image = try directory.openImage(ColoredFile.jpeg(file, profile: damaged)).readAll()
                #expect(image.pixels.count == image.info.width * image.info.height * 3)
            }
        }
    }
}
