extension ColorHistogram {
    /// What has been counted, as bytes that depend on nothing else. Numbers are little-endian.
    ///
    /// Lists stand behind their lengths: boxes with pixels (number, five sums), all colours, flat colours with their
    /// pixels. A list that was given up has the length of all ones.
    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.append(visiblePixels)
        for count in pinned { result.append(count) }
        let boxes = (0..<ColorBin.boxes).filter { self[box: $0].count > 0 }
        result.append(UInt32(boxes.count))
        for box in boxes {
            result.append(UInt32(box))
            for sum in self[box: box].sums { result.append(sum) }
        }
        result.append(all.map { UInt32($0.count) } ?? .max)
        for color in (all ?? []).sorted() { result.append(color.bits) }
        result.append(flat.map { UInt32($0.count) } ?? .max)
        for (color, count) in (flat ?? [:]).sorted(by: { $0.key < $1.key }) {
            result.append(color.bits)
            result.append(count)
        }
        return result
    }

    /// Reads what `bytes` gave; nil if they are not a histogram.
    package init?(bytes: [UInt8]) {
        var reader = CountReader(bytes: bytes[...])
        self.init()
        guard let visible: UInt64 = reader.next() else { return nil }
        visiblePixels = visible
        for index in pinned.indices {
            guard let count: UInt64 = reader.next() else { return nil }
            pinned[index] = count
        }
        guard let boxes: UInt32 = reader.next() else { return nil }
        for _ in 0..<boxes {
            guard let box: UInt32 = reader.next(), box < ColorBin.boxes, let bin = ColorBin(&reader) else {
                return nil
            }
            self[box: Int(box)] = bin
        }
        guard let colors: UInt32 = reader.next(), colors == .max || colors <= Self.mostColors else {
            return nil
        }
        all = colors == .max ? nil : []
        for _ in 0..<(colors == .max ? 0 : colors) {
            guard let number: UInt32 = reader.next() else { return nil }
            all?.insert(RGBA(loaded: number.littleEndian))
        }
        guard let areas: UInt32 = reader.next(), areas == .max || areas <= Self.mostFlatColors else {
            return nil
        }
        flat = areas == .max ? nil : [:]
        for _ in 0..<(areas == .max ? 0 : areas) {
            guard let number: UInt32 = reader.next(), let count: UInt64 = reader.next() else { return nil }
            flat?[RGBA(loaded: number.littleEndian)] = count
        }
        guard reader.bytes.isEmpty else { return nil }
    }
}

extension ColorBin {
    fileprivate var sums: [UInt64] { [count, red, green, blue, alpha] }

    fileprivate init?(_ reader: inout CountReader) {
        guard let count: UInt64 = reader.next(), let red: UInt64 = reader.next(),
            let green: UInt64 = reader.next(), let blue: UInt64 = reader.next(),
            let alpha: UInt64 = reader.next()
        else { return nil }
        self.init(count: count, red: red, green: green, blue: blue, alpha: alpha)
    }
}

/// Reads numbers, the lowest byte first.
private struct CountReader {
    var bytes: ArraySlice<UInt8>

    /// The next number; nil if there are too few bytes.
    mutating func next<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
        let size = Number.bitWidth / 8
        guard bytes.count >= size else { return nil }
        defer { bytes = bytes.dropFirst(size) }
        return bytes.prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
