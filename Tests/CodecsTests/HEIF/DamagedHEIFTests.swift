import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing

/// Files that are cut off, lie about themselves, or hold no still image.
@Suite struct DamagedHEIFTests {
    private let image: CodedImage

    init() throws { image = try CodedImage(width: 64, height: 64) }

    private func encode() throws -> (avif: [UInt8], heic: [UInt8]) {
        try image.write("plan.png")
        try image.run("avifenc", ["-s", "9", "-y", "420", "plan.png", "plan.avif"])
        try image.run("heif-enc", ["-o", "plan.heic", "plan.png"])
        return (try bytes("plan.avif"), try bytes("plan.heic"))
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: image.directory.url.appending(path: name)))
    }

    /// What is wrong with a file, or nil if it can be read.
    private func failure(_ bytes: [UInt8]) throws -> Failure? {
        try Data(bytes).write(to: image.directory.url.appending(path: "damaged"))
        do {
            _ = try image.read("damaged")
            return nil
        } catch let failure as Failure { return failure }
    }

    @Test("a file that is cut off anywhere is refused", .needs("avifenc", "heif-enc"))
    func cutOff() throws {
        let (avif, heic) = try encode()
        for file in [avif, heic] {
            for length in stride(from: 24, to: file.count, by: 13) {
                let failure = try #require(try failure(Array(file.prefix(length))), "\(length)")
                #expect(failure.kind == .badInput)
                #expect(failure.message.hasPrefix("cannot read '\(image.path("damaged"))': "))
                #expect(!failure.message.contains("\n"))
            }
        }
    }

    @Test("a file that is damaged is read or refused", .long, .needs("avifenc", "heif-enc"))
    func damaged() throws {
        let (avif, heic) = try encode()
        var refused = 0
        for file in [avif, heic] {
            for place in 12..<min(file.count, 500) {
                var damaged = file
                damaged[place] ^= 0xFF
                guard let failure = try failure(damaged) else { continue }
                #expect(
                    failure.kind == .badInput && !failure.message.contains("\n"), "byte \(place): \(failure)")
                refused += 1
            }
        }
        // Most bytes of a description matter.
        #expect(refused > 300)
    }

    /// Writes another size into a file's descriptions of images.
    private func rewriteSize(_ name: String, in image: CodedImage, to edge: UInt8) throws {
        let place = image.directory.url.appending(path: name)
        var file = try Data(contentsOf: place)
        // Behind the name: version and flags, width, height.
        while let size = file.range(of: Data("ispe".utf8)) {
            let fields = Data([0, 0, 0, 0, 0, 0, 0, edge, 0, 0, 0, edge])
            file.replaceSubrange(size.upperBound..<size.upperBound + 12, with: fields)
            file.replaceSubrange(size, with: Data("ISPE".utf8))
        }
        try file.replacing(Data("ISPE".utf8), with: Data("ispe".utf8)).write(to: place)
    }

    @Test(
        "an image that is coded larger than it says is refused before it is decoded", .long,
        .needs("avifenc", "heif-enc"))
    func largerThanItSays() throws {
        let image = try CodedImage(width: 1500, height: 1000)
        try image.write("plan.png", samples: 1)
        try image.run("avifenc", ["-s", "10", "plan.png", "plan.avif"])
        try image.run("heif-enc", ["-q", "10", "-o", "plan.heic", "plan.png"])
        for name in ["plan.avif", "plan.heic"] {
            try rewriteSize(name, in: image, to: 4)
            let failure = #expect(throws: Failure.self) { try image.read(name) }
            #expect(failure?.message.contains(" an image of 4 x 4 pixels is coded as 15") == true)
        }
    }

    @Test("an image that is coded smaller than it says is refused", .needs("avifenc", "heif-enc"))
    func smallerThanItSays() throws {
        _ = try encode()
        for name in ["plan.avif", "plan.heic"] {
            try rewriteSize(name, in: image, to: 128)
            let failure = #expect(throws: Failure.self) { try image.read(name) }
            #expect(failure?.message.hasSuffix("of 128 x 128 pixels is coded as 64 x 64") == true)
        }
    }

    @Test("an image without pixels, or with too many bytes, is refused", .needs("avifenc", "heif-enc"))
    func impossibleSizes() throws {
        _ = try encode()
        try rewriteSize("plan.heic", in: image, to: 0)
        let empty = #expect(throws: Failure.self) { try image.read("plan.heic") }
        #expect(empty?.message.hasSuffix("its size is 0 x 0") == true)
        let file = try FileHandle(forWritingTo: URL(filePath: image.path("plan.avif")))
        try file.truncate(atOffset: 600 << 20)
        try file.close()
        let large = #expect(throws: Failure.self) { try image.read("plan.avif") }
        #expect(large?.message.hasSuffix("the file is larger than 512 MB") == true)
    }

    /// Descriptions of a grid (ISO/IEC 23008-12, 6.6.2.3.2): version, flags, rows and columns less one, width
    /// and height; and what is wrong with them if there are 4 x 3 tiles of 64 x 64 pixels.
    private static let grids: [([UInt8], String)] = [
        ([0, 0, 2, 4, 1, 0, 0, 192], "it has 12 of 15 tiles"),
        ([0, 0, 2, 3, 2, 0, 0, 192], "its size is 512 x 192, and its tiles cover 256 x 192"),
        ([0, 0, 2, 3, 1, 0, 0, 128], "its size is 256 x 128, and its tiles cover 256 x 192"),
        ([0, 0, 2, 3, 0, 0, 0, 192], "its size is 0 x 192"),
        // Sizes of four bytes each.
        ([0, 1, 2, 3, 1, 0, 0, 192], "its grid of tiles is damaged"),
    ]

    @Test("a grid whose tiles do not make its size is refused", .needs("avifenc"))
    func unfitGrid() throws {
        let image = try CodedImage(width: 256, height: 192)
        try image.write("plan.png")
        try image.run("avifenc", ["-s", "9", "-y", "420", "-g", "4x3", "plan.png", "plan.avif"])
        let place = image.directory.url.appending(path: "plan.avif")
        let sound = try Data(contentsOf: place)
        for (grid, reason) in Self.grids {
            let description = try #require(sound.range(of: Data([0, 0, 2, 3, 1, 0, 0, 192])))
            var file = sound
            file.replaceSubrange(description, with: grid)
            try file.write(to: place)
            let failure = #expect(throws: Failure.self) { try image.read("plan.avif") }
            #expect(failure?.kind == .badInput && failure?.message.hasSuffix(reason) == true, "\(reason)")
        }
    }

    @Test("the size is checked before anything is decoded", .needs("avifenc", "heif-enc"))
    func sizeFirst() throws {
        struct TooLarge: Error {}
        // Behind its sequence header there are zeros.
        let avif = try encode().avif
        let start = try #require(Data(avif).range(of: Data("mdat".utf8))).upperBound + 13
        let zeros = Data(count: avif.count - start)
        try (avif.prefix(start) + zeros).write(to: image.directory.url.appending(path: "plan.avif"))
        #expect(throws: TooLarge.self) {
            try ImageFile.open(path: image.path("plan.avif")) { width, height in
                #expect(width == 64 && height == 64)
                throw TooLarge()
            }
        }
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        PNGBuilder.big(8 + content.count) + Array(type.utf8) + content
    }

    @Test("a sequence without a still image is refused with a way out")
    func sequence() throws {
        let brands = Self.box("ftyp", Array("avis\0\0\0\0avismsf1iso8".utf8))
        let failure = try failure(brands + Self.box("moov", [0, 0, 0, 0]))
        #expect(failure?.message.hasSuffix("it is a sequence of images without a still one") == true)
        #expect(failure?.remedy?.hasPrefix("extract its first image: ffmpeg -i ") == true)
    }

    @Test("unsupported codings and forms are named", arguments: ["jpeg", "iovl"])
    func otherCodings(type: String) throws {
        let meta =
            Self.box("pitm", [0, 0, 0, 0, 0, 1])
            + Self.box(
                "iinf",
                [0, 0, 0, 0, 0, 1]
                    + Self.box("infe", [2, 0, 0, 0, 0, 1, 0, 0] + Array(type.utf8) + [0]))
        let file =
            Self.box("ftyp", Array("mif1\0\0\0\0mif1".utf8)) + Self.box("meta", [0, 0, 0, 0] + meta)
        let expected = type == "jpeg" ? "coded as 'jpeg'" : "an overlay of several images"
        #expect(try failure(file)?.message.contains(expected) == true)
    }

    @Test("an image that refers to itself is refused")
    func endless() throws {
        let item = Self.box("infe", [2, 0, 0, 0, 0, 1, 0, 0] + Array("iden".utf8) + [0])
        let meta =
            Self.box("pitm", [0, 0, 0, 0, 0, 1]) + Self.box("iinf", [0, 0, 0, 0, 0, 1] + item)
            + Self.box("iref", [0, 0, 0, 0] + Self.box("dimg", [0, 1, 0, 1, 0, 1]))
        let file =
            Self.box("ftyp", Array("heic\0\0\0\0mif1".utf8)) + Self.box("meta", [0, 0, 0, 0] + meta)
        #expect(try failure(file)?.message.hasSuffix("the reference to its image leads nowhere") == true)
    }

    @Test(
        "brands, even compatible ones, tell the type",
        arguments: [
            ("heic", "mif1heic", "HEIC"), ("mif1", "mif1heic", "HEIC"), ("mif1", "avifmif1miaf", "AVIF"),
            ("avif", "mif1avif", "AVIF"), ("heic", "mif1avifheic", "HEIC"), ("mif1", "mif1", "HEIC"),
            ("mp42", "isomavc1", nil), ("jp2 ", "jp2 ", nil),
        ] as [(String, String, String?)])
    func brands(major: String, compatible: String, name: String?) throws {
        let file = Self.box("ftyp", Array("\(major)\0\0\0\0\(compatible)".utf8))
        try Data(file).write(to: image.directory.url.appending(path: "damaged"))
        let failure = #expect(throws: Failure.self) {
            try ImageFile.open(ImageReference(image.path("damaged"), page: 2))
        }
        let article = name == "AVIF" ? "an" : "a"
        #expect(
            failure?.message.hasSuffix(
                name.map { "only the first image of \(article) \($0) is read" }
                    ?? "it is not an image of a known type") == true)
    }
}
