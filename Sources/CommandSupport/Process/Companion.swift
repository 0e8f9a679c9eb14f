package import Platform

/// A program beside this one, for work that needs libraries which a batch tool should not carry.
///
/// It stands in the same folder or in PATH, takes the arguments that follow the command's name, and says
/// everything itself: streams, signals and the exit status are its own.
package enum Companion {
    /// Becomes the companion; returns only if that fails.
    ///
    /// - Parameters:
    ///   - name: its file's name.
    ///   - work: what it does, as in "cannot serve".
    /// - Throws: `.missingInput` if it is not there.
    package static func become(_ name: String, arguments: [String], to work: String) throws(Failure) -> Never
    {
        if let program = CompanionProgram(named: name) {
            var words = ([program.path] + arguments).map { strdup($0) }
            words.append(nil)
            defer { words.forEach { free($0) } }
            execv(program.path, words)
            throw SystemError(code: errno).failure("run '\(program.path)'")
        }
        throw Failure(
            .missingInput, "cannot \(work): '\(name)' is neither beside this program nor in PATH",
            remedy: "'make companions' builds it; put it beside 'tilewright'")
    }
}
