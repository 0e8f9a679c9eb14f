import Platform

/// Numbers with commas between them, as options take coordinates.
enum NumberList {
    /// Reads exactly as many numbers as there are names, which the error shows.
    static func parse(_ text: String, names: [String]) throws(Failure) -> [Double] {
        try parse(text, counts: [names.count], form: names.joined(separator: ","))
    }

    /// Reads as many numbers as one of some counts says.
    ///
    /// - Parameter form: how they are written; the error shows it.
    static func parse(_ text: String, counts: [Int], form: String) throws(Failure) -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0.trimmed) }
        guard numbers.count == parts.count, numbers.allSatisfy(\.isFinite),
            counts.contains(numbers.count)
        else {
            let count = counts.map(String.init).listed("or")
            let isInMinutes = text.contains { "\u{B0}\u{BA}'\"\u{2032}\u{2033}NSEWnsew".contains($0) }
            throw Failure(
                .usage, "'\(text)' is not \(form)",
                remedy: isInMinutes && form.contains(",")
                    ? "write decimal degrees, negative in the west and the south: 8\u{B0} 32' 30\" E is 8.541667"
                    : count == "1"
                        ? "give a number, with a dot for decimals"
                        : "give \(count) numbers with commas between them and dots for decimals")
        }
        return numbers
    }
}

extension Substring {
    /// The text without blanks at its ends.
    package var trimmed: Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
