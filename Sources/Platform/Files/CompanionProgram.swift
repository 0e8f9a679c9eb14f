#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program that belongs to this one: it stands in the same folder, or else in PATH.
package struct CompanionProgram: Sendable {
    /// Its file.
    package let path: String

    /// Takes a file for the program.
    package init(path: String) { self.path = path }

    /// Looks for a program.
    ///
    /// - Parameter name: its file's name.
    /// - Returns: nil if it is in neither place.
    package init?(named name: String) {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = path.split(separator: ":").map(String.init)
        let candidates = ([Self.ownFolder].compactMap(\.self) + folders).map { $0.path(of: name) }
        guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else { return nil }
        self.path = found
    }

    /// The folder of this program.
    private static var ownFolder: String? {
        #if canImport(Glibc)
            guard let path = realpath("/proc/self/exe", nil) ?? startedFile else { return nil }
        #else
            var size = UInt32(PATH_MAX)
            var name = [CChar](repeating: 0, count: Int(size))
            guard _NSGetExecutablePath(&name, &size) == 0, let path = realpath(name, nil) else { return nil }
        #endif
        defer { free(path) }
        return String(cString: path).parentDirectory
    }

    #if canImport(Glibc)
        /// The file of this program as it was started, for where /proc is not mounted; getauxval(3), AT_EXECFN.
        private static var startedFile: UnsafeMutablePointer<CChar>? {
            // Swift does not see the header that declares it.
            typealias GetValue = @convention(c) (_ kind: UInt) -> UInt
            guard let address = dlsym(nil, "getauxval") else { return nil }
            let name = unsafeBitCast(address, to: GetValue.self)(31)
            return UnsafePointer<CChar>(bitPattern: name).flatMap { realpath($0, nil) }
        }
    #endif
}
