import Diagnostics

/// Numbers with commas between them, as options take coordinates.
enum NumberList {
    /// Reads exactly as many numbers as there are names, which the error shows.
    static func parse(_ text: String, names: [String]) throws -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0.trimmed) }
        guard numbers.count == parts.count, numbers.allSatisfy(\.isFinite),
            numbers.count == names.count
        else {
            throw Failure(
                .usage, "'\(text)' is not \(names.joined(separator: ","))",
                remedy: "give \(names.count) numbers with commas between them and dots for decimals"
            )
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
