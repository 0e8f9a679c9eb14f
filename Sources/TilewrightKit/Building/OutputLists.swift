import Platform

/// The files that a run writes for other programs.
struct OutputLists {
    /// `--changes`; nil for none.
    var changes: String?
    /// `--depfile`; nil for none.
    var depfile: String?

    /// Refuses paths that would overwrite an input or each other, or that are inside an output.
    ///
    /// - Parameter target: the file that depends on the inputs.
    /// - Throws: `.usage`; `.outputRefused` if no file can be made there.
    func check(inputs: [String], outputs: [String], target: String) throws {
        for (name, path) in [("--changes", changes), ("--depfile", depfile)] {
            guard let path else { continue }
            if let input = inputs.first(where: { OutputFile.areSame($0, path) }) {
                throw Failure(
                    .usage, "\(name) would overwrite '\(input)', which is an input",
                    remedy: "choose another file for \(name)")
            }
            if let output = outputs.first(where: { OutputFile.isInside(path, $0) }) {
                throw Failure(
                    .usage, "\(name) '\(path)' is inside the output",
                    remedy: "choose a path outside '\(output)'")
            }
            try OutputFile.checkPlace(path)
        }
        if let changes, let depfile, OutputFile.areSame(changes, depfile) {
            throw Failure(.usage, "--changes and --depfile cannot be one file")
        }
        if depfile != nil { try DependencyFile(target: target, dependencies: inputs).check() }
    }

    /// Writes the dependencies before the output is made, so that make knows all inputs of any new output.
    func writeDependencies(of target: String, on inputs: [String]) throws {
        guard let depfile else { return }
        try OutputFile.write(DependencyFile(target: target, dependencies: inputs).text.utf8, to: depfile)
    }
}

extension OutputRequest {
    /// The lists of the request.
    var lists: OutputLists { OutputLists(changes: changes, depfile: depfile) }
}

/// A fragment of a Makefile: the output depends on the images and the files next to them.
private struct DependencyFile {
    /// The output.
    let target: String
    /// The inputs, each once.
    let dependencies: [String]

    /// The variable for an equals sign, which would turn a target into an assignment.
    private static let equals = "$(tilewright_equals)"

    /// Refuses names that a Makefile cannot have, before anything is written.
    ///
    /// - Throws: `.usage`.
    func check() throws(Failure) {
        for name in [target] + dependencies
        where name.contains(where: { $0.isNewline || ";|\t".contains($0) }) || name.hasSuffix("\\") {
            throw Failure(
                .usage, "--depfile cannot name '\(name)': a Makefile cannot contain this name",
                remedy: "choose a name without ;, |, tab and line feed, and without \\ at its end")
        }
    }

    /// The fragment. Each input is also a target without a recipe, so that a missing input is not an error.
    var text: String {
        let files = dependencies.map { Self.escaped($0) }
        let rule = "\(Self.asTarget(target)): \\\n  \(files.joined(separator: " \\\n  "))\n"
        let text = rule + dependencies.map { "\n\(Self.asTarget($0)):\n" }.joined()
        return text.contains(Self.equals) ? "tilewright_equals := =\n\(text)" : text
    }

    /// A name on the left side of a rule, where a percent sign would make it a pattern.
    private static func asTarget(_ name: String) -> String { escaped(name, also: "%") }

    /// A name as make reads it. A backslash precedes each character that would end the name or match other
    /// names, and each backslash before such a character.
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
