import Codecs
import Foundation
import Raster
import TestSupport
import Testing
import Tiling

@Suite struct EXIFTests {
    /// A TIFF header and a directory with Make, Orientation and a pointer to the next directory.
    static func block(orientation: UInt16, isBigEndian: Bool) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isBigEndian ? little.reversed() : little
        }
        let header = (isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + number(42, 2) + number(8, 4)
        let make = number(271, 2) + number(2, 2) + number(4, 4) + Array("DJI\0".utf8)
        let tag =
            number(274, 2) + number(3, 2) + number(1, 4) + number(Int(orientation), 2) + [0, 0]
        return header + number(2, 2) + make + tag + number(0, 4)
    }

    private static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
        number(tag, 2) + number(type, 2) + number(count, 4) + value
    }

    /// A directory of GPS tags at an offset, as EXIF 2.32 has it: hemispheres, and fractions behind it.
    private static func position(
        at offset: Int, _ latitude: [Int], _ south: Character, _ longitude: [Int], _ west: Character
    ) -> [UInt8] {
        func letter(_ letter: Character) -> [UInt8] { Array("\(letter)\0\0\0".utf8) }
        let end = offset + 2 + 4 * 12 + 4
        let latitudes = entry(1, 2, 2, letter(south)) + entry(2, 5, 3, number(end, 4))
        let longitudes = entry(3, 2, 2, letter(west)) + entry(4, 5, 3, number(end + 24, 4))
        let fractions = [latitude, longitude].joined().flatMap { number($0, 4) }
        return number(4, 2) + latitudes + longitudes + number(0, 4) + fractions
    }

    /// A block with a directory that points to the GPS tags.
    static func position(
        _ latitude: [Int], _ south: Character, _ longitude: [Int], _ west: Character
    ) -> [UInt8] {
        let header: [UInt8] = [0x49, 0x49] + number(42, 2) + number(8, 4)
        let main = number(1, 2) + entry(0x8825, 4, 1, number(26, 4)) + number(0, 4)
        return header + main + position(at: 26, latitude, south, longitude, west)
    }

    @Test("a TIFF file has the camera's position, like a JPEG file's block", arguments: [true, false])
    func placeOfTIFF(isThere: Bool) throws {
        let scratch = try TemporaryDirectory()
        let pixels: [UInt8] = [10, 20, 30, 40, 50, 60]
        let gps = Self.position(at: 14, [48, 1, 13, 1, 120, 100], "N", [1, 1, 4380, 100, 0, 1], "W")
        var file = TIFFBuilder(width: 3, height: 2, data: pixels + gps)
        file.set(279, .long, [pixels.count])
        if isThere { file.set(0x8825, .long, [14]) }
        try Data(file.bytes).write(to: scratch.url.appending(path: "photo.tif"))
        let place = try ImageFile.open(path: scratch.path("photo.tif")).info.photoPlace
        #expect((place != nil) == isThere)
        if let place {
            #expect(abs(place.y - (48 + 13 / 60.0 + 1.2 / 3600)) < 1e-12 && abs(place.x + 1.73) < 1e-12)
        }
    }

    @Test("the camera's place is read in degrees, minutes and seconds")
    func place() throws {
        let here = Self.position([48, 1, 13, 1, 120, 100], "N", [1, 1, 4380, 100, 0, 0], "E")
        let place = try #require(EXIFBlock(here)?.place)
        #expect(abs(place.y - (48 + 13 / 60.0 + 1.2 / 3600)) < 1e-12)
        #expect(abs(place.x - 1.73) < 1e-12)
        let there = Self.position([33, 1, 30, 1, 0, 1], "S", [70, 1, 0, 1, 0, 1], "W")
        #expect(EXIFBlock(there)?.place == Point(x: -70, y: -33.5))
        for length in 0..<here.count { #expect(EXIFBlock(Array(here.prefix(length)))?.place == nil) }
        #expect(EXIFBlock(Self.position([95, 1, 0, 1, 0, 1], "N", [0, 1, 0, 1, 0, 1], "E"))?.place == nil)
        #expect(EXIFBlock(Self.position([5, 0, 0, 1, 0, 1], "N", [0, 1, 0, 1, 0, 1], "E"))?.place == nil)
        // A camera that does not know its place yet.
        #expect(EXIFBlock(Self.position([0, 1, 0, 1, 0, 1], "N", [0, 1, 0, 1, 0, 1], "E"))?.place == nil)
    }

    @Test(
        "the orientation is read in both byte orders", arguments: 1...8, [false, true])
    func orientations(value: Int, isBigEndian: Bool) {
        let block = Self.block(orientation: UInt16(value), isBigEndian: isBigEndian)
        #expect(Orientation(exif: block) == Orientation(rawValue: value))
    }

    @Test("an orientation that is not one of the eight is ignored", arguments: [0, 9, 0xFFFF])
    func unknownOrientation(value: UInt16) {
        #expect(Orientation(exif: Self.block(orientation: value, isBigEndian: false)) == nil)
    }

    @Test("a block that is cut or lies about its directory is ignored")
    func hostileBlocks() {
        let block = Self.block(orientation: 6, isBigEndian: false)
        let end = 8 + 2 + 12 + 12  // of the orientation's entry
        for length in 0..<end - 2 { #expect(Orientation(exif: Array(block.prefix(length))) == nil) }
        for offset in [[0xFF, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0x7F], [33, 0, 0, 0]]
            as [[UInt8]]
        {
            var hostile = block
            hostile.replaceSubrange(4..<8, with: offset)
            #expect(Orientation(exif: hostile) == nil)
        }
        var many = block
        many[9] = 0xFF
        #expect(Orientation(exif: many) == .quarterTurn)
        #expect(Orientation(exif: []) == nil)
    }
}
