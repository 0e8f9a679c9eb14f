import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// AVIF files of avifenc, compared with the pixels of avifdec.
@Suite struct AVIFSourceTests {
    private let image: CodedImage

    init() throws { image = try CodedImage() }

    /// Encodes `plan.png` as `plan.avif`.
    private func encode(_ options: [String]) throws {
        try image.run("avifenc", ["-s", "9"] + options + ["plan.png", "plan.avif"])
    }

    private func planes() throws -> PlanarImage {
        try image.run("avifdec", ["plan.avif", "plan.y4m"])
        return try PlanarImage(Data(contentsOf: image.directory.url.appending(path: "plan.y4m")))
    }

    private static let bt601 = (red: 0.299, blue: 0.114)

    struct Form: Sendable, CustomTestStringConvertible {
        var yuv: String
        var depth = 8
        var range = "full"
        var testDescription: String { "\(yuv), \(depth) bits, \(range)" }
    }

    @Test(
        "pixels are those of the equations, rounded once", .needs("avifenc", "avifdec"),
        arguments: [
            Form(yuv: "444"), Form(yuv: "422"), Form(yuv: "420"), Form(yuv: "400"),
            Form(yuv: "444", range: "limited"), Form(yuv: "420", range: "limited"),
            Form(yuv: "400", range: "limited"), Form(yuv: "420", depth: 10),
            Form(yuv: "444", depth: 10, range: "limited"), Form(yuv: "422", depth: 12),
        ].some(4))
    func forms(form: Form) throws {
        try image.write("plan.png", samples: form.yuv == "400" ? 1 : 3, depth: form.depth == 8 ? 8 : 16)
        try encode(["-y", form.yuv, "-d", "\(form.depth)", "-r", form.range])
        let found = try image.read("plan.avif")
        #expect(found.info.pixelFormat == (form.yuv == "400" ? .gray8 : .rgb8))
        let color = ["444": "4:4:4", "422": "4:2:2", "420": "4:2:0"][form.yuv] ?? "gray"
        #expect(found.info.summary == "AVIF, \(form.depth)-bit \(color)")
        #expect(found.info.isLossy && found.info.colorProfile == nil)
        // Half a level is what rounding costs; coefficients are fractions of 2^24.
        expect(found.pixels, try planes().levels(weights: Self.bt601), within: 0.501)
    }

    @Test(
        "other matrices are those of H.273", .needs("avifenc", "avifdec"),
        arguments: [
            (1, (0.2126, 0.0722)), (4, (0.30, 0.11)), (7, (0.212, 0.087)), (9, (0.2627, 0.0593)),
            // Derived from the primaries, which are those of sRGB (IEC 61966-2-1).
            (12, (0.21263901, 0.07219232)),
        ])
    func matrices(code: Int, weights: (Double, Double)) throws {
        try image.write("plan.png")
        try encode(["-y", "444", "--cicp", "1/13/\(code)"])
        let levels = try planes().levels(weights: (red: weights.0, blue: weights.1))
        expect(try image.read("plan.avif").pixels, levels, within: 0.501)
    }

    @Test("a lossless image has exactly its pixels", .needs("avifenc"))
    func lossless() throws {
        try image.write("plan.png")
        try encode(["-l"])
        #expect(try image.read("plan.avif").pixels == image.read("plan.png").pixels)
    }

    @Test("pixels are close to another decoder's", .needs("avifenc", "avifdec"), arguments: ["444", "420"])
    func neighbour(yuv: String) throws {
        try image.write("plan.png")
        try encode(["-y", yuv])
        let found = try image.read("plan.avif").pixels
        let (most, decibels) = difference(found, try image.decode("plan.avif", by: "avifdec").pixels)
        #expect(decibels >= 40 && (most <= 1 || yuv == "420"), "\(decibels) dB, \(most)")
    }

    @Test("alpha is read unchanged", .needs("avifenc", "avifdec"))
    func alpha() throws {
        try image.write("plan.png", samples: 4)
        try encode(["-y", "444"])
        let found = try image.read("plan.avif")
        #expect(found.info.pixelFormat == .rgba8)
        #expect(found.info.summary == "AVIF, 8-bit 4:4:4 with alpha")
        #expect(difference(found.pixels, try image.decode("plan.avif", by: "avifdec").pixels).most <= 1)
    }

    @Test("premultiplied colours are divided by alpha", .needs("avifenc", "avifdec"))
    func premultiplied() throws {
        // Of a smaller alpha little is left, and decoders round it in different places.
        try image.write("plan.png", samples: 4, alpha: 128...255)
        try encode(["-y", "444", "-p"])
        let (most, decibels) = difference(
            try image.read("plan.avif").pixels, try image.decode("plan.avif", by: "avifdec").pixels)
        #expect(most <= 3 && decibels > 48, "\(decibels) dB, \(most)")
    }

    @Test(
        "premultiplied colours of more than 8 bits are divided before they are converted", .needs("avifenc"))
    func premultipliedDepth() throws {
        try image.write("plan.png", samples: 4, depth: 16, alpha: 128...255)
        // In linear light: such pictures keep their depth until they are converted to sRGB.
        let form = ["--min", "0", "--max", "0", "-y", "444", "-d", "10", "--cicp", "1/8/6"]
        try encode(form)
        let straight = try image.read("plan.avif").pixels
        try encode(form + ["-p"])
        // They are divided after they were coded, so that some differ by more than their neighbours.
        let (_, decibels) = difference(try image.read("plan.avif").pixels, straight)
        #expect(decibels > 45, "\(decibels) dB")
    }

    @Test("tiles of a grid form one picture, including the chroma between them", .needs("avifenc", "avifdec"))
    func grid() throws {
        let image = try CodedImage(width: 256, height: 192)
        try image.write("plan.png")
        try image.run("avifenc", ["-s", "9", "-y", "420", "-g", "4x3", "plan.png", "plan.avif"])
        try image.run("avifdec", ["plan.avif", "plan.y4m"])
        let planes = try PlanarImage(
            Data(contentsOf: image.directory.url.appending(path: "plan.y4m")))
        let found = try image.read("plan.avif")
        #expect(found.info.summary == "AVIF, 8-bit 4:2:0, 4 x 3 tiles")
        expect(found.pixels, planes.levels(weights: Self.bt601), within: 0.501)
    }

    @Test("rows come one by one as they come together", .needs("avifenc"))
    func rowByRow() throws {
        try image.write("plan.png")
        try encode(["-y", "420", "--irot", "1"])
        let source = try ImageFile.open(path: image.path("plan.avif"))
        #expect(try source.readAll(atATime: 1).pixels == image.read("plan.avif").pixels)
    }
}
