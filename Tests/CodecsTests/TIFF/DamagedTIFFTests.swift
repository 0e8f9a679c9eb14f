import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing

@Suite struct DamagedTIFFTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func read(_ bytes: [UInt8], options: ReadOptions = ReadOptions()) throws -> DecodedImage {
        try Data(bytes).write(to: directory.url.appending(path: "plan.tif"))
        return try ImageFile.open(path: directory.path("plan.tif"), options: options).readAll()
    }

    private func failure(_ bytes: [UInt8]) -> Failure? {
        return #expect(throws: Failure.self) { try read(bytes) }
    }

    private static let pixels = (0..<16).map { UInt8($0) }

    private static func changed(_ change: (inout TIFFBuilder) -> Void) -> [UInt8] {
        var file = TIFFBuilder(width: 4, height: 4, data: pixels)
        change(&file)
        return file.bytes
    }

    @Test("the file that damaged files are made from is valid")
    func sound() throws {
        let image = try read(Self.changed { _ in })
        #expect(image.pixels == Self.pixels && image.info.summary == "TIFF, 8-bit gray")
    }

    private static let damaged: [(String, [UInt8], String)] = [
        ("nothing but a mark", [0x49, 0x49, 42, 0], "the file ends too early"),
        ("no directory", [0x49, 0x49, 42, 0, 0, 0, 0, 0], "directories"),
        ("a directory beyond the end", [0x49, 0x49, 42, 0, 0, 0, 0, 9], "the file ends too early"),
        ("a chain that bites its tail", changed { $0.next = $0.directory }, "directories"),
        ("a chain that leaves the file", changed { $0.next = 1 << 30 }, "the file ends too early"),
        ("no pixels", changed { $0.set(256, .long, [0]) }, ""),
        ("no bits", changed { $0.set(258, .short, [0]) }, ""),
        ("65535 bits", changed { $0.set(258, .short, [65535]) }, "65535 bits"),
        ("an unknown compression", changed { $0.set(259, .short, [999]) }, "compression 999"),
        ("unknown colours", changed { $0.set(262, .short, [999]) }, "interpretation 999"),
        ("RGB of one sample", changed { $0.set(262, .short, [2]) }, "need 3 samples"),
        ("CIELAB of one sample", changed { $0.set(262, .short, [8]) }, "need 3 samples"),
        (
            "a directory beyond all files",
            [0x49, 0x49, 43, 0, 8, 0, 0, 0] + [UInt8](repeating: 0xF0, count: 8), "directory"
        ),
        (
            "floats of 24 bits",
            changed {
                $0.set(258, .short, [24])
                $0.set(339, .short, [3])
            }, "24 bits per floating-point sample"
        ),
        (
            "YCbCr of 12 bits", changed { $0.setSamples(3, photometric: 6, bits: 12) },
            "its colours are not read: "
        ),
        (
            "a strip of YCbCr that is too large",
            changed {
                $0.setSamples(3, photometric: 6)
                for tag in [256, 257, 278] { $0.set(tag, .long, [8192]) }
                $0.set(259, .short, [5])
                $0.set(530, .short, [1, 1])
            }, "its strips of 8192 x 8192 pixels are too large"
        ),
        (
            "a palette for signed samples",
            changed {
                $0.set(262, .short, [3])
                $0.set(320, .short, [Int](repeating: 7, count: 768))
                $0.set(339, .short, [2])
            }, "it has no palette for its samples"
        ),
        (
            "six inks",
            changed {
                $0.setSamples(6, photometric: 5)
                $0.set(332, .short, [2])
            }, "its inks are not cyan, magenta, yellow and black"
        ),
        (
            "numbers whose strips all lie behind the end",
            changed {
                $0.set(257, .long, [4096])
                $0.set(258, .short, [16])
                $0.set(278, .long, [256])
                $0.set(273, .long, [Int](repeating: 1 << 30, count: 16))
                $0.set(279, .long, [Int](repeating: 2048, count: 16))
            }, "of 4096"
        ),
        (
            "a strip of 67 MB that is not there",
            changed {
                for tag in [256, 257, 278] { $0.set(tag, .long, [8200]) }
                $0.set(259, .short, [32773])
            }, "after row 0 of 8200: "
        ),
        ("complex numbers", changed { $0.set(339, .short, [5]) }, "complex"),
        ("no strips", changed { $0.fields[273] = nil }, ""),
        ("strips without rows", changed { $0.set(278, .long, [0]) }, ""),
        ("tiles without columns", changed { $0.setTiles(width: 0, height: 16, count: 1) }, ""),
        (
            "tiles that fill the world",
            changed {
                $0.set(256, .long, [1 << 20])
                $0.set(257, .long, [1 << 20])
                $0.setTiles(width: 1 << 20, height: 1 << 20, count: 1)
            }, "too large"
        ),
        (
            "a strip of a size that nothing has",
            changed {
                $0.set(256, .long, [1 << 31])
                $0.set(257, .long, [1 << 31])
            }, ""
        ),
        (
            "more tiles than there are numbers",
            changed {
                $0.set(256, .long, [1 << 22])
                $0.set(257, .long, [1 << 22])
                $0.setTiles(width: 16, height: 16, count: 1 << 32 - 1)
            }, "overflow"
        ),
        (
            "four million tiles, of which one is there",
            changed {
                $0.set(256, .long, [1 << 15])
                $0.set(257, .long, [1 << 15])
                $0.setTiles(width: 16, height: 16, count: 1 << 22)
            }, "row 0"
        ),
        ("pixels beyond the end", changed { $0.set(273, .long, [1 << 30]) }, "after row 0 of 4"),
        (
            "a strip that lies behind the end",
            changed {
                $0.set(278, .long, [1])
                $0.set(273, .long, [8, 12, 1 << 20, 20])
                $0.set(279, .long, [4, 4, 4, 4])
            }, "after row 2 of 4"
        ),
        (
            "a strip that is longer than the file",
            changed {
                $0.set(257, .long, [1 << 13])
                $0.set(279, .long, [1 << 30])
                $0.set(278, .long, [1 << 13])
            }, "the file ends after row "
        ),
        ("Deflate that is none", changed { $0.set(259, .short, [8]) }, "after row 0 of 4: "),
        ("LZW that is none", changed { $0.set(259, .short, [5]) }, "after row 0 of 4: "),
        ("PackBits that end", changed { $0.set(259, .short, [32773]) }, "after row 0 of 4: "),
        ("CCITT that is none", changed { $0.asFax() }, "after row 0 of 4: "),
        ("JPEG that is none", changed { $0.set(259, .short, [7]) }, "after row 0 of 4: "),
        ("an old JPEG without one", changed { $0.asOldJPEG() }, ""),
        ("children beyond the end", changed { $0.set(330, .long, [1 << 30]) }, ""),
    ]

    @Test("a damaged TIFF is bad input, in one clause", arguments: damaged)
    func damage(name: String, bytes: [UInt8], reason: String) throws {
        let failure = try #require(self.failure(bytes))
        #expect(failure.kind == .badInput)
        #expect(failure.message.hasPrefix("cannot read '\(directory.path("plan.tif"))': "))
        #expect(reason.isEmpty || failure.message.contains(reason), "\(failure.message)")
        #expect(!failure.message.contains("\n") && !failure.message.hasSuffix("."))
    }

    @Test("a TIFF cut off anywhere before the end of its last tag is an error")
    func truncation() throws {
        let whole = Self.changed { _ in }
        // The last four bytes say that there is no other directory.
        for size in 8..<whole.count - 4 {
            let failure = failure(Array(whole[..<size]))
            #expect(failure?.kind == .badInput, "at \(size)")
        }
    }

    @Test("a file that shrinks while it is read is an error")
    func shrinking() throws {
        let path = directory.path("plan.tif")
        let data = [UInt8](repeating: 7, count: 1 << 20)
        var file = TIFFBuilder(width: 1 << 10, height: 1 << 10, data: data)
        file.set(278, .long, [1 << 8])
        file.set(273, .long, (0..<4).map { 8 + ($0 << 18) })
        file.set(279, .long, Array(repeating: 1 << 18, count: 4))
        try Data(file.bytes).write(to: URL(filePath: path))
        let source = try ImageFile.open(path: path)
        try FileHandle(forUpdating: URL(filePath: path)).truncate(atOffset: 1 << 19)
        let failure = #expect(throws: Failure.self) { try source.readAll(atATime: 1024) }
        #expect(failure?.kind == .badInput)
    }

    @Test("any byte may be wrong without harm", .long)
    func noise() throws {
        let whole = Self.changed { $0.set(259, .short, [5]) }
        var random = SplitMix(seed: 11)
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<3 {
                let place = Int.random(in: 4..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            try Data(bytes).write(to: directory.url.appending(path: "plan.tif"))
            // Small ones only: a size that came out large is sound as far as anyone can see.
            guard let source = try? ImageFile.open(path: directory.path("plan.tif")),
                source.info.width * source.info.height < 1 << 16
            else { continue }
            _ = try? source.readAll()
        }
    }

    @Test("tags of a wrong type or count are ignored")
    func strangeTags() throws {
        let bytes = Self.changed {
            $0.set(33550, .short, [1, 2, 3])
            $0.set(33922, .double, [1, 2], count: 1 << 30)
            $0.set(34735, .long, [1, 1, 0, 70000])
            $0.fields[34737] = .init(kind: .short, count: 1, bytes: [65, 0])
            $0.fields[42113] = .init(kind: .ascii, count: 4, bytes: Array("12x\0".utf8))
        }
        let image = try read(bytes)
        #expect(image.pixels == Self.pixels)
        #expect(image.info.fileTags.numbers(33550) == [1, 2, 3])
        #expect(image.info.fileTags.numbers(33922) == [])
        #expect(image.info.fileTags.numbers(34735) == [1, 1, 0, 70000])
        #expect(image.info.fileTags.text(34737) == "")
    }

    @Test(
        "concurrent tasks share 256 MiB of blocks",
        arguments: [(256, 4096), (4096, 16), (8192, 4), (16384, 1)])
    func tasks(edge: Int, most: Int) throws {
        var file = TIFFBuilder(width: edge, height: edge, data: [])
        file.setTiles(width: edge, height: edge, count: 1)
        try Data(file.bytes).write(to: directory.url.appending(path: "plan.tif"))
        let info = try ImageFile.open(path: directory.path("plan.tif")).info
        #expect(info.mostTasks == most && info.decoderBytesPerTask == edge * edge)
        // One of them, and a row of tiles, are the first task's.
        #expect(info.decoderBytes(tasks: 1) == 2 * edge * edge)
        #expect(info.decoderBytes(tasks: 2) == 2 * edge * edge + (most > 1 ? edge * edge : 0))
        #expect(info.decoderBytes(tasks: 1 << 20) == edge * edge + 256 << 20)
    }

    @Test("an old JPEG within a TIFF is read")
    func oldJPEG() throws {
        let sample = try JPEGSample.named("ycbcr444")
        let data = Array(sample.file)
        let size = try ImageFile.open(path: write(data)).info
        var file = TIFFBuilder(width: size.width, height: size.height, data: data)
        file.set(258, .short, [8, 8, 8])
        file.set(259, .short, [6])
        file.set(262, .short, [6])
        file.set(277, .short, [3])
        file.set(513, .long, [8])
        file.set(514, .long, [data.count])
        file.set(530, .short, [1, 1])
        let image = try read(file.bytes)
        let difference = zip(image.rgba.enumerated(), try read(jpeg: data).rgba)
            .map { abs(Int($0.element) - Int($1)) }.max()
        // libtiff and libjpeg round the conversion to RGB in different ways.
        #expect(try #require(difference) <= 2)
    }

    private func write(_ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: directory.url.appending(path: "photo.jpg"))
        return directory.path("photo.jpg")
    }

    private func read(jpeg bytes: [UInt8]) throws -> DecodedImage {
        try ImageFile.open(path: write(bytes)).readAll()
    }
}

extension TIFFBuilder {
    fileprivate mutating func asFax() {
        set(258, .short, [1])
        set(259, .short, [4])
    }

    fileprivate mutating func asOldJPEG() {
        set(258, .short, [8, 8, 8])
        set(259, .short, [6])
        set(262, .short, [6])
        set(277, .short, [3])
    }
}
