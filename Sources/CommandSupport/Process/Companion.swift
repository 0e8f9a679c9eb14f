package import Diagnostics
import Files

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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
        for path in candidates(name) where access(path, X_OK) == 0 {
            var words = ([path] + arguments).map { strdup($0) }
            words.append(nil)
            execv(path, words)
        }
        throw Failure(
            .missingInput, "cannot \(work): '\(name)' is neither beside this program nor in PATH",
            remedy: "'make companions' builds it; put it beside 'tilewright'")
    }

    private static func candidates(_ name: String) -> [String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = path.split(separator: ":").map(String.init)
        return ([ownFolder].compactMap(\.self) + folders).map { $0.path(of: name) }
    }

    /// The folder of this program.
    private static var ownFolder: String? {
        #if canImport(Glibc)
            guard let path = realpath("/proc/self/exe", nil) else { return nil }
        #else
            var size = UInt32(PATH_MAX)
            var name = [CChar](repeating: 0, count: Int(size))
            guard _NSGetExecutablePath(&name, &size) == 0, let path = realpath(name, nil) else { return nil }
        #endif
        defer { free(path) }
        return String(cString: path).parentDirectory
    }
}
