extension Sequence<String> {
    /// The words in a sentence: `a, b or c`.
    ///
    /// - Parameter conjunction: the word before the last one.
    package func listed(_ conjunction: String) -> String {
        let words = Array(self)
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
