// The one place that asks which system this is. With Platform, a file has the system's C library.

#if canImport(Glibc)
    @_exported public import Glibc
#else
    @_exported public import Darwin
#endif

extension stat {
    /// When the file was last read.
    package var readTime: timespec {
        #if canImport(Glibc)
            st_atim
        #else
            st_atimespec
        #endif
    }

    /// When its content last changed.
    package var contentTime: timespec {
        #if canImport(Glibc)
            st_mtim
        #else
            st_mtimespec
        #endif
    }

    /// When anything of it last changed, which cannot be set back, as cp -p does with the time of the
    /// content.
    package var changeTime: timespec {
        #if canImport(Glibc)
            st_ctim
        #else
            st_ctimespec
        #endif
    }
}

extension FileDescriptor {
    /// Returns when the file is on the disk; fsync(2), and what does the same on Apple's systems.
    package func flush() throws(SystemError) {
        #if canImport(Glibc)
            try systemCall { withNumber { fsync($0) } }
        #else
            try systemCall { withNumber { fcntl($0, F_FULLFSYNC) } }
        #endif
    }

    /// Takes room on the disk for some bytes of a file that is open for writing; posix_fallocate(3).
    func reserve(_ length: Int) throws(SystemError) {
        #if canImport(Glibc)
            // The error is the result here, and not in errno.
            let code = withNumber { posix_fallocate($0, 0, off_t(length)) }
            if code != 0 { throw SystemError(code: code) }
        #else
            try truncate(to: length)
        #endif
    }

    /// What lseek(2) looks for.
    enum Seek {
        #if canImport(Glibc)
            // Glibc's header shows them to GNU programs only.
            static let (data, hole): (Int32, Int32) = (3, 4)
        #else
            static let (data, hole) = (SEEK_DATA, SEEK_HOLE)
        #endif
    }
}

/// A program that belongs to this one: it is in the same folder, or else in PATH.
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

/// A library that the program calls, and its version.
public struct LibraryVersion: Sendable, Equatable {
    /// The name that its project gives it.
    public let name: String

    /// Its version as its project writes it; nil if the library is not installed, which is so only for one that is
    /// loaded when it is first needed.
    public let version: String?

    /// Whether the version is the one that the program was compiled with, because the library does not say its own.
    public let isOfHeaders: Bool

    /// Describes a library.
    package init(_ name: String, _ version: String?, isOfHeaders: Bool = false) {
        (self.name, self.version, self.isOfHeaders) = (name, version, isOfHeaders)
    }
}
