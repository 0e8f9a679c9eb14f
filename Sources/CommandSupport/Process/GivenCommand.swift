import ArgumentParser
import Codecs
import Platform
import TilewrightKit

/// The names of a program's commands, and suggestions for mistyped ones.
enum CommandNames {
    /// Gives an empty value to an option whose value was left out, where that is permitted: `--local` of
    /// `snippet`. The parser itself has no such options.
    static func completingOptionalValues(_ words: [String]) -> [String] {
        guard words.first == "snippet", let index = words.firstIndex(of: "--local") else { return words }
        let hasValue = words.dropFirst(index + 1).first.map { !$0.hasPrefix("-") } ?? false
        return hasValue ? words : words[...index] + [""] + words[(index + 1)...]
    }

    /// Refuses a first word that is neither a command nor a file. Without this check, the word would be read
    /// as an image, and the first error would be misleading.
    ///
    /// - Parameters:
    ///   - words: the command line after the program's name.
    ///   - root: the program's commands.
    /// - Throws: `.usage` if the word is similar to the name of a command, or if help is requested for a
    ///   command that does not exist; `.missingInput` in all other cases.
    static func check(_ words: [String], of root: any ParsableCommand.Type) throws(Failure) {
        let names = names(of: root)
        if names.isEmpty { return }
        guard let first = words.first else {
            throw Failure(
                .usage, "neither a command nor an image is named",
                remedy: "'tilewright plan.png -o tiles' builds tiles; 'tilewright --help' lists the commands")
        }
        if first == "help" {
            guard let word = words.dropFirst().first(where: { !$0.hasPrefix("-") }), !names.contains(word)
            else { return }
            throw unknown(word, near: NearestWord.of(word, among: names))
        }
        guard isPlain(first), !(names + ["help"]).contains(first), FileStatus(at: first) == nil else {
            return
        }
        if let near = NearestWord.of(first, among: names + ["help"]) { throw unknown(first, near: near) }
        let file = FileNameSuggestion.of(first)
        throw Failure(
            .missingInput, "'\(first.excerpt())' is neither a command nor a file",
            remedy: file.map { "did you mean '\($0)'?" } ?? "'tilewright --help' lists the commands")
    }

    /// The names of all commands except `help`.
    static func names(of root: any ParsableCommand.Type) -> [String] {
        root.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    private static func unknown(_ word: String, near: String?) -> Failure {
        let question = near.map { ": did you mean '\($0)'?" } ?? ""
        return Failure(
            .usage, "unknown command '\(word.excerpt())'\(question)",
            remedy: "'tilewright --help' lists the commands")
    }

    /// Whether a word could be the name of a command. Names of images contain a dot or a slash.
    private static func isPlain(_ word: String) -> Bool {
        !word.isEmpty && !word.hasPrefix("-")
            && word.unicodeScalars.allSatisfy {
                !$0.isASCII || $0.properties.isAlphabetic || "-_0123456789".unicodeScalars.contains($0)
            }
    }
}

/// The file that the user probably meant by the name of a missing file.
package enum FileNameSuggestion {
    /// The most similar name in the same folder, with the folder as the user wrote it; nil if no name is
    /// similar, or the folder cannot be listed.
    ///
    /// A name without an extension matches a file of this name with any extension; images come first.
    package static func of(_ path: String) -> String? {
        let folder = path.parentDirectory
        guard let names = try? Directory.open(folder)?.names() else { return nil }
        let name = path.fileName
        let seen = names.filter { !$0.hasPrefix(".") }.sorted()
        let whole = seen.filter { $0.fileStem == name }
        let image = whole.first { file in
            ImageFormats.extensions.contains { file.lowercased().hasSuffix(".\($0)") }
        }
        guard let near = image ?? whole.first ?? NearestWord.of(name, among: seen) else { return nil }
        return path.contains("/") ? folder.path(of: near) : near
    }
}

/// The command in a command line, or the default command, as its help describes it. It improves the parser's
/// errors.
struct GivenCommand {
    private let words: [String]
    /// The names of the program and of the command, such as `tilewright verify`.
    private let name: String
    private let help: String
    /// The options that the help lists, long and short.
    private let options: [String]

    /// Looks up the command.
    ///
    /// - Parameters:
    ///   - words: the command line after the program's name.
    ///   - root: the program's commands.
    init(_ words: [String], of root: any ParsableCommand.Type) {
        let program = root.configuration.commandName ?? "tilewright"
        let named = root.configuration.subcommands.first { $0.configuration.commandName == words.first }
        let type = named ?? root.configuration.defaultSubcommand
        self.words = words
        name = type.map { "\(program) \($0.configuration.commandName ?? "")" } ?? program
        // Wide enough for each option to fit into one line.
        help = type.map { root.helpMessage(for: $0, columns: 1000) } ?? root.helpMessage(columns: 1000)
        options = help.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
            .filter { $0.hasPrefix("-") && $0.contains(where: \.isLetter) }
    }

    /// Separates options from empty values, as in `--floor=`. Otherwise the parser would read the next word
    /// as the value.
    static func separatingEmptyValues(_ words: [String], of root: any ParsableCommand.Type) -> [String] {
        func isOpen(_ word: String) -> Bool {
            word.hasPrefix("--") && word.firstIndex(of: "=") == word.indices.last
        }
        guard words.contains(where: isOpen) else { return words }
        let command = GivenCommand(words, of: root)
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<end].flatMap { word in
            let option = String(word.dropLast())
            return isOpen(word) && command.takesValue(option) ? [option, ""] : [word]
        } + words[end...]
    }

    /// Whether only results and errors are to be printed: `-q`, also in `-vq`, or `--quiet`.
    static func isQuiet(_ words: [String]) -> Bool {
        words.contains { $0 == "--quiet" || $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("q") }
    }

    /// Whether the command has an option.
    func has(_ option: String) -> Bool { options.contains(option) }

    /// The value that an option has in a line that may be wrong; nil if the command does not have the option,
    /// or the line does not name it.
    func value(of option: String) -> String? {
        guard has(option) else { return nil }
        var value: String?
        var rest = words.prefix { $0 != "--" }[...]
        while let word = rest.popFirst() {
            if word.hasPrefix(option + "=") {
                value = String(word.dropFirst(option.count + 1))
            } else if word == option {
                // After a word that is an option itself, the value is missing.
                if let next = rest.first, next == "-" || !next.hasPrefix("-") { value = rest.removeFirst() }
            } else if takesValue(word) {
                _ = rest.popFirst()
            }
        }
        return value
    }

    /// The error for a command line that is refused, with a remedy.
    ///
    /// - Parameter message: the parser's message. An error of tilewright has its remedy on a second line;
    ///   allowed words may follow, each on its own line after a dash.
    func failure(_ message: String) -> Failure {
        if let given = firstOption(where: { option, _ in isUnknown(option) }) {
            return unknown(given.option, value: given.value)
        }
        let lines = message.split(whereSeparator: \.isNewline).map { String($0.trimmed) }
        let first = lines.first ?? "the command line is wrong"
        let choices = lines.filter { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
        let others = lines.dropFirst().filter { !$0.hasPrefix("- ") }
        let isMissing = first.hasPrefix("Missing expected argument")
        let remedy = others.isEmpty ? (isMissing ? "\(usage); " : "") + advice : others.joined(separator: " ")
        return Failure(
            .usage,
            first.prefix(1).lowercased() + first.dropFirst()
                + (choices.isEmpty ? "" : " " + choices.joined(separator: ", ")),
            remedy: adviceOnValue(refusedBy: first) ?? remedy)
    }

    /// The advice on a value that another program takes, or on an option that has no value there and takes the
    /// image's name as its value here.
    ///
    /// - Parameter message: the parser's error, which names the option and its value.
    private func adviceOnValue(refusedBy message: String) -> String? {
        let given = firstOption { option, value in
            let value = value ?? ""
            return message.contains("'\(value)' is invalid for '\(option)")
                || message.hasPrefix("Missing value for '\(option)")
                || message.hasPrefix("Missing expected argument")
                    && ImageFormats.extensions.contains { value.lowercased().hasSuffix(".\($0)") }
        }
        return given.flatMap { OptionAliases.advice(on: $0.option, value: $0.value, forCommandWith: options) }
    }

    private var advice: String { "'\(name) --help' lists the options" }

    /// The command's syntax, from the help's line `USAGE:`.
    private var usage: String {
        help.split(whereSeparator: \.isNewline).first { $0.hasPrefix("USAGE: ") }
            .map { "write: \($0.dropFirst("USAGE: ".count))" } ?? "write: \(name)"
    }

    private func takesValue(_ option: String) -> Bool {
        if option.hasPrefix("--") { return help.contains("\(option) <") }
        // `-z, --zoom <MIN-MAX>`
        let line = help.split(whereSeparator: \.isNewline).first { $0.trimmed.hasPrefix("\(option), ") }
        return line.map { $0.split(separator: " ").dropFirst(2).first?.hasPrefix("<") ?? false } ?? false
    }

    /// The first option that fulfils a condition, with its value or the word after it.
    ///
    /// An unknown option is reported instead of the parser's own error, which may say that something is
    /// missing when an option is only misspelt.
    private func firstOption(
        where isWanted: (_ option: String, _ value: String?) -> Bool
    ) -> (option: String, value: String?)? {
        var isValue = false
        let words = self.words.prefix { $0 != "--" }
        for (index, word) in zip(words.indices, words) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = String(parts[0])
            let value = parts.count == 2 ? String(parts[1]) : words[(index + 1)...].first
            if !isValue, isWanted(option, value) { return (option, value) }
            isValue = !isValue && takesValue(word)
        }
        return nil
    }

    private func isUnknown(_ option: String) -> Bool {
        if option.hasPrefix("--") {
            return !options.contains(option) && option != "--generate-completion-script"
        }
        // A value may be joined to a short option, as in `-z16-18`, except to -o.
        guard option.hasPrefix("-"), option.dropFirst().first?.isLetter ?? false else { return false }
        return options.contains("-" + option) || !options.contains(String(option.prefix(2)))
            || option.hasPrefix("-o") && option != "-o"
    }

    /// The error for an unknown option, with the most similar option, or with one that does the same.
    private func unknown(_ option: String, value: String?) -> Failure {
        let message = "unknown option '\(option)' of '\(name)'"
        let near =
            options.contains("-" + option)
            ? "-" + option : option.hasPrefix("--") ? NearestWord.of(option, among: options) : nil
        if ["-o", "--output"].contains(option) { return Failure(.usage, message, remedy: usage) }
        if near == nil, option.hasPrefix("-o") {
            return Failure(.usage, message, remedy: "write a space: -o \(option.dropFirst(2))")
        }
        let isJoined = near == nil && !option.hasPrefix("--") && option.count > 2
        let ours = OptionAliases.advice(
            on: isJoined ? String(option.prefix(2)) : option,
            value: isJoined ? String(option.dropFirst(2)) : value, forCommandWith: options)
        if let ours { return Failure(.usage, message, remedy: ours) }
        return Failure(
            .usage, message + (near.map { ": did you mean '\($0)'?" } ?? ""), remedy: advice)
    }
}
