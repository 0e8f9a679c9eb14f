import ArgumentParser

/// Values that are given, and empty, as in `--floor=`: the parser takes the next word in their place.
enum EmptyValue {
    /// The words with such options and their values apart.
    ///
    /// - Parameter root: the program's commands.
    static func separated(_ words: [String], of root: any ParsableCommand.Type) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        guard words[..<end].contains(where: isOpen) else { return words }
        let help = ParserComplaint.help(for: words, of: root)
        return words[..<end].flatMap { word in
            let name = String(word.dropLast())
            // Others have no value, or are not known.
            return isOpen(word) && help.contains("\(name) <") ? [name, ""] : [word]
        } + words[end...]
    }

    private static func isOpen(_ word: String) -> Bool {
        word.hasPrefix("--") && word.hasSuffix("=") && word.count > 3 && !word.dropLast().contains("=")
    }
}
