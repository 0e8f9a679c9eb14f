/// A large count, as people write it: `4M`, `20G`, `100000`; units are powers of 1000.
package struct Count: Hashable, Sendable {
    /// The number.
    package var value: Int

    /// Makes a count.
    package init(_ value: Int) { self.value = value }

    /// Reads a count; nil for what is none.
    package init?(parsing text: String) {
        guard let value = Quantity.read(text, step: 1000) else { return nil }
        self.value = value
    }
}

extension Count: CustomStringConvertible {
    /// The count in the largest unit, from millions on, that it is a multiple of.
    package var description: String { Quantity.text(value, step: 1000, from: 2) }
}

/// A number of bytes, as people write it: `1G`, `256M`, `1.5GB`, `2 GiB`, `100000`; units are powers of 1024.
package struct ByteSize: Hashable, Sendable {
    /// The number.
    package var bytes: Int

    /// Makes a size.
    package init(_ bytes: Int) { self.bytes = bytes }

    /// Reads a size; nil for what is none.
    package init?(parsing text: String) {
        let unit = ["iB", "ib", "B", "b"].first { text.hasSuffix($0) } ?? ""
        let number = text.dropLast(unit.count)
        // Of "KiB", a unit stands before the "iB".
        guard unit.count < 2 || number.last?.isLetter == true else { return nil }
        let digits = String(number.filter { $0 != " " })
        guard let bytes = Quantity.read(digits, step: 1024) else { return nil }
        self.bytes = bytes
    }
}

extension ByteSize: CustomStringConvertible {
    /// The size in the largest unit that it is a multiple of.
    package var description: String { Quantity.text(bytes, step: 1024, from: 1) }
}

/// Numbers with a unit letter behind them.
private enum Quantity {
    /// The units, each `step` times the one before.
    private static let letters: [Character] = ["K", "M", "G", "T"]

    static func read(_ text: String, step: Int) -> Int? {
        var digits = Substring(text)
        var unit = 1.0
        if let last = digits.last, let power = letters.firstIndex(of: Character(last.uppercased())) {
            for _ in 0...power { unit *= Double(step) }
            digits.removeLast()
        }
        guard let number = Double(digits), number * unit >= 1, number * unit < 1e18 else { return nil }
        return Int(number * unit)
    }

    /// - Parameter first: the smallest unit that is used: 1 for `K`, 2 for `M`.
    static func text(_ value: Int, step: Int, from first: Int) -> String {
        var units = letters.indices.map { power in (0...power).reduce(1) { unit, _ in unit * step } }
        units.removeFirst(first - 1)
        guard let index = units.lastIndex(where: { value % $0 == 0 }), value > 0 else { return "\(value)" }
        return "\(value / units[index])\(letters[index + first - 1])"
    }
}
