import Files

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Both ends of a pipe; pipe(2). For a moment, a process that is started at the same time would inherit them.
struct Pipe: ~Copyable {
    let reading: FileDescriptor
    let writing: FileDescriptor

    init() throws(SystemError) {
        var numbers: [Int32] = [0, 0]
        try systemCall { pipe(&numbers) }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        reading = FileDescriptor(owning: numbers[0])
        writing = FileDescriptor(owning: numbers[1])
    }

    /// The end to read from; the other one is closed.
    consuming func takeReading() -> FileDescriptor { reading }

    /// The end to write to; the other one is closed.
    consuming func takeWriting() -> FileDescriptor { writing }
}
