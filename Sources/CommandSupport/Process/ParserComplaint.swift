import ArgumentParser
import Platform
import TilewrightKit

/// What the parser of the command line says is wrong, in our words, with the way out.
struct ParserComplaint {
    /// What is wrong, without a capital in front.
    private let message: String
    /// What stands on the lines behind it.
    private let rest: [Substring]
    /// The command that was given, or else the default one.
    private let command: Command
    private let words: [String]

    private struct Command {
        /// As people write it: `tilewright verify`.
        var name: String
        /// Its help.
        var help: String

        /// The long options that the help lists.
        var options: [String] {
            help.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
                .filter { $0.hasPrefix("--") && $0.count > 2 }
        }

        /// How it is written: what stands behind `USAGE:`.
        var usage: String? {
            help.split(whereSeparator: \.isNewline).first { $0.hasPrefix("USAGE: ") }
                .map { String($0.dropFirst("USAGE: ".count)) }
        }
    }

    /// Takes over what the parser says.
    ///
    /// - Parameters:
    ///   - text: several lines if it is a list, or has a remedy of ours.
    ///   - words: the command line behind the program's name.
    ///   - root: the program's commands.
    init(_ text: String, words: [String], of root: any ParsableCommand.Type) {
        self.words = words
        let lines = text.split(whereSeparator: \.isNewline)
        let first = lines.first ?? "the command line is wrong"
        command = Self.command(words, of: root)
        let unknown = first.hasPrefix("Missing expected argument") ? Self.unknownOption(words, command) : nil
        message = unknown.map { "unknown option '\($0)'" } ?? first.prefix(1).lowercased() + first.dropFirst()
        rest = lines.dropFirst().map(\.trimmed)
    }

    /// The failure.
    var failure: Failure {
        // Behind "or: " stands another reading of the same option.
        if let second = rest.first, !second.hasPrefix("- "), !second.hasPrefix("or: ") {
            return Failure(.usage, message, remedy: String(second))
        }
        if let option = quoted(behind: "unknown option '") { return unknown(option) }
        if let value = quoted(behind: "the value '"), let list = knownWords {
            return invalid(value, known: list)
        }
        if message.hasPrefix("missing expected argument"), let usage = command.usage {
            return Failure(.usage, message, remedy: "write: \(usage); \(help)")
        }
        return Failure(
            .usage, items.isEmpty ? message : "\(message) \(items.joined(separator: ", "))", remedy: help)
    }

    private var help: String { "'\(command.name) --help' says what there is" }

    /// An option that the command does not have: the nearest one, or what does the same here.
    private func unknown(_ option: String) -> Failure {
        if let meant = longOption(of: option) {
            return Failure(
                .usage,
                "unknown option '\(meant.dropFirst())' of '\(command.name)': did you mean '\(meant)'?",
                remedy: help)
        }
        let message = "unknown option '\(option)' of '\(command.name)'"
        if ["-o", "--output"].contains(option), let usage = command.usage {
            return Failure(.usage, message, remedy: "write: \(usage)")
        }
        if option.hasPrefix("-o"), !option.hasPrefix("--") {
            return Failure(.usage, message, remedy: "write a space: -o \(option.dropFirst(2))")
        }
        if let ours = OptionAliases.advice(on: option, forCommandWith: command.options) {
            return Failure(.usage, message, remedy: ours)
        }
        let near = option.hasPrefix("--") ? NearestWord.of(option, among: command.options) : nil
        return Failure(.usage, message + (near.map { ": did you mean '\($0)'?" } ?? ""), remedy: help)
    }

    /// The long option that was written with one dash, whose first letter the parser took for an option.
    private func longOption(of option: String) -> String? {
        guard option.hasPrefix("-"), !option.hasPrefix("--") else { return nil }
        let meant = words.filter { $0.hasPrefix(option) && !$0.hasPrefix("--") }.map { "-\($0)" }
        return meant.first { word in command.options.contains { $0 == word } }
    }

    /// A value that is none of those that are known.
    private func invalid(_ value: String, known: [String]) -> Failure {
        let option = quoted(behind: "is invalid for '") ?? "the option"
        let near = NearestWord.of(value, among: known).map { ": did you mean '\($0)'?" } ?? ""
        return Failure(
            .usage, "the value '\(value)' is invalid for '\(option)'\(near)",
            remedy: "it takes \(known.listed("or"))")
    }

    /// What stands between a text that ends with a quote and the next quote.
    private func quoted(behind text: String) -> String? {
        guard let range = message.firstRange(of: text) else { return nil }
        let value = message[range.upperBound...].prefix { $0 != "'" }
        return value.isEmpty ? nil : String(value)
    }

    /// The words that a value may be, which the parser lists in its sentence, or on lines of their own.
    private var knownWords: [String]? {
        if message.hasSuffix("one of the following:") { return items }
        guard let range = message.firstRange(of: "Please provide one of '") else { return nil }
        let list = message[range.upperBound...].split(separator: "'", omittingEmptySubsequences: false)
        return list.indices.filter { $0 % 2 == 0 }.map { String(list[$0]) }.filter {
            $0 != "." && !$0.isEmpty
        }
    }

    /// What stands on the lines behind the message, each behind a dash.
    private var items: [String] { rest.map { String($0.dropFirst(2)) } }

    private static func command(_ words: [String], of root: any ParsableCommand.Type) -> Command {
        let program = root.configuration.commandName ?? "tilewright"
        let commands = root.configuration.subcommands
        let named = commands.first { $0.configuration.commandName == words.first }
        guard let type = named ?? root.configuration.defaultSubcommand else {
            return Command(name: program, help: root.helpMessage(columns: .max))
        }
        let name = "\(program) \(type.configuration.commandName ?? "")"
        return Command(name: name, help: root.helpMessage(for: type, columns: 1000))
    }

    /// The help of the command that is given.
    static func help(for words: [String], of root: any ParsableCommand.Type) -> String {
        command(words, of: root).help
    }

    /// The first long option that the command does not have.
    private static func unknownOption(_ words: [String], _ command: Command) -> String? {
        let options = Set(command.options)
        return words.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
            .first { $0.hasPrefix("--") && !options.contains($0) }
    }
}
