/// A hash that is the same on every machine and in every run: FNV-1a over words of 64 bits. The high half is
/// folded into the low half, since a multiplication only carries upwards.
package struct StableHash {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// The hash of nothing.
    package init() {}

    /// Adds a number.
    package mutating func combine(_ word: UInt64) {
        value = (value ^ word) &* 0x100_0000_01b3
        value ^= value >> 32
    }

    /// Adds bytes and their count.
    package mutating func combine(_ bytes: [UInt8]) {
        combine(UInt64(bytes.count))
        let whole = bytes.count & ~7
        bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: whole, by: 8) {
                combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            }
        }
        for byte in bytes[whole...] { combine(UInt64(byte)) }
    }

    /// The hash so far, in 16 digits.
    package var hex: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
