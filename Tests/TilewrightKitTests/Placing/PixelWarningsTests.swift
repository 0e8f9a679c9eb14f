import Codecs
import Foundation
import Raster
import TestSupport
import Testing

@testable import TilewrightKit

/// Warnings about pixels that were probably misunderstood.
@Suite struct PixelWarningsTests {
    private let site: Site

    init() throws { site = try Site() }

    private func warnings(_ request: ImageRequest) throws -> [String] {
        try PlacedImage(request).warnings.map(\.name)
    }

    /// A TIFF of 64 x 64 pixels of four bands, the last of which is called alpha.
    private static func fourBands(_ alpha: (_ column: Int, _ row: Int) -> UInt8) -> [UInt8] {
        let pixels = (0..<64 * 64).flatMap { index -> [UInt8] in
            [90, UInt8(index % 64), UInt8(index / 64), alpha(index % 64, index / 64)]
        }
        var file = TIFFBuilder(width: 64, height: 64, data: pixels)
        file.setSamples(4, photometric: 2, bits: 8, extra: [2])
        return file.bytes
    }

    @Test("a fourth band that is called alpha but holds a colour is reported")
    func alpha() throws {
        try site.write(Self.fourBands { UInt8(60 + $0 + $1) }, to: "a.tif")
        #expect(try warnings(site.image("a.tif")).contains("alpha-like-a-colour"))
        var bands = site.image("a.tif")
        bands.bands = [1, 2, 3]
        #expect(!(try warnings(bands)).contains("alpha-like-a-colour"))
        // A disk with a soft edge, a picture that is half transparent all over, and none at all.
        let disk = { (column: Int, row: Int) in
            UInt8(max(0, min(255, 255 - 20 * (abs(column - 32) + abs(row - 32) - 20))))
        }
        let alphas: [(Int, Int) -> UInt8] = [disk, { _, _ in 128 }, { _, _ in 255 }]
        for alpha in alphas {
            try site.write(Self.fourBands(alpha), to: "b.tif")
            #expect(!(try warnings(site.image("b.tif"))).contains("alpha-like-a-colour"))
        }
    }

    /// A JPEG of a plan before one colour.
    private static func scan(_ paper: [UInt8], quality: Int) throws -> [UInt8] {
        var random = SplitMix(seed: 3)
        let pixels = (0..<200 * 120).flatMap { index -> [UInt8] in
            let (column, row) = (index % 200, index / 200)
            let isPlan = 50..<150 ~= column && 30..<90 ~= row
            return (isPlan ? (0..<3).map { _ in UInt8.random(in: 0...180, using: &random) } : paper) + [255]
        }
        return try pixels.withUnsafeBufferPointer {
            try JPEGImage.encode(rgba: $0, width: 200, height: 120, quality: quality)
        }
    }

    @Test("if JPEG has changed the nodata colour next to the plan, a warning names the tolerance to use")
    func noise() throws {
        try site.write(Self.scan([255, 255, 255], quality: 85), to: "scan.jpg")
        var image = site.image("scan.jpg")
        #expect(!(try warnings(image)).contains("nodata-speckled"))
        image.nodata = ColorKey(red: 255, green: 255, blue: 255)
        let warning = try #require(
            try PlacedImage(image).warnings.first { $0.name == "nodata-speckled" })
        let found = try #require(warning.text.firstMatch(of: /255,255,255,(\d+)'/))
        let tolerance = try #require(Int(found.1))
        image.nodata?.tolerance = tolerance
        #expect(!(try warnings(image)).contains("nodata-speckled"))
        // Lossless files get no warning.
        image = site.image()
        image.nodata = ColorKey(red: 255, green: 255, blue: 255)
        #expect(!(try warnings(image)).contains("nodata-speckled"))
    }
}
