/// Reads numbers of fixed size, the lowest byte first.
struct ByteReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The next number; nil if there are too few bytes.
    mutating func uint32() -> UInt32? { next(4).map(UInt32.init(truncatingIfNeeded:)) }

    /// The next number; nil if there are too few bytes, or if they are not a finite number.
    mutating func finiteDouble() -> Double? {
        next(8).map(Double.init(bitPattern:)).flatMap { $0.isFinite ? $0 : nil }
    }

    private mutating func next(_ count: Int) -> UInt64? {
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension [UInt8] {
    /// Adds a number, the lowest byte first.
    mutating func append(_ value: UInt32) {
        for shift in stride(from: 0, to: 32, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
        }
    }

    /// Adds a number, the lowest byte first.
    mutating func append(_ value: Double) {
        for shift in stride(from: 0, to: 64, by: 8) {
            append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(shift)))
        }
    }
}
