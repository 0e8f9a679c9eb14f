import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// Pictures that their file cuts, turns and mirrors, beside what heif-convert makes of them: libheif itself turns
/// what it decodes, while the reader leaves that to nobody.
@Suite struct HEIFTurnTests {
    private func compare(_ image: CodedImage, _ options: [String]) throws {
        try image.write("plan.png")
        try image.run("avifenc", ["-s", "9", "-y", "444"] + options + ["plan.png", "plan.avif"])
        let found = try image.read("plan.avif")
        let expected = try image.decode("plan.avif", by: "heif-convert")
        #expect(found.info.width == expected.info.width && found.info.height == expected.info.height)
        #expect(found.info.orientation == .upright)
        #expect(difference(found.pixels, expected.pixels).most <= 1)
    }

    @Test(
        "each turn and mirror agrees with libheif", .long, .needs("avifenc", "heif-convert"),
        arguments: 0...3,
        [nil, 0, 1])
    func turns(angle: Int, mirror: Int?) throws {
        try compare(
            CodedImage(), ["--irot", "\(angle)"] + (mirror.map { ["--imir", "\($0)"] } ?? []))
    }

    @Test("a picture is cut, then turned", .needs("avifenc", "heif-convert"), arguments: [0, 1, 2])
    func cut(angle: Int) throws {
        try compare(CodedImage(), ["--crop", "30,20,100,61", "--irot", "\(angle)"])
    }

    // libheif 1.15 drops alpha that has not the picture's turns, does not mirror it, and mirrors no 10 bits.
    @Test(
        "alpha and 10-bit pictures are turned, too", .needs("avifenc"),
        arguments: [["--irot", "2"], ["--irot", "1", "--imir", "1"]], [8, 10])
    func alpha(turn: [String], depth: Int) throws {
        let image = try CodedImage()
        try image.write("plan.png", samples: 4)
        let form = ["-s", "9", "-y", "444", "-d", "\(depth)"]
        try image.run("avifenc", form + ["plan.png", "plan.avif"])
        try image.run("avifenc", form + turn + ["plan.png", "turned.avif"])
        let (straight, found) = (try image.read("plan.avif"), try image.read("turned.avif"))
        #expect(found.info.pixelFormat == .rgba8)
        let (width, height) = (straight.info.width, straight.info.height)
        // By 180 degrees, or by 90 anticlockwise and then left to right.
        let expected = (0..<width * height).flatMap { place in
            let source =
                turn.count == 2
                ? width * height - 1 - place
                : place % height * width + (width - 1 - place / height)
            return straight.pixels[4 * source..<4 * source + 4]
        }
        let mirrored = (0..<width * height).flatMap { place in
            let source = place / height * height + (height - 1 - place % height)
            return expected[4 * source..<4 * source + 4]
        }
        #expect(found.pixels == (turn.count == 2 ? expected : mirrored))
    }

    // libheif 1.15 turns each tile of avifenc's, too: the picture that was not turned is compared.
    @Test("tiles are turned as one picture", .needs("avifenc"), arguments: [1, 2, 3].some(1))
    func grid(angle: Int) throws {
        // Wider than the band of columns that is read at a time, and no multiple of it.
        let image = try CodedImage(width: 300, height: 240)
        try image.write("plan.png")
        let form = ["-s", "9", "-y", "420", "-g", "3x2"]
        try image.run("avifenc", form + ["plan.png", "plan.avif"])
        let straight = try image.read("plan.avif")
        try image.run("avifenc", form + ["--irot", "\(angle)", "plan.png", "turned.avif"])
        var expected = straight
        for _ in 0..<angle { expected = expected.turnedLeft() }
        let found = try image.read("turned.avif")
        #expect((found.info.width, found.info.height) == (expected.info.width, expected.info.height))
        #expect(found.pixels == expected.pixels)
    }
}

extension DecodedImage {
    /// The same RGB picture, turned by 90 degrees anticlockwise.
    fileprivate func turnedLeft() -> DecodedImage {
        var info = info
        (info.width, info.height) = (info.height, info.width)
        let pixels = (0..<info.height).flatMap { y in
            (0..<info.width).flatMap { x in
                let place = (x * self.info.width + self.info.width - 1 - y) * 3
                return self.pixels[place..<place + 3]
            }
        }
        return DecodedImage(info: info, pixels: pixels)
    }
}
