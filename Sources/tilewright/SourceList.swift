import Platform
import TilewrightKit
import Tilesets

/// A text file with the name of an image on each line.
enum SourceList {
    /// The names that an argument stands for: those in a file if it begins with `@`, which are
    /// taken from the working folder like any other, else itself.
    static func paths(_ argument: String) throws -> [String] {
        guard let list = path(argument) else { return [argument] }
        let names = try text(of: list).split(whereSeparator: \.isNewline).map { String($0.trimmed) }
            .filter { !$0.isEmpty }
        guard !names.isEmpty else {
            throw Failure(.badInput, "the list '\(list)' names no image")
        }
        return names
    }

    /// The list that an argument stands for, if it does.
    static func path(_ argument: String) -> String? {
        argument.hasPrefix("@") ? String(argument.dropFirst()) : nil
    }

    private static func text(of path: String) throws -> String {
        guard let bytes = try WholeFile.read(path) else {
            throw Failure(
                .missingInput, "cannot read the list '\(path)': there is no such file",
                remedy:
                    "a source that begins with @ is a file of names; write ./@NAME for an image "
                    + "that is called so")
        }
        guard let text = String(validating: TextEncoding.utf8(bytes), as: UTF8.self) else {
            throw Failure(.badInput, "cannot read the list '\(path)': it is not text in UTF-8 or UTF-16")
        }
        return text
    }
}
