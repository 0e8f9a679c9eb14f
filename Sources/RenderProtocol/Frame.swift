#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

package import Platform

/// A message between the program and its renderer: its kind and its bytes.
///
/// A frame on the pipe has four letters for the kind, the number of payload bytes as a little-endian 32-bit
/// number, and the payload. The renderer sends the first frame. Each request has one response.
package struct Frame: Hashable, Sendable {
    /// The kinds of frames.
    package enum Kind: String, CaseIterable, Sendable {
        /// The first frame of the renderer, a `RendererGreeting`.
        case greeting = "HELO"
        /// A request to open a page, an `OpenRequest`. The document is the open file 3.
        case open = "OPEN"
        /// The response, a `PageDescription`.
        case page = "PAGE"
        /// A request for pixels, a `DrawRequest`.
        case draw = "DRAW"
        /// The response, a `PagePixels`.
        case pixels = "PIXL"
        /// The response to a request that failed, a `RendererFailure`.
        case failure = "FAIL"
    }

    /// The kind of frame.
    package var kind: Kind
    /// The payload.
    package var payload: [UInt8]

    /// The version of the protocol. A change that makes older programs and newer renderers incompatible
    /// increases it.
    package static let version = 1

    /// The file descriptor of the document in a renderer.
    package static let documentDescriptor: Int32 = 3

    /// The bytes before the payload.
    static let headerSize = 8

    /// Makes a frame.
    package init(_ kind: Kind, _ payload: [UInt8]) {
        (self.kind, self.payload) = (kind, payload)
    }

    /// The frame as it is sent.
    package var bytes: [UInt8] { Self.header(kind, payloadSize: payload.count) + payload }

    /// The bytes before a payload.
    static func header(_ kind: Kind, payloadSize: Int) -> [UInt8] {
        var bytes = Array(kind.rawValue.utf8)
        bytes.append(littleEndian: UInt32(payloadSize))
        return bytes
    }

    /// The maximum number of bytes of a frame of a kind: more is a violation of the protocol.
    package static func mostBytes(of kind: Kind) -> Int {
        switch kind {
        case .greeting: 1 << 12
        case .open: 1 << 20
        case .page: 1 << 24
        case .draw: DrawRequest.size
        case .pixels: PagePixels.headerSize + DrawRequest.mostPixels * PagePixels.bytesPerPixel
        case .failure: 1 << 16
        }
    }
}

extension Frame {
    /// A frame whose bytes are JSON.
    package init(_ kind: Kind, describing value: some Encodable) throws {
        self.init(kind, Array(try JSONEncoder().encode(value)))
    }

    /// Decodes the JSON of a frame.
    ///
    /// - Throws: `FrameChannel.Trouble.strange` if it does not have this type.
    package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(FrameChannel.Trouble)
        -> Value
    {
        do { return try JSONDecoder().decode(type, from: Data(payload)) } catch { throw .strange }
    }
}

/// The first frame of a renderer.
package struct RendererGreeting: Hashable, Codable, Sendable {
    /// The version of the protocol, `Frame.version`.
    package var version: Int
    /// The libraries that affect pixels, with their versions: `poppler 22.12.0, cairo 1.16.0, librsvg
    /// 2.54.7`.
    package var libraries: String

    /// Makes a greeting.
    package init(version: Int, libraries: String) { (self.version, self.libraries) = (version, libraries) }
}

/// The reason why a request failed.
package struct RendererFailure: Error, Hashable, Codable, Sendable {
    /// The kind of reason.
    package enum Cause: String, Codable, Sendable {
        /// The document is damaged, or is of another type.
        case damaged
        /// The document is encrypted, and the password is missing or wrong.
        case encrypted
        /// There is no such page.
        case noPage
        /// There is no such layer.
        case noLayer
        /// It needs more memory than allowed.
        case memory
        /// The request violates the protocol.
        case request
    }

    /// The kind of reason.
    package var cause: Cause
    /// A clause for people, in lower case, without a full stop.
    package var reason: String

    /// Makes a failure.
    package init(_ cause: Cause, _ reason: String) { (self.cause, self.reason) = (cause, reason) }
}

/// Reads little-endian numbers of fixed size.
struct ByteReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The next number; nil if there are too few bytes.
    mutating func uint32() -> UInt32? { next(4).map(UInt32.init(truncatingIfNeeded:)) }

    /// The next number; nil if there are too few bytes, or if they are not a finite number.
    mutating func finiteDouble() -> Double? {
        next(8).map(Double.init(bitPattern:)).flatMap { $0.isFinite ? $0 : nil }
    }

    private mutating func next(_ count: Int) -> UInt64? {
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

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
