import Platform

/// A fragment of a Makefile: the output depends on the images and the files beside them.
struct DependencyFile {
    /// What is made.
    let target: String
    /// What it is made of, each file once.
    let dependencies: [String]

    /// What stands for an equals sign: as itself, it makes an assignment of a rule.
    private static let equals = "$(tilewright_equals)"

    /// Refuses names that make has no way to write, before there is anything to write.
    ///
    /// - Throws: `.usage`.
    func check() throws(Failure) {
        for name in [target] + dependencies
        where name.contains(where: { $0.isNewline || ";|\t".contains($0) }) || name.hasSuffix("\\") {
            throw Failure(
                .usage, "--depfile cannot name '\(name)': make has no way to write it",
                remedy: "choose a name without ; and |, tab and line feed, and \\ at its end")
        }
    }

    /// The fragment. Each file is also a target without a rule, so that one which is gone is no error.
    var text: String {
        let files = dependencies.map { Self.escaped($0) }
        let rule = "\(Self.asTarget(target)): \\\n  \(files.joined(separator: " \\\n  "))\n"
        let text = rule + dependencies.map { "\n\(Self.asTarget($0)):\n" }.joined()
        return text.contains(Self.equals) ? "tilewright_equals := =\n\(text)" : text
    }

    /// A name on the left side of a rule, where a percent sign makes a pattern of it.
    private static func asTarget(_ name: String) -> String { escaped(name, also: "%") }

    /// A name as make reads it: with a backslash before what would end it or match other names, and
    /// before each backslash in front of that.
    private static func escaped(_ name: String, also special: String = "") -> String {
        var (text, backslashes) = ("", "")
        for character in name {
            if character == "\\" {
                backslashes.append(character)
                continue
            }
            let isSpecial = " #:*?[".contains(character) || special.contains(character)
            text += isSpecial ? "\(backslashes)\(backslashes)\\" : backslashes
            text += character == "$" ? "$$" : character == "=" ? equals : String(character)
            backslashes = ""
        }
        return text
    }
}
