import ArgumentParser

/// A number of bytes: `1G`, `256M`, `1.5G`, `100000`; units are powers of 1024.
struct ByteSize: ExpressibleByArgument, Hashable, Sendable {
    /// The number.
    var bytes: Int
    /// As it was written.
    var defaultValueDescription: String

    init?(argument: String) {
        var digits = argument[...]
        var unit = 1.0
        let units: [Character: Double] = ["K": 0x1p10, "M": 0x1p20, "G": 0x1p30, "T": 0x1p40]
        if let last = digits.last, let factor = units[Character(last.uppercased())] {
            unit = factor
            digits.removeLast()
        }
        guard let number = Double(digits), number > 0, number * unit < 0x1p60 else { return nil }
        bytes = Int(number * unit)
        defaultValueDescription = argument
    }

    /// The default budget: `1G`.
    static let gibibyte = ByteSize(bytes: 1 << 30, defaultValueDescription: "1G")

    private init(bytes: Int, defaultValueDescription: String) {
        self.bytes = bytes
        self.defaultValueDescription = defaultValueDescription
    }
}
