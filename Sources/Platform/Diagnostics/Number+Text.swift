#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Double {
    /// The number with a fixed count of decimals, as C's `%.*f` writes it.
    package func text(decimals: Int) -> String {
        var buffer = [CChar](repeating: 0, count: 400)
        let count = withVaList([Int32(decimals), self]) {
            vsnprintf(&buffer, buffer.count, "%.*f", $0)
        }
        return String(
            decoding: buffer.prefix(Int(count)).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}

extension Double {
    /// The number as a decimal fraction without zeros at its end: `-0.13`, `51`; never `-0`, and no exponent.
    ///
    /// - Parameter decimals: the most decimals, at least one.
    package func text(upTo decimals: Int) -> String {
        var text = text(decimals: decimals)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text == "-0" ? "0" : text
    }
}

extension Double {
    /// The number as short as it can be told from others: `300`, `0.25`, `-3.4e+38`.
    package var shortText: String {
        if self == rounded(), abs(self) < 1e15 { return text(decimals: 0) }
        return "\(self)"
    }
}

extension Double {
    /// A large count for people, in the units that options take: `20.0G`, `1.5M`, `640`.
    package var countText: String {
        let units = [(1e12, "T"), (1e9, "G"), (1e6, "M")]
        for (size, name) in units where self >= size {
            return (self / size).text(decimals: 1) + name
        }
        return text(decimals: 0)
    }
}

extension Int {
    /// A count of bytes for people, in decimal units: `13.7 MB`.
    package var byteText: String {
        let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
        for (size, name) in units where self >= size {
            return "\((Double(self) / Double(size)).text(decimals: 1)) \(name)"
        }
        return "\(self) bytes"
    }

    /// A count with its noun, in the plural where it has one: `1 tile`, `2 tiles`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension String {
    /// The text in a column of some width, at its right edge.
    package func aligned(right width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    /// The text in a column of some width, at its left edge.
    package func aligned(left width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
