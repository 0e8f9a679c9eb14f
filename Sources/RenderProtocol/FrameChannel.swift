package import Platform

/// One side of a connection that exchanges frames: a pipe to read from, and a pipe to write to.
///
/// Input is not trusted: its kind must be known, and it must not be longer than its kind allows.
package struct FrameChannel: ~Copyable {
    private let input: FileDescriptor
    private let output: FileDescriptor

    /// An error of the connection.
    package enum Trouble: Error, Equatable {
        /// The other side has closed the connection.
        case ended
        /// The other side did not respond in time.
        case late
        /// The task that waits for a response was cancelled.
        case cancelled
        /// The input violates the protocol.
        case strange
        /// The system refused to read or write.
        case system(Int32)
    }

    /// Takes ownership of both pipes.
    package init(input: consuming FileDescriptor, output: consuming FileDescriptor) {
        self.input = input
        self.output = output
    }

    /// Sends a frame. The signal SIGPIPE must be ignored.
    package func send(_ frame: Frame) throws(Trouble) {
        try send(frame.kind, frame.payload, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// Sends a frame whose payload is in two pieces of memory.
    package func send(_ kind: Frame.Kind, _ head: [UInt8], _ rest: UnsafeRawBufferPointer) throws(Trouble) {
        do throws(SystemError) {
            try output.write(Frame.header(kind, payloadSize: head.count + rest.count) + head)
            try output.write(rest)
        } catch {
            throw error.code == EPIPE ? .ended : .system(error.code)
        }
    }

    /// Waits for a frame of one of several kinds.
    ///
    /// - Parameter seconds: the longest wait for each piece of the frame, which ends early if the task is
    ///   cancelled; nil to wait without limit, even if the task is cancelled.
    package func receive(_ kinds: Frame.Kind..., within seconds: Int? = nil) throws(Trouble) -> Frame {
        let header = try read(Frame.headerSize, within: seconds)
        guard let kind = Frame.Kind(rawValue: String(decoding: header[..<4], as: UTF8.self)),
            kinds.contains(kind)
        else { throw .strange }
        var reader = ByteReader(header[4...])
        guard let count = reader.uint32(), count <= Frame.mostBytes(of: kind) else { throw .strange }
        return Frame(kind, try read(Int(count), within: seconds))
    }

    private func read(_ count: Int, within seconds: Int?) throws(Trouble) -> [UInt8] {
        var trouble: Trouble?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(Trouble) {
                while filled < count {
                    let rest = UnsafeMutableRawBufferPointer(
                        UnsafeMutableBufferPointer(rebasing: buffer[filled..<count]))
                    filled += try readOnce(into: rest, within: seconds)
                }
            } catch {
                trouble = error
            }
        }
        if let trouble { throw trouble }
        return bytes
    }

    /// Reads the bytes that are available, at least one.
    private func readOnce(
        into buffer: UnsafeMutableRawBufferPointer, within seconds: Int?
    ) throws(Trouble) -> Int {
        try wait(seconds)
        let count: Int
        do throws(SystemError) { count = try input.readOnce(into: buffer) } catch {
            throw .system(error.code)
        }
        if count == 0 { throw .ended }
        return count
    }

    /// The interval, in milliseconds, at which a wait checks whether its task was cancelled: a tenth of the
    /// second in which cancelled work must end.
    private static let glance = 100

    private func wait(_ seconds: Int?) throws(Trouble) {
        guard let seconds else { return }
        for _ in 0..<seconds * 1000 / Self.glance {
            if Task.isCancelled { throw .cancelled }
            if try isReady(within: Self.glance) { return }
        }
        throw .late
    }

    private func isReady(within milliseconds: Int) throws(Trouble) -> Bool {
        do throws(SystemError) {
            return try input.withNumber { number throws(SystemError) in
                var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                return try systemCall { poll(&entry, 1, Int32(milliseconds)) } > 0
            }
        } catch { throw .system(error.code) }
    }
}
