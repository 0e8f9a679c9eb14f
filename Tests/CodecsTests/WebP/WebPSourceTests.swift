import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing
import Tiling

/// WebP files of cwebp, compared with the pixels of dwebp.
@Suite struct WebPSourceTests {
    private let image: CodedImage

    init() throws { image = try CodedImage() }

    private func encode(_ options: [String]) throws {
        try image.run("cwebp", ["-quiet"] + options + ["plan.png", "-o", "plan.webp"])
    }

    /// The pixels that dwebp decodes, without the noise that it may add.
    private func expected() throws -> DecodedImage {
        try image.run("dwebp", ["-quiet", "-nodither", "plan.webp", "-o", "decoded.png"])
        return try image.read("decoded.png", ReadOptions(keepsColors: true))
    }

    struct Form: Sendable {
        var samples: Int
        var options: [String]
        var summary: String
    }

    @Test(
        "pixels agree with dwebp", .needs("cwebp", "dwebp"),
        arguments: [
            Form(samples: 3, options: ["-q", "80"], summary: "WebP, lossy"),
            Form(samples: 3, options: ["-q", "5"], summary: "WebP, lossy"),
            Form(samples: 4, options: ["-q", "80"], summary: "WebP, lossy with alpha"),
            Form(samples: 4, options: ["-q", "80", "-alpha_method", "0"], summary: "WebP, lossy with alpha"),
            Form(samples: 3, options: ["-lossless"], summary: "WebP, lossless"),
            Form(samples: 4, options: ["-lossless", "-exact"], summary: "WebP, lossless with alpha"),
        ].some(3))
    func forms(form: Form) throws {
        try image.write("plan.png", samples: form.samples)
        try encode(form.options)
        let found = try image.read("plan.webp")
        #expect(found.info.summary == form.summary)
        #expect(found.info.pixelFormat == (form.samples == 3 ? .rgb8 : .rgba8))
        #expect(found.info.isLossy == !form.options.contains("-lossless"))
        #expect(found.pixels == (try expected().pixels))
        if form.options.contains("-lossless") {
            #expect(found.pixels == (try image.read("plan.png").pixels))
        }
    }

    @Test("profile, orientation and place are read", .needs("cwebp", "webpmux"))
    func metadata() throws {
        try image.write("plan.png")
        try encode(["-lossless"])
        let folder = image.directory.url
        try Data(ICCProfile.displayP3.bytes).write(to: folder.appending(path: "p3.icc"))
        try Data(EXIFTests.block(orientation: 6, isBigEndian: false)).write(
            to: folder.appending(path: "turned.exif"))
        let place = EXIFTests.position([48, 1, 13, 1, 120, 100], "N", [1, 1, 4380, 100, 0, 1], "W")
        try Data(Array("Exif\0\0".utf8) + place).write(to: folder.appending(path: "place.exif"))
        try image.run("webpmux", ["-set", "icc", "p3.icc", "plan.webp", "-o", "colored.webp"])
        let colored = try image.read("colored.webp")
        #expect(
            colored.info.colorProfile
                == ColorProfile(description: "Display P3", treatment: .converted))
        #expect(colored.pixels != (try image.read("plan.png").pixels))
        let kept = try image.read("colored.webp", ReadOptions(keepsColors: true))
        #expect(kept.pixels == (try image.read("plan.png").pixels))
        try image.run("webpmux", ["-set", "exif", "turned.exif", "colored.webp", "-o", "a.webp"])
        #expect(try image.read("a.webp").info.orientation == .quarterTurn)
        try image.run("webpmux", ["-set", "exif", "place.exif", "plan.webp", "-o", "b.webp"])
        let found = try #require(try image.read("b.webp").info.photoPlace)
        #expect(abs(found.y - (48 + 13 / 60.0 + 1.2 / 3600)) < 1e-12 && abs(found.x + 1.73) < 1e-12)
    }

    @Test("an animation is refused with the command that takes its first frame", .needs("cwebp", "webpmux"))
    func animation() throws {
        try image.write("plan.png")
        try encode(["-lossless"])
        let frames = ["-frame", "plan.webp", "+100", "-frame", "plan.webp", "+100"]
        try image.run("webpmux", frames + ["-o", "moving.webp"])
        let failure = #expect(throws: Failure.self) { try image.read("moving.webp") }
        #expect(failure?.message == "cannot read '\(image.path("moving.webp"))': it is an animation")
        let command = try #require(failure?.remedy?.split(separator: ": ").last)
        try image.run("sh", ["-c", String(command)])
        #expect(try image.read("moving-1.webp").pixels == image.read("plan.png").pixels)
    }

    @Test("a file that is cut off is refused", .needs("cwebp"), arguments: ["-lossless", "-q 80", "-q 80 a"])
    func cutOff(form: String) throws {
        try image.write("plan.png", samples: form.hasSuffix("a") ? 4 : 3)
        try encode(form.split(separator: " ").filter { $0 != "a" }.map(String.init))
        let file = try Data(contentsOf: image.directory.url.appending(path: "plan.webp"))
        for length in stride(from: 16, to: file.count, by: max(1, file.count / 60)) {
            try file.prefix(length).write(to: image.directory.url.appending(path: "cut.webp"))
            let failure = #expect(throws: Failure.self, "\(length)") { try image.read("cut.webp") }
            #expect(failure?.kind == .badInput)
        }
    }

    @Test("rows come one by one as they come together", .needs("cwebp"))
    func rowByRow() throws {
        try image.write("plan.png", samples: 4)
        try encode(["-q", "80"])
        let source = try ImageFile.open(path: image.path("plan.webp"))
        #expect(try source.readAll(atATime: 1).pixels == image.read("plan.webp").pixels)
    }
}
