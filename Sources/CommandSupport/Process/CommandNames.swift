import ArgumentParser
import Codecs
import Platform

/// The names of a program's commands, and suggestions for mistyped ones.
enum CommandNames {
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
