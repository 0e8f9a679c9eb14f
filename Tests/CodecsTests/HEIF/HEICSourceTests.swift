import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// HEIC files of heif-enc.
@Suite struct HEICSourceTests {
    private let image: CodedImage

    init() throws { image = try CodedImage() }

    /// Encodes a PNG file as `plan.heic`.
    private func encode(_ options: [String], of files: [String] = ["plan.png"]) throws {
        try image.run("heif-enc", options + ["-o", "plan.heic"] + files)
    }

    @Test("an image without chroma has the pixels that libheif gives", .needs("heif-enc", "heif-convert"))
    func lossless() throws {
        try image.write("plan.png")
        try encode(["-L", "-p", "chroma=444", "--matrix_coefficients=0"])
        let found = try image.read("plan.heic")
        #expect(found.info.summary == "HEIC, 8-bit 4:4:4")
        #expect(found.info.pixelFormat == .rgb8)
        // x265 calls it lossless, and loses a level here and there.
        #expect(difference(found.pixels, try image.read("plan.png").pixels).most <= 1)
        #expect(found.pixels == (try image.decode("plan.heic", by: "heif-convert").pixels))
    }

    @Test("a lossless gray image has exactly its pixels", .needs("heif-enc"))
    func gray() throws {
        try image.write("plan.png", samples: 1)
        try encode(["-L"])
        let found = try image.read("plan.heic")
        #expect(found.info.summary == "HEIC, 8-bit gray" && found.info.pixelFormat == .gray8)
        #expect(found.pixels == (try image.read("plan.png").pixels))
    }

    @Test(
        "full chroma gives libheif's own pixels in any range", .needs("heif-enc", "heif-convert"),
        arguments: ["1", "0"])
    func wholeChroma(range: String) throws {
        try image.write("plan.png")
        try encode(["-q", "80", "-p", "chroma=444", "--full_range_flag", range])
        let expected = try image.decode("plan.heic", by: "heif-convert").pixels
        let (most, decibels) = difference(try image.read("plan.heic").pixels, expected)
        // libheif takes 1.1689 for 255/219, and 1.1429 for 255/224, in limited range.
        #expect(most <= (range == "1" ? 1 : 3) && decibels > 45, "\(decibels) dB, \(most)")
    }

    @Test("10 bits become 8 with rounding", .needs("heif-enc", "heif-convert"))
    func deep() throws {
        try image.write("plan.png", depth: 16)
        try encode(["-L", "-b", "10", "-p", "chroma=444", "--matrix_coefficients=0"])
        let found = try image.read("plan.heic")
        #expect(found.info.summary == "HEIC, 10-bit 4:4:4")
        // Reducing 16 bits to 10, and those to 8, is a level off at most from reducing 16 to 8.
        #expect(difference(found.pixels, try image.read("plan.png").pixels).most <= 1)
    }

    @Test("alpha is read", .needs("heif-enc", "heif-convert"))
    func alpha() throws {
        try image.write("plan.png", samples: 4)
        try encode(["-q", "90", "-p", "chroma=444"])
        let found = try image.read("plan.heic")
        #expect(found.info.pixelFormat == .rgba8)
        #expect(found.info.summary == "HEIC, 8-bit 4:4:4 with alpha")
        let expected = try image.decode("plan.heic", by: "heif-convert").pixels
        #expect(difference(found.pixels, expected).most <= 1)
    }

    @Test("if there are several images, the primary one is read, and info counts them", .needs("heif-enc"))
    func several() throws {
        try image.write("plan.png")
        try image.write("gray.png", samples: 1)
        try encode(["-L"], of: ["gray.png", "plan.png", "plan.png"])
        let found = try image.read("plan.heic")
        #expect(found.info.summary == "HEIC, 8-bit gray, the primary of 3 images")
        #expect(found.pixels == (try image.read("gray.png").pixels))
    }

    @Test("a thumbnail is not counted among the images", .needs("heif-enc"))
    func thumbnail() throws {
        try image.write("plan.png")
        try encode(["-t", "64"])
        #expect(try image.read("plan.heic").info.summary == "HEIC, 8-bit 4:2:0")
    }
}
