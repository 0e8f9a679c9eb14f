/// The part of a file that `Range` asks for, as RFC 9110, section 14 has it.
package enum ByteRange: Hashable, Sendable {
    /// All of it: there is no range, or one that may be passed over, such as several at once.
    case whole
    /// Some bytes, at least one.
    case part(Range<Int>)
    /// Nothing of the file lies there.
    case unsatisfiable

    /// Reads the field for a file.
    ///
    /// - Parameter size: the bytes of the file.
    package init(_ field: some StringProtocol, size: Int) {
        self = .whole
        guard field.utf8.count <= 64, let equals = field.firstIndex(of: "="),
            field[..<equals].lowercased() == "bytes"
        else { return }
        let range = field[field.index(after: equals)...]
        guard let dash = range.firstIndex(of: "-") else { return }
        let (first, last) = (range[..<dash], range[range.index(after: dash)...])
        if first.isEmpty {
            guard let count = Self.number(last) else { return }
            self = count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
            return
        }
        guard let start = Self.number(first) else { return }
        if last.isEmpty {
            self = start < size ? .part(start..<size) : .unsatisfiable
            return
        }
        guard let end = Self.number(last), start <= end else { return }
        self = start < size ? .part(start..<min(size, end == .max ? size : end + 1)) : .unsatisfiable
    }

    /// Digits; a number that is too large for the machine is beyond every file.
    private static func number(_ digits: some StringProtocol) -> Int? {
        guard !digits.isEmpty,
            digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Int(digits) ?? .max
    }
}
