import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing
import Tiling

/// Colours, places and companions that a HEIC or AVIF file names.
@Suite struct HEIFMetadataTests {
    private let image: CodedImage

    init() throws { image = try CodedImage() }

    private func encode(_ options: [String]) throws {
        try image.run("avifenc", ["-s", "9"] + options + ["plan.png", "plan.avif"])
    }

    /// Writes `plan.png` with chunks before its image data.
    private func writePlan(chunks: [(String, [UInt8])], depth: UInt8 = 8) throws {
        var png = PNGBuilder(width: 64, height: 64, depth: depth, colorType: 2)
        for (type, data) in chunks { png.add(type, data) }
        png.finish(rows: (0..<64).map { Self.row($0, isDeep: depth == 16) })
        try Data(png.bytes).write(to: image.directory.url.appending(path: "plan.png"))
    }

    /// A row of slopes, behind the number of its filter.
    private static func row(_ y: Int, isDeep: Bool) -> [UInt8] {
        var row: [UInt8] = [0]
        for x in 0..<64 {
            for value in [x * 4, y * 4, 255 - x * 2] {
                row += [UInt8](repeating: UInt8(value), count: isDeep ? 2 : 1)
            }
        }
        return row
    }

    @Test(
        "code points give the colours that they give in a PNG file", .long, .needs("avifenc"),
        arguments: [(12, 13), (9, 13), (12, 4), (1, 8), (1, 1)], [8, 10])
    func codePoints(points: (primaries: Int, transfer: Int), depth: Int) throws {
        let code = [UInt8(points.primaries), UInt8(points.transfer), 0, 1]
        try writePlan(chunks: [("cICP", code)], depth: depth == 8 ? 8 : 16)
        let expected = try image.read("plan.png")
        try writePlan(chunks: [], depth: depth == 8 ? 8 : 16)
        let cicp = "\(points.primaries)/\(points.transfer)/0"
        try encode(["--min", "0", "--max", "0", "-y", "444", "-d", "\(depth)", "--cicp", cicp])
        let found = try image.read("plan.avif")
        #expect(found.info.colorProfile == expected.info.colorProfile)
        // 10 bits of 16 are off by half a level of 1023, which linear light makes more of in the dark.
        let most = depth == 8 ? 1 : points.transfer == 8 ? 4 : 1
        #expect(difference(found.pixels, expected.pixels).most <= most)
        let kept = try image.read("plan.avif", ReadOptions(keepsColors: true))
        #expect(difference(kept.pixels, expected.pixels).most > 4)
    }

    @Test("code points of sRGB change nothing", .needs("avifenc"))
    func sameColors() throws {
        try writePlan(chunks: [])
        try encode(["-l", "--cicp", "1/13/0"])
        let found = try image.read("plan.avif")
        #expect(found.info.colorProfile == nil && found.info.warnings.isEmpty)
        #expect(found.pixels == (try image.read("plan.png").pixels))
    }

    @Test(
        "light that is brighter than white is used unchanged, with a warning", .needs("avifenc"),
        arguments: [(16, "PQ"), (18, "HLG")])
    func brighterThanWhite(transfer: Int, name: String) throws {
        try writePlan(chunks: [])
        try encode(["--min", "0", "--max", "0", "-y", "444", "--cicp", "9/\(transfer)/0"])
        let found = try image.read("plan.avif")
        let expected = "are taken as they are: they are brighter than a screen's white (\(name))"
        #expect(found.info.warnings.first?.text.hasSuffix(expected) == true)
        #expect(found.pixels == (try image.read("plan.png").pixels))
    }

    @Test("a profile is used, and overrides code points", .needs("avifenc"))
    func profile() throws {
        try writePlan(chunks: [ColoredFile.iccp(.displayP3)])
        let expected = try image.read("plan.png")
        try Data(ICCProfile.displayP3.bytes).write(
            to: image.directory.url.appending(path: "p3.icc"))
        try encode(["--min", "0", "--max", "0", "-y", "444", "--cicp", "9/8/0", "--icc", "p3.icc"])
        let found = try image.read("plan.avif")
        #expect(
            found.info.colorProfile
                == ColorProfile(description: "Display P3", treatment: .converted))
        #expect(difference(found.pixels, expected.pixels).most <= 1)
    }

    @Test(
        "an orientation in EXIF is ignored, the camera's position is read", .needs("avifenc"),
        arguments: [6, 3])
    func exif(orientation: UInt16) throws {
        try image.write("plan.png")
        try Data(EXIFTests.block(orientation: orientation, isBigEndian: true)).write(
            to: image.directory.url.appending(path: "turned.exif"))
        try encode(["--exif", "turned.exif"])
        let found = try image.read("plan.avif").info
        // avifenc makes a turn of the image of it, which is the one that counts.
        #expect(found.orientation == .upright)
        #expect(found.width == (orientation == 6 ? image.height : image.width))
        let block = EXIFTests.position([48, 1, 13, 1, 120, 100], "N", [1, 1, 4380, 100, 0, 1], "W")
        try Data(block).write(to: image.directory.url.appending(path: "place.exif"))
        try encode(["--exif", "place.exif"])
        let place = try #require(try image.read("plan.avif").info.photoPlace)
        #expect(abs(place.y - (48 + 13 / 60.0 + 1.2 / 3600)) < 1e-12 && abs(place.x + 1.73) < 1e-12)
    }

    @Test("Apple's gain map is left out, and info says so", .needs("avifenc"))
    func gainMap() throws {
        try image.write("plan.png", samples: 4)
        try encode(["-y", "444"])
        let path = image.directory.url.appending(path: "plan.avif")
        let opaque = try image.read("plan.avif").rgba
        // The same auxiliary image under another name, which is shorter.
        let alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
        let map = "urn:com:apple:photo:2020:aux:hdrgainmap"
        var file = try Data(contentsOf: path)
        let place = try #require(file.range(of: Data(alpha.utf8)))
        let padding = [UInt8](repeating: 0, count: alpha.utf8.count - map.utf8.count)
        file.replaceSubrange(place, with: Data(map.utf8) + padding)
        try file.write(to: path)
        let found = try image.read("plan.avif")
        #expect(found.info.summary == "AVIF, 8-bit 4:4:4, its gain map left out")
        #expect(found.info.pixelFormat == .rgb8)
        let colors = opaque.indices.filter { $0 % 4 != 3 }.map { opaque[$0] }
        #expect(found.pixels == colors)
    }

    @Test("nodata and bands work as for other files", .needs("avifenc"))
    func options() throws {
        try writePlan(chunks: [])
        try encode(["-l"])
        let plain = try image.read("plan.png").pixels
        let band = try image.read("plan.avif", ReadOptions(bands: [2]))
        #expect(band.pixels == stride(from: 1, to: plain.count, by: 3).map { plain[$0] })
        let nodata = try image.read("plan.avif", ReadOptions(nodata: 0))
        #expect(nodata.info.pixelFormat == .rgba8)
        #expect(nodata.rgba == (try image.read("plan.png", ReadOptions(nodata: 0)).rgba))
    }
}
