import Codecs
import Raster
import Testing

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
