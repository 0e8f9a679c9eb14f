// Most code that depends on the operating system is here. A file that imports Platform has the system's C
// library.

#if canImport(Glibc)
    @_exported public import Glibc
#else
    @_exported public import Darwin
#endif

extension stat {
    #if canImport(Glibc)
        /// When the file was last read.
        package var readTime: timespec { st_atim }
        /// When its content last changed.
        package var contentTime: timespec { st_mtim }
        /// When its content or status last changed. Programs such as cp -p cannot set it back.
        package var changeTime: timespec { st_ctim }
    #else
        package var readTime: timespec { st_atimespec }
        package var contentTime: timespec { st_mtimespec }
        package var changeTime: timespec { st_ctimespec }
    #endif
}

extension sigaction {
    /// The function that answers the signal. Its address is 0 for the default, and 1 if the signal is ignored.
    var handler: (@convention(c) (Int32) -> Void)? {
        get {
            #if canImport(Glibc)
                __sigaction_handler.sa_handler
            #else
                __sigaction_u.__sa_handler
            #endif
        }
        set {
            #if canImport(Glibc)
                __sigaction_handler.sa_handler = newValue
            #else
                __sigaction_u.__sa_handler = newValue
            #endif
        }
    }
}

extension FileDescriptor {
    /// Returns when the file is on the disk: fsync(2), or F_FULLFSYNC on Apple's systems.
    package func flush() throws(SystemError) {
        #if canImport(Glibc)
            try systemCall { withNumber { fsync($0) } }
        #else
            try systemCall { withNumber { fcntl($0, F_FULLFSYNC) } }
        #endif
    }

    /// Reserves disk space for `length` bytes of a file that is open for writing; posix_fallocate(3).
    func reserve(_ length: Int) throws(SystemError) {
        #if canImport(Glibc)
            // This function returns the error instead of setting errno.
            let code = withNumber { posix_fallocate($0, 0, off_t(length)) }
            if code != 0 { throw SystemError(code: code) }
        #else
            try truncate(to: length)
        #endif
    }

    /// The constants SEEK_DATA and SEEK_HOLE of lseek(2).
    enum Seek {
        #if canImport(Glibc)
            // Glibc's header declares them only if _GNU_SOURCE is defined.
            static let (data, hole): (Int32, Int32) = (3, 4)
        #else
            static let (data, hole) = (SEEK_DATA, SEEK_HOLE)
        #endif
    }
}

/// A companion program, found in this program's folder, or else in PATH.
package struct CompanionProgram: Sendable {
    /// The path of its file.
    package let path: String

    /// Uses the file at a path.
    package init(path: String) { self.path = path }

    /// Looks for a program.
    ///
    /// - Parameter name: the name of its file.
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
        /// The path by which this program was started, for systems where /proc is not mounted; getauxval(3),
        /// AT_EXECFN.
        private static var startedFile: UnsafeMutablePointer<CChar>? {
            // The header that declares it is not imported into Swift.
            typealias GetValue = @convention(c) (_ kind: UInt) -> UInt
            guard let address = dlsym(nil, "getauxval") else { return nil }
            let name = unsafeBitCast(address, to: GetValue.self)(31)
            return UnsafePointer<CChar>(bitPattern: name).flatMap { realpath($0, nil) }
        }
    #endif
}

/// A library that the program calls, and its version.
public struct LibraryVersion: Sendable, Equatable {
    /// The name that its project gives it.
    public let name: String

    /// Its version as its project writes it; nil if the library is not installed, which is possible only for
    /// libraries that are loaded on first use.
    public let version: String?

    /// Whether the version is that of the headers, because the library does not report its own version.
    public let isOfHeaders: Bool

    /// Describes a library.
    package init(_ name: String, _ version: String?, isOfHeaders: Bool = false) {
        (self.name, self.version, self.isOfHeaders) = (name, version, isOfHeaders)
    }
}
