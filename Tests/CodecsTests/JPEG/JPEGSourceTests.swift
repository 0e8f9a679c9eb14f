import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing
import Tiling

@Suite struct JPEGSourceTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ bytes: Data) throws -> any RasterSource {
        try bytes.write(to: directory.url.appending(path: "plan.jpg"))
        return try ImageFile.open(path: directory.path("plan.jpg"))
    }

    @Test("a JPEG has the pixels that Pillow gives", arguments: JPEGSample.all)
    func pixels(sample: JPEGSample) throws {
        let image = try open(sample.file).readAll()
        #expect(image.info.pixelFormat == sample.pixelFormat)
        #expect(image.info.summary == sample.summary)
        #expect(image.pixels == Array(sample.pixels))
    }

    @Test(
        "a reduced JPEG has the means of the pixels that Pillow gives",
        arguments: JPEGSample.all, [2, 4, 8])
    func reducedPixels(sample: JPEGSample, factor: Int) throws {
        let whole = try open(sample.file)
        #expect(whole.info.reductions == [2, 4, 8])
        let reduced = try ImageFile.open(
            path: directory.path("plan.jpg"), options: ReadOptions(reduction: factor))
        let (info, bytes) = (reduced.info, whole.info.pixelFormat.bytesPerPixel)
        #expect(info.width == (whole.info.width + factor - 1) / factor)
        #expect(info.height == (whole.info.height + factor - 1) / factor)
        #expect(info.pixelFormat == sample.pixelFormat && info.reductions.isEmpty)
        let pixels = try reduced.readAll().pixels
        var squares: [Double] = []
        let (rows, places) = (whole.info.height / factor, whole.info.width / factor * bytes)
        for row in 0..<rows {
            for place in 0..<places {
                var sum = 0
                for index in 0..<factor * factor {
                    let column = place / bytes * factor + index % factor
                    let line = (row * factor + index / factor) * whole.info.width
                    sum += Int(sample.pixels[(line + column) * bytes + place % bytes])
                }
                let mean = Double(sum) / Double(factor * factor)
                let difference = Double(pixels[row * info.width * bytes + place]) - mean
                squares.append(difference * difference)
            }
        }
        // The samples are smooth: but for JPEG's own noise, and for inks that are mixed before they
        // become light, nothing is lost with their high frequencies. From a column to the next they
        // rise or fall by 10.
        let meanSquare: Double = squares.reduce(0, +) / Double(squares.count)
        #expect(meanSquare.squareRoot() < 4)
    }

    @Test("only a progressive file keeps its coefficients")
    func decoderBytes() throws {
        #expect(try open(JPEGSample.named("ycbcr420").file).info.decoderBytes == 0)
        // 20 x 12 at 4:2:0 is two MCUs of 16 x 16: 4 + 1 + 1 blocks of 64 coefficients of 2 bytes each.
        #expect(try open(JPEGSample.named("progressive").file).info.decoderBytes == 2 * 6 * 128)
    }

    // libjpeg keeps markers in a list and walks along it to add one: a million would take an hour.
    @Test(
        "a JPEG with a million empty markers is read quickly",
        .timeLimit(.minutes(1)), arguments: [UInt8(0xE1), 0xE2].some(1))
    func markers(kind: UInt8) throws {
        let sample = try JPEGSample.named("gray")
        let marker = Data([0xFF, kind, 0, 2])
        var file = Data(sample.file.prefix(2))
        for _ in 0..<1_000_000 { file += marker }
        let image = try open(file + sample.file.dropFirst(2)).readAll()
        #expect(image.pixels == Array(sample.pixels))
    }

    @Test(
        "wherever a JPEG is cut, it is refused",
        arguments: ["gray", "ycbcr420", "progressive", "cmyk", "ycck"].some(1))
    func truncation(name: String) throws {
        let file = try JPEGSample.named(name).file
        for length in 0..<file.count - 2 {
            let cut = file.prefix(length)
            #expect(throws: Failure.self) { try open(cut).readAll() }
        }
    }

    @Test("the error of a photograph that is cut off names its last row")
    func truncationMessage() throws {
        let size = 256
        let noise = (0..<size * size * 4).map {
            UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13)
        }
        let bytes = try noise.withUnsafeBufferPointer {
            try JPEGTileEncoder(quality: 90).encode(
                TilePixels(size: size, bytes: $0, isOpaque: false))
        }
        let source = try open(Data(bytes.prefix(bytes.count / 2)))
        let error = #expect(throws: Failure.self) { try source.readAll() }
        let match = try #require(
            error?.message.wholeMatch(
                of: /cannot read '.*plan\.jpg': the file ends after row (\d+) of 256/))
        #expect((96...136).contains(try #require(Int(match.1))))
    }

    @Test("rows in an error are those of the file, even if it is read smaller")
    func reducedTruncation() throws {
        let size = 512
        let gray = (0..<size * size * 4).map { UInt8(truncatingIfNeeded: ($0 &* 40_503) >> 9) }
        let bytes = try gray.withUnsafeBufferPointer {
            try JPEGTileEncoder(quality: 90).encode(
                TilePixels(size: size, bytes: $0, isOpaque: false))
        }
        _ = try open(Data(bytes.prefix(bytes.count / 2)))
        let source = try ImageFile.open(
            path: directory.path("plan.jpg"), options: ReadOptions(reduction: 8))
        let error = #expect(throws: Failure.self) { try source.readAll() }
        let match = try #require(error?.message.firstMatch(of: /ends after row (\d+) of 512/))
        #expect((192...272).contains(try #require(Int(match.1))))
    }

    @Test("a lost restart interval is an error, although libjpeg would go on")
    func lostScanData() throws {
        let file = try JPEGSample.named("ycbcr444").file
        // The last quarter of the scan gives way to the end of the image.
        let scan = try #require(file.range(of: Data([0xFF, 0xDA]))).upperBound
        let cut = file.prefix(scan + (file.count - scan) / 2) + Data([0xFF, 0xD9])
        let error = #expect(throws: Failure.self) { try open(cut).readAll() }
        #expect(error?.message.contains("premature end of data segment") == true)
    }

    @Test("a file with too many scans is refused before it costs hours")
    func scanBomb() throws {
        let file = try JPEGSample.named("progressive").file
        // The first scan, of the DC coefficients, may be repeated; tables for the next one follow it.
        let first = try #require(file.range(of: Data([0xFF, 0xDA])))
        let end = try #require(
            file.range(of: Data([0xFF, 0xC4]), in: first.upperBound..<file.count)
        ).lowerBound
        let scans = Data(repeatElement(file[first.lowerBound..<end], count: 600).joined())
        let bomb = file.prefix(first.lowerBound) + scans
        let error = #expect(throws: Failure.self) { try open(bomb).readAll() }
        #expect(error?.message.contains("more than 500 scans") == true)
    }

    @Test("bytes between a header's segments and after the image are harmless")
    func padding() throws {
        let sample = try JPEGSample.named("gray")
        let padded =
            sample.file.prefix(2) + Data([0xFF, 0xFF, 0xFF]) + sample.file.dropFirst(3)
            + Data(repeating: 7, count: 100)
        #expect(try open(padded).readAll().pixels == Array(sample.pixels))
    }

    @Test("comments, unknown segments and bytes between segments are harmless")
    func comments() throws {
        let sample = try JPEGSample.named("gray")
        // Together longer than what is read at once.
        let comment = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 65, count: 65533)
        let others: [UInt8] = [0xFF, 0xE5, 0, 4, 1, 2, 0xFF, 0xFE, 0, 2, 1, 2, 3]
        let file = sample.file.prefix(2) + Data(comment + comment + others) + sample.file.dropFirst(2)
        #expect(try open(file).readAll().pixels == Array(sample.pixels))
    }

    @Test("bytes before the end marker are harmless; without the marker, a tile is incomplete")
    func end() throws {
        let file = try JPEGSample.named("gray").file
        let padded = Array(file.dropLast(2)) + [UInt8](repeating: 0, count: 100)
        let found = try TileInspection.inspect(padded + [0xFF, 0xD9])
        #expect(found == (.jpeg, 20, 12))
        let failure = #expect(throws: Failure.self) { try TileInspection.inspect(padded) }
        #expect(failure?.message == "the file ends before its end marker")
    }

    @Test("leftover bytes between restarts mean lost pixels")
    func restarts() throws {
        let file = try JPEGSample.named("gray").file
        let scan = try #require(file.range(of: Data([0xFF, 0xDA]))).lowerBound
        let length = Int(file[scan + 2]) << 8 | Int(file[scan + 3])
        // ITU-T T.81, tables K.3 and K.5: no difference of the mean, 00, no other coefficients, 1010,
        // and ones. 3 x 2 blocks, each with a restart behind it.
        func made(extra: [UInt8]) -> Data {
            var blocks: [UInt8] = []
            for block: UInt8 in 0..<6 {
                blocks.append(0x2B)
                if block == 2 { blocks += extra }
                if block < 5 { blocks += [0xFF, 0xD0 + block] }
            }
            var made = Data(file[..<scan])
            made += [0xFF, 0xDD, 0, 4, 0, 1]
            made += file[scan..<scan + 2 + length]
            made += blocks + [0xFF, 0xD9]
            return made
        }
        let image = try open(made(extra: [])).readAll()
        #expect(image.pixels == [UInt8](repeating: 128, count: 20 * 12))
        let lost = try open(made(extra: [UInt8](repeating: 0x2B, count: 40)))
        let failure = #expect(throws: Failure.self) { try lost.readAll() }
        #expect(failure?.message.contains("extraneous") == true)
    }

    @Test("an Adobe marker with an undefined transform is harmless")
    func adobeTransform() throws {
        let sample = try JPEGSample.named("ycck")
        var file = sample.file
        let marker = try #require(file.range(of: Data([0xFF, 0xEE]))).lowerBound
        #expect(file[marker + 15] == 2)
        file[marker + 15] = 1
        #expect(try open(file).readAll().pixels == Array(sample.pixels))
    }

    @Test("two components are not a colour")
    func twoComponents() throws {
        let file = try JPEGSample.named("gray").file
        let frame = try #require(file.range(of: Data([0xFF, 0xC0]))).lowerBound
        let two =
            file[..<(frame + 2)] + Data([0, 14]) + file[(frame + 4)..<(frame + 9)]
            + Data([2, 1, 0x11, 0, 2, 0x11, 0]) + file[(frame + 13)...]
        let failure = #expect(throws: Failure.self) { try open(two) }
        #expect(failure?.message.hasSuffix("its 2 components are not a known colour space") == true)
    }

    @Test(
        "an unsupported JPEG process is named",
        arguments: [
            (UInt8(0xC3), 8, "SOF type 0xc3"),  // lossless
            (UInt8(0xC1), 12, "12"),  // 12 bits per sample
        ])
    func unsupported(process: UInt8, precision: UInt8, reason: String) throws {
        var file = try JPEGSample.named("gray").file
        let frame = try #require(file.range(of: Data([0xFF, 0xC0])))
        file[frame.lowerBound + 1] = process
        file[frame.upperBound + 2] = precision
        let error = #expect(throws: Failure.self) { try open(file).readAll() }
        #expect(error?.message.contains(reason) == true)
        #expect(error?.kind == .badInput)
    }

    @Test("the orientation in APP1 is that of the image", arguments: 1...8, [false, true])
    func orientation(value: Int, isBigEndian: Bool) throws {
        let exif = EXIFTests.block(orientation: UInt16(value), isBigEndian: isBigEndian)
        let body = Array("Exif\0\0".utf8) + exif
        let length = body.count + 2
        let xmp = [0xFF, 0xE1, 0, 10] + Array("http://x".utf8)
        let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body
        let sample = try JPEGSample.named("gray")
        let file = sample.file.prefix(2) + Data(xmp) + Data(segment) + sample.file.dropFirst(2)
        let image = try open(file).readAll()
        #expect(image.info.orientation == Orientation(rawValue: value))
        #expect(image.pixels == Array(sample.pixels))
    }

    @Test("drone photographs are read to their last row", .needsSharedData)
    func aerial() throws {
        let source = try ImageFile.open(path: SharedData.url("data/aerial/DJI_0023.jpg").path)
        #expect((source.info.width, source.info.height) == (4000, 2250))
        #expect(source.info.orientation == .upright)
        #expect(try source.readAll(atATime: 64).pixels.count == 4000 * 2250 * 3)
    }
}
