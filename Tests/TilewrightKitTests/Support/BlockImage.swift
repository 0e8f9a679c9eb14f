import Foundation
import TestSupport

/// A GeoTIFF of gray noise in blocks of 128 x 128 pixels, of which only some may exist.
struct BlockImage {
    /// Columns, and rows.
    static let edge = 1024
    private static let block = 128
    /// The edge of a pixel at zoom 17 in Mercator metres: pi times the diameter of the Earth, in 2^25 parts.
    static let cell = 2 * Double.pi * 6_378_137 / Double(1 << 25)

    /// The rows and columns of blocks that exist; the file ends before all others.
    var sound = 0..<8
    /// EPSG's code of the projected system.
    var code = 3857
    /// The turn of the image, in degrees.
    var turned = 0.0
    /// The column, and the row, of the pixel's corner that is `middle`.
    var anchor = 512.0
    /// The place of the anchor in that system.
    var middle: (x: Double, y: Double)
    /// The edge of a pixel.
    var cell = Self.cell

    /// The file.
    var bytes: [UInt8] {
        let blocks = Self.edge / Self.block
        let pixels = (0..<Self.edge * Self.edge).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        var file = TIFFBuilder(width: Self.edge, height: Self.edge, data: pixels)
        file.setTiles(width: Self.block, height: Self.block, count: blocks * blocks)
        let size = Self.block * Self.block
        let places = (0..<blocks * blocks).map { index in
            let isThere = sound.contains(index % blocks) && sound.contains(index / blocks)
            return isThere ? 8 + index * size : 1 << 30
        }
        file.set(324, .long, places)
        file.set(325, .long, [Int](repeating: size, count: places.count))
        file.set(34735, .short, [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, code])
        file.fields[34264] = TIFFBuilder.Field(kind: .double, count: 16, bytes: matrix)
        return file.bytes
    }

    /// ModelTransformationTag: from columns and rows to the system.
    private var matrix: [UInt8] {
        let (along, across) = (cell * cos(turned * .pi / 180), cell * sin(turned * .pi / 180))
        let numbers = [
            along, -across, 0, middle.x - anchor * (along - across),
            -across, -along, 0, middle.y + anchor * (along + across), 0, 0, 0, 0, 0, 0, 0, 1,
        ]
        return numbers.flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
        }
    }
}
