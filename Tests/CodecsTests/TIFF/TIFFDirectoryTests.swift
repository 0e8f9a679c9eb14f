import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// Files of several directories.
@Suite struct TIFFDirectoryTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(
        _ file: TIFFBuilder, _ options: ReadOptions = ReadOptions()
    ) throws -> any RasterSource {
        try Data(file.bytes).write(to: directory.url.appending(path: "plan.tif"))
        return try ImageFile.open(path: directory.path("plan.tif"), options: options)
    }

    /// Gray pixels that all differ from their neighbours, higher than wide, and their means by 2 x 2, whose
    /// directory the second one is; `change` may change that.
    private static func file(_ change: (inout TIFFBuilder) -> Void) -> TIFFBuilder {
        let (width, height) = (32, 64)
        func level(_ x: Int, _ y: Int) -> Int { (x * 37 + y * 91) % 256 }
        var file = TIFFBuilder(
            width: width, height: height,
            data: (0..<width * height).map { UInt8(level($0 % width, $0 / width)) })
        let means = (0..<width * height / 4).map { place in
            let (x, y) = (place % (width / 2) * 2, place / (width / 2) * 2)
            return UInt8((level(x, y) + level(x + 1, y) + level(x, y + 1) + level(x + 1, y + 1) + 2) / 4)
        }
        var small = TIFFBuilder(width: width / 2, height: height / 2, data: means)
        small.set(273, .long, [8 + file.data.count])
        change(&small)
        file.data += means
        file.others = [small.fields]
        return file
    }

    private func expectOverview(_ file: TIFFBuilder) throws {
        #expect(try open(file).info.reductions == [2])
        let small = try open(file, ReadOptions(reduction: 2)).readAll()
        #expect(small.info.width == 16 && small.info.height == 32)
        #expect(small.pixels == Array(file.data.suffix(512)))
    }

    @Test("an overview may be in the chain or in a child directory")
    func overviews() throws {
        try expectOverview(Self.file { $0.set(254, .long, [1]) })
        var file = Self.file { $0.set(254, .long, [1]) }
        file.childCount = 1
        try expectOverview(file)
    }

    @Test("other images are pages, of which the first is read")
    func pages() throws {
        let info = try open(Self.file { _ in }).info
        #expect(info.reductions.isEmpty && info.height == 64)
        #expect(info.summary == "TIFF, 8-bit gray, the first of 2 pages")
    }

    @Test("an image that calls itself reduced is read if there is no other")
    func onlyReduced() throws {
        var file = TIFFBuilder(width: 2, height: 1, data: [7, 8])
        file.set(254, .long, [1])
        #expect(try open(file).readAll().pixels == [7, 8])
    }

    @Test("only the first 1024 directories are read")
    func manyDirectories() throws {
        var file = TIFFBuilder(width: 2, height: 1, data: [7, 8])
        file.others = [[Int: TIFFBuilder.Field]](repeating: file.fields, count: 1100)
        let info = try open(file).info
        #expect(info.summary == "TIFF, 8-bit gray, the first of 1024 pages")
    }
}
