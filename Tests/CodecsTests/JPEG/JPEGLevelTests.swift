import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// Small files, beside what jpegtran makes of others and djpeg of both.
@Suite(.needs("jpegtran", "djpeg")) struct JPEGLevelTests {
    private static let grain = Painting("grain", depth: 8, colorType: 2) { x, y in
        let noise = (x &* 7919 ^ y &* 104_729) &* 2_654_435_761
        return ((x + noise >> 9 & 63) & 255, (y + noise >> 15 & 63) & 255, (x * y >> 8) & 255, 255)
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// What a program makes of a file.
    private func result(of program: String, _ options: String..., for file: [UInt8]) throws -> [UInt8] {
        let (input, output) = (directory.path("in.jpg"), directory.path("out"))
        try Data(file).write(to: URL(filePath: input))
        let outcome = try Tool.run(program, options + ["-outfile", output, input])
        try #require(outcome.status == 0, "\(outcome)")
        return [UInt8](try Data(contentsOf: URL(filePath: output)))
    }

    @Test("a small file is the smaller of jpegtran's two results", .long, arguments: [40, 85, 95])
    func size(quality: Int) throws {
        var smallest: Set<String> = []
        for painting in Painting.all + [Self.grain] {
            let (standard, small) = try painting.withPixels { pixels in
                try (
                    JPEGTileEncoder(quality: quality).encode(pixels),
                    JPEGTileEncoder(quality: quality, level: .small).encode(pixels)
                )
            }
            let optimised = try result(of: "jpegtran", "-copy", "none", "-optimize", for: standard)
            let progressive = try result(of: "jpegtran", "-copy", "none", "-progressive", for: standard)
            let isProgressive = progressive.count < optimised.count
            smallest.insert(isProgressive ? "progressive" : "optimised")
            #expect(small == (isProgressive ? progressive : optimised), "\(painting.testDescription)")
            #expect(try result(of: "djpeg", for: small) == result(of: "djpeg", for: standard))
        }
        #expect(smallest.count == 2, "both forms are met")
    }
}
