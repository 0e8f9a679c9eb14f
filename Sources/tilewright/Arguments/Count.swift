import ArgumentParser

/// A large count: `4M`, `20G`, `100000`; units are powers of 1000.
struct Count: ExpressibleByArgument, Hashable, Sendable {
    /// The number.
    var value: Int
    /// As it was written.
    var defaultValueDescription: String

    init?(argument: String) {
        var digits = argument[...]
        var unit = 1.0
        let units: [Character: Double] = ["K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12]
        if let last = digits.last, let factor = units[Character(last.uppercased())] {
            unit = factor
            digits.removeLast()
        }
        guard let number = Double(digits), number > 0, number * unit < 1e18 else { return nil }
        value = Int(number * unit)
        defaultValueDescription = argument
    }

    /// Makes a count of millions.
    static func millions(_ number: Int) -> Count {
        Count(value: number * 1_000_000, defaultValueDescription: "\(number)M")
    }

    /// Makes a count of thousand millions.
    static func gigas(_ number: Int) -> Count {
        Count(value: number * 1_000_000_000, defaultValueDescription: "\(number)G")
    }

    private init(value: Int, defaultValueDescription: String) {
        self.value = value
        self.defaultValueDescription = defaultValueDescription
    }
}
