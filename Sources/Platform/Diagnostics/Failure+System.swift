#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Failure {
    /// Whether the system is at fault and no file, so that another try may succeed.
    package var isOfSystem: Bool { kind == .systemLimit || kind == .inputOutput }
}

extension Failure.Kind {
    /// Whose fault it is that an output or a scratch file cannot be made or written.
    ///
    /// - Parameter code: what the system said: a value of errno(3).
    package init(ofWriting code: Int32) {
        switch code {
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG:
            self = .outputRefused
        case EMFILE, ENFILE, ENOMEM, ENOLCK, ENOBUFS: self = .systemLimit
        default: self = .inputOutput
        }
    }

    /// Whose fault it is that an input cannot be opened or looked at.
    ///
    /// - Parameter code: what the system said: a value of errno(3).
    package init(ofReading code: Int32) {
        switch code {
        case EMFILE, ENFILE, ENOMEM, EAGAIN, ENOBUFS: self = .systemLimit
        // A disk or a network that fails says nothing about whether the file is there.
        case EIO, ESTALE, ETIMEDOUT, ENOTCONN, ENODEV: self = .inputOutput
        default: self = .missingInput
        }
    }
}
