import Platform

/// Both ends of a pipe; pipe(2). For a moment, a process that is started at the same time would inherit them.
struct Pipe: ~Copyable {
    let reading: FileDescriptor
    let writing: FileDescriptor

    init() throws(SystemError) {
        var numbers: [Int32] = [0, 0]
        try systemCall { pipe(&numbers) }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        #if os(Linux)
            // F_SETPIPE_SZ: room for the pixels of a square, so that both sides wake up less often. It is as well if
            // the system grants less.
            _ = fcntl(numbers[0], 1031, 1 << 20)
        #endif
        reading = FileDescriptor(owning: numbers[0])
        writing = FileDescriptor(owning: numbers[1])
    }

    /// The end to read from; the other one is closed.
    consuming func takeReading() -> FileDescriptor { reading }

    /// The end to write to; the other one is closed.
    consuming func takeWriting() -> FileDescriptor { writing }
}
