/// A number in the text of an LGIDict.
enum LGINumber {
    /// A decimal number, or degrees, minutes and seconds before a letter: `96 0 0.0W`. Nil for anything else.
    static func value(of text: String) -> Double? {
        let text = text.filter { !$0.isNewline }
        if let number = Double(text.trimmed) { return number.isFinite ? number : nil }
        guard let letter = text.trimmed.last, "NSEWnsew".contains(letter) else { return nil }
        let parts = text.trimmed.dropLast().split(separator: " ").map { Double($0) }
        let numbers = parts.compactMap { $0 }
        guard 1...3 ~= numbers.count, numbers.count == parts.count, numbers.allSatisfy(\.isFinite) else {
            return nil
        }
        let degrees = numbers.reversed().reduce(0) { $0 / 60 + $1 }
        return "SWsw".contains(letter) ? -degrees : degrees
    }
}

extension String {
    fileprivate var trimmed: Substring {
        var text = drop { $0.isWhitespace }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return text
    }
}
