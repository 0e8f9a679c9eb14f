import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// Every colour type, depth, tRNS and interlacing of the basic PNG suite.
@Suite(.needsSharedData) struct PNGSuiteTests {
    /// FNV-1a of the RGBA pixels as Pillow 13.0 decodes them (`convert("RGBA")`); of 16-bit files,
    /// which Pillow truncates, as a decoder in Python written from the specification does, scaled by
    /// its section 13.12; of ft*n0g04, whose transparent gray Pillow misses, as ImageMagick 6.9 does.
    @Test(
        "a file of the PNG suite has the pixels that another decoder gives",
        arguments: [
            ("basn0g01", .gray8, 0xf76ab9c2cc275b5d),
            ("basn0g02", .gray8, 0x100bbcf53d1fd325),
            ("basn0g04", .gray8, 0xca83a263da76ab25),
            ("basn0g08", .gray8, 0x11ed8979ce4d7b4d),
            ("basn0g16", .gray8, 0x785e25109704327c),
            ("basn2c08", .rgb8, 0x6d0a594462868f25),
            ("basn2c16", .rgb8, 0x14fba4b7a7c90773),
            ("basn3p01", .rgb8, 0x83e9607069333725),
            ("basn3p02", .rgb8, 0xe1b97808c557cb25),
            ("basn3p04", .rgb8, 0x817fff880b5d72c5),
            ("basn3p08", .rgb8, 0x3733a8885d80db25),
            ("basn4a08", .rgba8, 0x4b4e70fc7720494d),
            ("basn4a16", .rgba8, 0x3fd7053b16ac1f45),
            ("basn6a08", .rgba8, 0xf9ed41b6375b125d),
            ("basn6a16", .rgba8, 0x0fc79b1d0c1759f1),
            ("ftbbn0g01", .rgba8, 0x375832c5d544f7a1),
            ("ftbbn0g02", .rgba8, 0xa515a0f40cc67686),
            ("ftbbn0g04", .rgba8, 0x39883b6d2d852264),
            ("ftbbn2c16", .rgba8, 0x1e1f86e420f8ad04),
            ("ftbbn3p08", .rgba8, 0x6cdff609c65aac37),
            ("ftbgn2c16", .rgba8, 0x1e1f86e420f8ad04),
            ("ftbgn3p08", .rgba8, 0x6cdff609c65aac37),
            ("ftbrn2c08", .rgba8, 0x1e1f86e420f8ad04),
            ("ftbwn0g16", .rgba8, 0xe92f2104ef56df4d),
            ("ftbwn3p08", .rgba8, 0x6cdff609c65aac37),
            ("ftbyn3p08", .rgba8, 0x6cdff609c65aac37),
            ("ftp0n0g08", .gray8, 0x162fa510b7ff822e),
            ("ftp0n2c08", .rgb8, 0xcca7d2a511030be9),
            ("ftp0n3p08", .rgb8, 0xfd1fa2a0c996ef7f),
            ("ftp1n3p08", .rgba8, 0x6cdff609c65aac37),
            ("ibasn0g01", .gray8, 0xf76ab9c2cc275b5d),
            ("ibasn0g02", .gray8, 0x100bbcf53d1fd325),
            ("ibasn0g04", .gray8, 0xca83a263da76ab25),
            ("ibasn0g08", .gray8, 0x11ed8979ce4d7b4d),
            ("ibasn0g16", .gray8, 0x785e25109704327c),
            ("ibasn2c08", .rgb8, 0x6d0a594462868f25),
            ("ibasn2c16", .rgb8, 0x14fba4b7a7c90773),
            ("ibasn3p01", .rgb8, 0x83e9607069333725),
            ("ibasn3p02", .rgb8, 0xe1b97808c557cb25),
            ("ibasn3p04", .rgb8, 0x817fff880b5d72c5),
            ("ibasn3p08", .rgb8, 0x3733a8885d80db25),
            ("ibasn4a08", .rgba8, 0x4b4e70fc7720494d),
            ("ibasn4a16", .rgba8, 0x3fd7053b16ac1f45),
            ("ibasn6a08", .rgba8, 0xf9ed41b6375b125d),
            ("ibasn6a16", .rgba8, 0x0fc79b1d0c1759f1),
            ("iftbbn0g01", .rgba8, 0x375832c5d544f7a1),
            ("iftbbn0g02", .rgba8, 0xa515a0f40cc67686),
            ("iftbbn0g04", .rgba8, 0x39883b6d2d852264),
            ("iftbbn2c16", .rgba8, 0x1e1f86e420f8ad04),
            ("iftbbn3p08", .rgba8, 0x6cdff609c65aac37),
            ("iftbgn2c16", .rgba8, 0x1e1f86e420f8ad04),
            ("iftbgn3p08", .rgba8, 0x6cdff609c65aac37),
            ("iftbrn2c08", .rgba8, 0x1e1f86e420f8ad04),
            ("iftbwn0g16", .rgba8, 0xe92f2104ef56df4d),
            ("iftbwn3p08", .rgba8, 0x6cdff609c65aac37),
            ("iftbyn3p08", .rgba8, 0x6cdff609c65aac37),
            ("iftp0n0g08", .gray8, 0x162fa510b7ff822e),
            ("iftp0n2c08", .rgb8, 0xcca7d2a511030be9),
            ("iftp0n3p08", .rgb8, 0xfd1fa2a0c996ef7f),
            ("iftp1n3p08", .rgba8, 0x6cdff609c65aac37),
        ] as [(String, PixelFormat, UInt64)])
    func pixels(name: String, format: PixelFormat, hash: UInt64) throws {
        let url = try SharedData.url("data/png/\(name).png")
        // The decoders that it is compared with leave gAMA alone.
        let source = try ImageFile.open(path: url.path, options: ReadOptions(keepsColors: true))
        #expect(source.info.width == 32)
        #expect(source.info.height == 32)
        #expect(source.info.pixelFormat == format)
        #expect(
            try source.info.summary.hasSuffix(", interlaced") == (Data(contentsOf: url)[28] == 1))
        #expect(fnv1a(try source.readAll().rgba) == hash)
    }

    @Test(
        "a file of the PNG suite that says that its samples are linear light becomes sRGB",
        arguments: [
            "basn0g01", "basn0g04", "basn0g08", "basn2c08", "basn3p04", "basn3p08", "basn4a08",
            "basn6a08",
        ])
    func linearLight(name: String) throws {
        let path = try SharedData.url("data/png/\(name).png").path
        let stored = try ImageFile.open(path: path, options: ReadOptions(keepsColors: true))
        let seen = try ImageFile.open(path: path)
        #expect(seen.info.colorProfile?.description == "gamma 1.00")
        #expect(seen.info.pixelFormat == stored.info.pixelFormat)
        let values = try zip(stored.readAll().rgba, seen.readAll().rgba)
        let errors = values.enumerated().map { index, value in
            let light = Double(value.0) / 255
            // IEC 61966-2-1; alpha is no colour.
            let encoded =
                index % 4 == 3
                ? light : light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            return abs(255 * encoded - Double(value.1))
        }
        #expect(try #require(errors.max()) <= 1)
    }

    @Test("only an interlaced file needs memory for its whole image")
    func decoderBytes() throws {
        let streamed = try ImageFile.open(path: SharedData.url("data/png/basn2c08.png").path)
        let interlaced = try ImageFile.open(path: SharedData.url("data/png/ibasn2c08.png").path)
        // Buffers of a fixed size: 64 kB of the file, deflate's 32 kB, and tables.
        #expect((100_000..<150_000).contains(streamed.info.decoderBytes))
        #expect(interlaced.info.decoderBytes == 2 * 32 * 3 + 32 * 32 * 3)
    }
}
