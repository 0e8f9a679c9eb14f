/// A pixel's colour: straight alpha, 8 bits each.
package struct RGBA: Hashable, Comparable, Sendable {
    /// The four bytes as they lie in memory, red in the lowest of the number.
    let bits: UInt32

    /// Takes a pixel's four bytes as a number that was loaded from memory.
    init(loaded number: UInt32) { bits = UInt32(littleEndian: number) }

    /// Makes a colour of its channels, each 0 to 255.
    package init(_ red: Int, _ green: Int, _ blue: Int, _ alpha: Int) {
        bits = UInt32(red | green << 8 | blue << 16 | alpha << 24)
    }

    /// What is to be stored where a pixel lies.
    var stored: UInt32 { bits.littleEndian }

    /// 0 to 255.
    package var red: Int { Int(bits & 255) }
    /// 0 to 255.
    package var green: Int { Int(bits >> 8 & 255) }
    /// 0 to 255.
    package var blue: Int { Int(bits >> 16 & 255) }
    /// 0 to 255.
    package var alpha: Int { Int(bits >> 24) }

    /// Pure white, pure black and nothing: what every palette keeps.
    static let pinned = [RGBA(0, 0, 0, 0), RGBA(255, 255, 255, 255), RGBA(0, 0, 0, 255)]

    /// An order without a meaning, the same everywhere.
    package static func < (left: RGBA, right: RGBA) -> Bool { left.bits < right.bits }
}

extension Int {
    /// This channel of straight alpha, multiplied by alpha and rounded.
    func premultiplied(by alpha: Int) -> Int {
        alpha == 255 ? self : (self * alpha + 127) / 255
    }
}
