import Platform

/// The files that a run writes for other programs.
struct OutputLists {
    private let given: [(name: String, path: String)]

    /// Names the files; nil for none.
    init(changes: String?, depfile: String?) {
        given = [("--changes", changes), ("--depfile", depfile)].compactMap { name, path in
            path.map { (name: name, path: $0) }
        }
    }

    /// Refuses places that would write over an input or over each other, or that lie in an output.
    ///
    /// - Throws: `.usage`; `.outputRefused` if no file can be made there.
    func check(inputs: [String], outputs: [String]) throws {
        for list in given {
            if let input = inputs.first(where: { OutputFile.areSame($0, list.path) }) {
                throw Failure(
                    .usage, "\(list.name) would write over '\(input)', which is an input",
                    remedy: "give it a name of its own")
            }
            if let output = outputs.first(where: { OutputFile.isInside(list.path, $0) }) {
                throw Failure(
                    .usage, "\(list.name) '\(list.path)' lies in the output",
                    remedy: "give it a place beside '\(output)'")
            }
            try OutputFile.checkPlace(list.path)
        }
        if given.count == 2, OutputFile.areSame(given[0].path, given[1].path) {
            throw Failure(.usage, "--changes and --depfile cannot be one file")
        }
    }
}
