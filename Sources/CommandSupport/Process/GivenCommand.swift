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
    /// The long options that the help lists.
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
            .filter { $0.hasPrefix("--") && $0.count > 2 }
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

    /// The error for a command line that is refused, with a remedy.
    ///
    /// - Parameter message: the parser's message. An error of tilewright has its remedy on a second line;
    ///   allowed words may follow, each on its own line after a dash.
    func failure(_ message: String) -> Failure {
        if let option = unknownOption { return unknown(option) }
        let lines = message.split(whereSeparator: \.isNewline).map { String($0.trimmed) }
        let first = lines.first ?? "the command line is wrong"
        let choices = lines.filter { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
        let others = lines.dropFirst().filter { !$0.hasPrefix("- ") }
        let isMissing = first.hasPrefix("Missing expected argument")
        return Failure(
            .usage,
            first.prefix(1).lowercased() + first.dropFirst()
                + (choices.isEmpty ? "" : " " + choices.joined(separator: ", ")),
            remedy: others.isEmpty ? (isMissing ? "\(usage); " : "") + advice : others.joined(separator: " "))
    }

    private var advice: String { "'\(name) --help' lists the options" }

    /// The command's syntax, from the help's line `USAGE:`.
    private var usage: String {
        help.split(whereSeparator: \.isNewline).first { $0.hasPrefix("USAGE: ") }
            .map { "write: \($0.dropFirst("USAGE: ".count))" } ?? "write: \(name)"
    }

    private func takesValue(_ option: String) -> Bool {
        option.hasPrefix("--") && help.contains("\(option) <")
    }

    private var hasOutput: Bool { help.contains("-o, --output") }

    /// The first option that the command does not have. It is reported instead of the parser's own error,
    /// which may say that something is missing when an option is only misspelt.
    private var unknownOption: String? {
        var isValue = false
        for word in words.prefix(while: { $0 != "--" }) {
            let option = String(word.prefix { $0 != "=" })
            if !isValue, isUnknown(option) { return option }
            isValue = !isValue && takesValue(word)
        }
        return nil
    }

    private func isUnknown(_ option: String) -> Bool {
        if option.hasPrefix("--") {
            return !options.contains(option) && option != "--generate-completion-script"
        }
        return options.contains("-" + option) || option.hasPrefix("-o") && (option != "-o" || !hasOutput)
    }

    /// The error for an unknown option, with the most similar option, or with one that does the same.
    private func unknown(_ option: String) -> Failure {
        let message = "unknown option '\(option)' of '\(name)'"
        let near =
            options.contains("-" + option)
            ? "-" + option : option.hasPrefix("--") ? NearestWord.of(option, among: options) : nil
        if ["-o", "--output"].contains(option) { return Failure(.usage, message, remedy: usage) }
        if near == nil, option.hasPrefix("-o") {
            return Failure(.usage, message, remedy: "write a space: -o \(option.dropFirst(2))")
        }
        if let ours = OptionAliases.advice(on: option, forCommandWith: options) {
            return Failure(.usage, message, remedy: ours)
        }
        return Failure(
            .usage, message + (near.map { ": did you mean '\($0)'?" } ?? ""), remedy: advice)
    }
}

/// Options of other programs that make tiles, and their equivalents in tilewright.
enum OptionAliases {
    /// The equivalent of an option; nil if the option is unknown, or the command does not have the
    /// equivalent.
    static func advice(on option: String, forCommandWith options: [String]) -> String? {
        // In commands that have --max-zoom, --zoom and --bearing are the camera's.
        let table = options.contains("--max-zoom") ? advice.merging(cameraAdvice) { $1 } : advice
        guard let ours = table[option] else { return nil }
        let named = ours.split { !($0.isLetter || $0 == "-") }.map(String.init).filter { $0.hasPrefix("--") }
        guard named.allSatisfy(options.contains) else { return nil }
        return ours.hasPrefix("--") ? "write \(ours)" : ours
    }

    /// The advice that differs for commands with a camera.
    private static let cameraAdvice = advice.filter { $1 == zooms || $1 == bearing }.mapValues {
        $0 == zooms ? "--min-zoom MIN and --max-zoom MAX" : "--bearing DEGREES"
    }
    private static let zooms = "--zoom MIN-MAX"
    private static let bearing = "--bearing DEGREES, with --anchor and --scale"

    /// gdal2tiles, gdal_translate, `gdal raster tile`, `vips dzsave`, tippecanoe, and web servers.
    private static let advice = [
        "--bbox": "--bounds W,S,E,N", "--extent": "--bounds W,S,E,N", "--a_ullr": "--bounds W,S,E,N",
        "--s_srs": "--crs EPSG:CODE", "--s-srs": "--crs EPSG:CODE", "--srs": "--crs EPSG:CODE",
        "--a_srs": "--crs EPSG:CODE", "--input-crs": "--crs EPSG:CODE", "--epsg": "--crs EPSG:CODE",
        "--min-zoom": zooms, "--max-zoom": zooms, "--minzoom": zooms,
        "--maxzoom": zooms, "--minimum-zoom": zooms, "--maximum-zoom": zooms,
        "--zooms": zooms, "--processes": "--jobs N", "--threads": "--jobs N",
        "--parallel": "--jobs N", "--tiledriver": "--format png, jpeg or webp",
        "--tilesize": "--tile-size 256 or 512", "--tms": "--scheme tms",
        "--xyz": "no option is needed: rows count from the north unless --scheme tms is given",
        "--resume": "no option is needed: the same command resumes a stopped run",
        "--exclude": "no option is needed: fully transparent tiles are skipped unless --empty write is given",
        "--srcnodata": "--nodata R,G,B", "--dstnodata": "--background '#rrggbb'",
        "--overwrite": "--force for an output not made by tilewright; its own outputs are updated anyway",
        "--webviewer": "run 'tilewright viewer OUTPUT' after the build",
        "--suffix": "--format png, jpeg or webp", "--jpeg-quality": "--quality N",
        "--webp-quality": "--quality N", "--output-dir": "--output FOLDER",
        "--out": "--output OUTPUT", "--rotate": bearing,
        "--rotation": bearing, "--colors": "--palette N",
        "--port": "--listen 127.0.0.1:PORT", "--bind": "--listen HOST:PORT", "--host": "--listen HOST:PORT",
    ]
}
