import Foundation
import TestSupport
import Testing

/// TIFF files, and what decides how samples become colours: bands and ranges.
struct SampleOptionTests {
    /// The tiles of a build, by name.
    private func tiles(_ tree: URL) throws -> [String: Data] { try Snapshot(of: tree).tiles }

    /// 16-bit gray that runs from 300 to 1300, a step of ten per column.
    private var deep: TIFFBuilder {
        let samples = (0..<60).flatMap { _ in (0..<101).map { 300 + 10 * $0 } }
        var file = TIFFBuilder(
            width: 101, height: 60, data: samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        file.set(258, .short, [16])
        return file
    }

    @Test("A TIFF makes the tiles that a PNG of the same pixels makes")
    func samePixels() throws {
        let workshop = try Workshop()
        var file = TIFFBuilder(
            width: workshop.plan.width, height: workshop.plan.height, data: workshop.plan.rgba)
        file.set(258, .short, [8, 8, 8, 8])
        file.set(262, .short, [2])
        file.set(277, .short, [4])
        file.set(338, .short, [2])
        try workshop.write(file.bytes, to: "plan.tif")
        let expected = try tiles(workshop.build())
        #expect(!expected.isEmpty)
        #expect(try tiles(workshop.build(of: "plan.tif", to: "tiff")) == expected)
    }

    // ProjLinearUnitsGeoKey as a double, and a key in a tag that there is not.
    @Test(
        "Odd GeoTIFF keys are read without a word of libgeotiff",
        arguments: [[3076, 34736, 1, 0], [3076, 34738, 1, 0]])
    func oddKeys(key: [Int]) throws {
        let workshop = try Workshop()
        func field(_ values: [Double]) -> TIFFBuilder.Field {
            let bytes = values.flatMap { value in
                (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
            }
            return TIFFBuilder.Field(kind: .double, count: values.count, bytes: bytes)
        }
        var file = deep
        file.fields[33550] = field([1, 1, 0])
        file.fields[33922] = field([0, 0, 0, 500_000, 5_000_000, 0])
        file.fields[34736] = field([1])
        file.set(34735, .short, [1, 1, 0, 3, 1024, 0, 1, 1, 3072, 0, 1, 32632] + key)
        try workshop.write(file.bytes, to: "odd.tif")
        let info = try workshop.run(["info", "odd.tif"])
        #expect((info.status == 0) == (key[1] == 34736))
        #expect(!info.errors.contains("Key") && !info.errors.contains("key 30"), "\(info.errors)")
        #expect(!info.errors.contains("Warning:"), "\(info.errors)")
    }

    @Test("A range equal to the type's is used")
    func typeRange() throws {
        let workshop = try Workshop()
        try workshop.write(deep.bytes, to: "deep.tif")
        try workshop.build(
            ["--rescale", "0,65535", "--resampling", "nearest"], of: "deep.tif", to: "out")
        let levels = try tiles(workshop.file("out")).keys.reduce(into: Set<UInt8>()) { seen, name in
            let picture = try Picture(contentsOf: workshop.path("out/\(name)"))
            for pixel in stride(from: 0, to: picture.rgba.count, by: 4)
            where picture.rgba[pixel + 3] == 255 { seen.insert(picture.rgba[pixel]) }
        }
        // 300 / 257 and 1300 / 257.
        #expect(levels.min() == 1 && levels.max() == 5)
    }

    @Test("The range of 16 bits is found, used and said")
    func range() throws {
        let workshop = try Workshop()
        try workshop.write(deep.bytes, to: "deep.tif")
        let words = "sample values from 300 to 1300 become 0 to 255"
        let position = ["--bounds", Workshop.bounds]
        let build = try workshop.run(["deep.tif", "-o", "out"] + position)
        #expect(build.status == 0 && build.errors.contains(words))
        let quiet = try workshop.run(["deep.tif", "-o", "out", "--quiet"] + position)
        #expect(quiet.errors.isEmpty)
        #expect(try workshop.run(["info", "deep.tif"] + position).output.contains(words))
        let json = try workshop.run(["info", "--json", "deep.tif"] + position).output
        struct Ranged: Decodable {
            struct Image: Decodable { var sampleRange: [Double] }
            var image: Image
        }
        let report = try JSONDecoder().decode(Ranged.self, from: Data(json.utf8))
        #expect(report.image.sampleRange == [300, 1300])
        // The same picture, stretched beforehand: 255 / 1000 levels to a sample's step.
        var gray = Picture(width: 101, height: 60)
        for column in 0..<101 {
            let level = UInt8((Double(column * 10) * 255 / 1000).rounded())
            gray.fill(column..<column + 1, 0..<60, (level, level, level, 255))
        }
        try gray.write(to: workshop.path("gray.png"))
        #expect(
            try tiles(workshop.file("out"))
                == tiles(workshop.build(of: "gray.png", to: "expected")))
    }

    @Test("--rescale stretches, and another range is another job")
    func rescale() throws {
        let workshop = try Workshop()
        try workshop.write(deep.bytes, to: "deep.tif")
        let wide = try workshop.build(["--rescale", "300,1300"], of: "deep.tif")
        let found = try workshop.build(of: "deep.tif", to: "found")
        #expect(try tiles(wide) == tiles(found))
        let narrow = try workshop.build(["--rescale", "500,600"], of: "deep.tif")
        #expect(try tiles(narrow) != tiles(found))
        let plan = try workshop.build(["--rescale", "0,100"], to: "plan")
        #expect(try tiles(plan) != tiles(workshop.build(to: "plain")))
    }

    @Test("--bands chooses colours and their order")
    func bands() throws {
        let workshop = try Workshop()
        var turned = workshop.plan
        for index in stride(from: 0, to: turned.rgba.count, by: 4) {
            turned.rgba.swapAt(index, index + 2)
        }
        try turned.write(to: workshop.path("turned.png"))
        let expected = try tiles(workshop.build(of: "turned.png", to: "expected"))
        #expect(try tiles(workshop.build(["--bands", "3,2,1,4"])) == expected)
        #expect(try tiles(workshop.build(to: "plain")) != expected)
    }

    @Test(
        "Bands and ranges that make no sense are usage errors",
        arguments: [
            "--bands 0", "--bands 1,2,3,4,5", "--bands red", "--bands 5", "--bands 1,,2",
            "--rescale 5,5", "--rescale 7", "--rescale 9,1", "--rescale nan,1",
        ])
    func nonsense(option: String) throws {
        let workshop = try Workshop()
        let outcome = try workshop.run(
            ["plan.png", "--bounds", Workshop.bounds, "-o", "out"]
                + option.split(separator: " ").map(String.init))
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(!workshop.has("out"))
    }
}
